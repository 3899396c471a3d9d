// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/train/train_session.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"

#include <QWidget>

class QBoxLayout;
class QFrame;
class QLabel;
class QStackedWidget;
class QTableView;

namespace attnscope::ui {

class ActionButton;
class CompareSession;
class ChartView;
class DistillationModel;
class ElidedLabel;
class Segments;
class EmptyScreen;
class TrainForm;
class TrainProgress;

/// Train: what is to be trained at the left; how it goes at the right: progress, curves, a row for each epoch.
class TrainPage : public QWidget {
    Q_OBJECT
public:
    TrainPage(TrainSession& session, CompareSession& compare, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    /// Data to train on; shows the form.
    void openFolder(const QString& folder);
    void askFolder();
    /// A form filled in from elsewhere: shown as it is.
    void showRequest(const TrainRequest& request);
    /// The training next to this output, with the model and seed of the bar above as it had them; fills in the form.
    void restore(const QString& output);
    /// Starts what the form says, or goes on with what was paused.
    void run();
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    void copyCommand();
    void copyTable();
    void copyMarkdown();
    /// What the terminal needs to go on with the training under way; empty when nothing runs.
    QString commandToGoOn() const;

    /// The form as JSON, for the next session; empty while it names no data.
    QString remembered() const;
    TrainForm* form() const { return m_form; }
    EmptyScreen* empty() const { return m_empty; }
    TrainProgress* progress() const { return m_progress; }
    ChartView* lossChart() const { return m_loss; }
    ChartView* accuracyChart() const { return m_accuracy; }
    QTableView* table() const { return m_table; }
    Segments* tables() const { return m_tables; }
    QLabel* headline() const;
    /// Starts what the form says.
    void start();

signals:
    /// Data and a form to try a training with.
    void demoRequested();
    /// The checkpoint as weights, with the attention that it was trained for.
    void compareRequested(const QString& checkpoint, const QString& attention);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildContent();
    QWidget* buildHead();
    QWidget* buildCharts();
    QWidget* buildTables();
    void connectSession();
    void takeContext();
    void takeInterrupted(const TrainRequest& request);
    void look();
    void refresh();
    void refreshCurves();
    void refreshTables();
    void showForm();
    void arrange();
    bool showsDistillation() const;
    void fitColumns();

    TrainSession& m_session;
    CompareSession& m_compare;
    DistillationModel* m_distillation;
    MessageStack* m_messages;
    QStackedWidget* m_stack;
    EmptyScreen* m_empty;
    QWidget* m_content;
    PageHead* m_head;
    ActionButton* m_copy;
    TrainForm* m_form;
    TrainProgress* m_progress;
    QFrame* m_charts;
    ChartView* m_loss;
    ChartView* m_accuracy;
    QFrame* m_lower;
    Segments* m_tables;
    QLabel* m_tableHint;
    QTableView* m_table;
    Density m_density = Density::Roomy;
};

}  // namespace attnscope::ui
