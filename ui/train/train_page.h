#pragma once

#include "ui/train/train_session.h"
#include "ui/widgets/page_head.h"
#include "ui/workspace/page.h"

#include <QTableView>

class QBoxLayout;
class QFrame;
class QLabel;

namespace attnscope::ui {

class ActionButton;
class ChartView;
class CellTable;
class ElidedLabel;
class Segments;
class TrainForm;
class TrainProgress;

/// Train: what is to be trained at the left; how it goes at the right: progress, curves, a row for each epoch.
class TrainPage : public Page {
    Q_OBJECT
public:
    explicit TrainPage(TrainSession& session, QWidget* parent = nullptr);

    /// A training starts from the weights that its form names, in float32, and chooses its one attention itself.
    Uses uses() const override { return {.weights = false, .backends = false, .run = false}; }
    bool canRun() const override { return m_session.isHeld() || !m_session.isRunning(); }
    bool tryDemo() override;
    /// Starts what the form says, or goes on with what was paused.
    void run() override;
    bool hasResults() const override { return true; }
    QString command() const override;
    const QAbstractItemModel* shownTable() const override { return m_table->model(); }
    void askFiles() override;
    void take(Content content, const QStringList& paths) override;
    QString dropHint(Content content) const override;
    /// As JSON; empty while it names no data.
    QString savedForm() const override;
    void restoreForm(const QString& text) override;
    /// Data to train on; shows the form.
    void openFolder(const QString& folder);
    /// A form filled in from elsewhere: shown as it is.
    void showRequest(const TrainRequest& request);
    /// The training next to this output, with the model and seed of the bar above as it had them; fills in the form.
    void restore(const QString& output);

    TrainForm* form() const { return m_form; }
    TrainProgress* progress() const { return m_progress; }
    ChartView* lossChart() const { return m_loss; }
    ChartView* accuracyChart() const { return m_accuracy; }
    QTableView* table() const { return m_table; }
    Segments* tables() const { return m_tables; }
    QLabel* headline() const;
    /// Starts what the form says.
    void start();

private:
    void arrange() override;
    void compareCheckpoint();
    void takeDemo(const QString& folder);
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
    bool showsDistillation() const;
    void fitColumns();

    TrainSession& m_session;
    CellTable* m_distillation;
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
};

}
