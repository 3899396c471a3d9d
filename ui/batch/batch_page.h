// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/batch/batch_session.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QSet>
#include <QWidget>

class QFrame;
class QLabel;
class QMenu;
class QStackedWidget;

namespace attnscope::ui {

class ActionButton;
class BatchDetails;
class EmptyScreen;
class CaptionSpin;
class DataBar;
class ElidedLabel;
class QueueView;

/// Batch: folders through any number of attentions. The queue above, what is known of the chosen run below.
class BatchPage : public QWidget {
    Q_OBJECT
public:
    BatchPage(BatchSession& session, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    void setBackends(const QStringList& backends);
    void openFolder(const QString& folder);
    void askFolder();
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    /// Offers to go on with evaluations that the store has unfinished.
    void offerUnfinished(const std::vector<StoredEvaluation>& evaluations);
    void copyCommand();
    void copyTable();
    void copyMarkdown();
    /// Chooses a row of the queue.
    void select(quint64 evaluation, int attention = 0);
    /// What can be done with an evaluation now.
    QMenu* menuFor(quint64 evaluation);

    EmptyScreen* empty() const { return m_empty; }
    QueueView* table() const { return m_table; }
    BatchDetails* details() const { return m_details; }
    DataBar* dataBar() const { return m_data; }
    CaptionSpin* limit() const { return m_limit; }
    ActionButton* addButton() const { return m_add; }
    QLabel* headline() const;
    QLabel* detail() const;
    MessageStack* messages() const { return m_messages; }

signals:
    void compareRequested(const QString& path, const QStringList& attention);
    void resultsRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildContent();
    QWidget* buildHead();
    QWidget* buildDataRow();
    QWidget* buildQueue();
    void connectSession();
    void connectQueue();
    void refresh();
    void refreshWords();
    void refreshData();
    void refreshDetails();
    void reportNotes();
    void toggle(quint64 evaluation);
    void arrange();
    quint64 chosen() const;
    int chosenAttention() const;

    BatchSession& m_session;
    MessageStack* m_messages;
    QStackedWidget* m_stack;
    EmptyScreen* m_empty;
    QWidget* m_content;
    PageHead* m_head;
    ActionButton* m_copy;
    ActionButton* m_add;
    DataBar* m_data;
    CaptionSpin* m_limit;
    QFrame* m_queueCard;
    QueueView* m_table;
    BatchDetails* m_details;
    QSet<quint64> m_noted;        ///< whose notes were said
    QPointer<MessageBar> m_full;  ///< says that the disk is full
    QElapsedTimer m_sinceDetails;
    Density m_density = Density::Roomy;
};

}  // namespace attnscope::ui
