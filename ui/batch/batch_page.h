#pragma once

#include "ui/batch/batch_session.h"
#include "ui/widgets/page_head.h"
#include "ui/workspace/page.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QSet>

class QFrame;
class QLabel;
class QMenu;

namespace attnscope::ui {

class ActionButton;
class BatchDetails;
class CaptionCombo;
class CaptionSpin;
class DataBar;
class ElidedLabel;
class QueueView;

/// Batch: folders through any number of attentions. The queue above, what is known of the chosen run below.
class BatchPage : public Page {
    Q_OBJECT
public:
    explicit BatchPage(BatchSession& session, QWidget* parent = nullptr);

    Uses uses() const override { return {.networks = true}; }
    bool canRun() const override { return m_session.canRun(); }
    void run() override { m_session.run(); }
    bool hasResults() const override { return !m_session.queue().evaluations().empty(); }
    /// The table that is shown.
    void askExport() override;
    QString command() const override { return chosen() == 0 ? QString() : m_session.command(chosen()); }
    const QAbstractItemModel* shownTable() const override;
    bool canUndo() const override { return m_session.hasRemoved(); }
    void undo() override { m_session.restoreRemoved(); }
    void askFiles() override;
    void take(Content, const QStringList& paths) override { openFolder(paths.front()); }
    bool tryDemo() override;
    void openFolder(const QString& folder);
    /// Chooses a row of the queue.
    void select(quint64 evaluation, int attention = 0);
    /// What can be done with an evaluation now.
    QMenu* menuFor(quint64 evaluation);

    QueueView* table() const { return m_table; }
    BatchDetails* details() const { return m_details; }
    DataBar* dataBar() const { return m_data; }
    CaptionSpin* limit() const { return m_limit; }
    CaptionCombo* protocol() const { return m_protocol; }
    ActionButton* addButton() const { return m_add; }
    QLabel* headline() const;
    QLabel* detail() const;

private:
    void arrange() override;
    void offerUnfinished();
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
    quint64 chosen() const;
    int chosenAttention() const;

    BatchSession& m_session;
    QWidget* m_content;
    PageHead* m_head;
    ActionButton* m_copy;
    ActionButton* m_add;
    DataBar* m_data;
    CaptionSpin* m_limit;
    CaptionCombo* m_protocol;
    QFrame* m_queueCard;
    QueueView* m_table;
    BatchDetails* m_details;
    QSet<quint64> m_noted;        ///< whose notes were said
    QPointer<MessageBar> m_full;  ///< says that the disk is full
    QElapsedTimer m_sinceDetails;
};

}
