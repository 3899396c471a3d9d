#pragma once

#include "ui/compare/table/record_figures.h"
#include "ui/compare/table/saved_comparison.h"
#include "ui/engine/compare_types.h"
#include "ui/style/cell_values.h"

#include "core/run/features/feature_agreement.h"

#include <QAbstractTableModel>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace attnscope::ui {

/// The comparison of one input: a row per measurement, a column per backend. Fed with records as they come; holds the figures
/// of all inputs and shows those of the current one. What was measured under another specification or context stays, as stale.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        ValueRole = Qt::UserRole + 1,  ///< QString "62.1"
        UnitRole,                      ///< QString "ms", or "± 0.02" for a spread over seeds
        RawRole,                       ///< double, for sorting and charts
        IntervalRole,                  ///< Interval, invalid when there is none
        DeltaRole,                     ///< Delta
        StateRole,                     ///< int of CellState
        NoteRole,                      ///< QString: why a cell waits, what failed, "exact"
        DetailRole,                    ///< QString: the whole sentence of a failure
        ProgressRole,                  ///< QPoint (done, total)
        StaleRole,        ///< QString "made with …", empty while the figure belongs to the present settings
        PredictionsRole,  ///< PredictionCell of predictions or features
        // of columns, also given by headerData
        NameRole,       ///< QString "lara"
        SamplesRole,    ///< QString "49"
        BackendRole,    ///< QString: colour and mark go by it
        ReferenceRole,  ///< bool
        WeightsRole,    ///< QString "swapped"
        NetworkRole,    ///< QString "deit_lara"; empty while there is one network
        SpecRole,       ///< QString canonical specification
        IdRole,         ///< int ColumnSpec::id
    };

    explicit RunTableModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    // What is wanted
    void setColumns(const std::vector<ColumnSpec>& columns);
    void setContext(const RunContext& context);
    void setEffort(const RunEffort& effort);
    void setInputs(const std::vector<InputEntry>& inputs);
    void setCurrentInput(int input);
    void setShownPredictions(int count);
    /// Which of predictions and features the first row holds.
    void setSubject(Subject subject);
    Subject subject() const { return m_subject; }
    Row rowAt(int index) const;

    // What comes back. `input` and `run` count as in the request that beginRun announced.
    void beginRun(const std::vector<int>& columnIds, const std::vector<int>& inputs);
    void takeInput(size_t input, const InputRecord& record);
    void takeRun(size_t input, size_t run, RunStage stage, std::shared_ptr<const RunRecord> record);
    /// More views of a video, before its prediction is done.
    void takeView(size_t input, size_t run, std::shared_ptr<const RunRecord> record);
    void takeProgress(size_t input, size_t run, RunStage stage, const Progress& progress);
    void takeUnreadable(const QString& path, const QString& reason);
    void endRun();
    struct Work {
        double done = 0, total = 0;
    };
    /// How far the run is.
    Work work() const;
    /// What the features of all inputs come to, once they are measured.
    void takeAgreement(std::vector<FeatureAgreement> agreement);

    /// Results of the inputs that have files, for another start.
    std::vector<SavedInput> saved() const;
    /// Those results of the present inputs and columns; others keep what they have.
    void restore(const std::vector<SavedInput>& inputs);

    // Order of columns
    void sortByRow(Row row, Qt::SortOrder order);
    void moveColumn(int from, int to);
    void setReferencePinned(bool pinned);
    bool referencePinned() const { return m_pinned; }
    std::optional<Row> sortedRow() const { return m_sorted; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    const std::vector<InputEntry>& inputs() const { return m_inputs; }
    int currentInput() const { return m_current; }
    bool isRunning() const { return m_running; }
    /// Other inputs and another run have another one.
    int runNumber() const { return m_runNumber; }
    bool isUnreadable(int input) const;
    /// The record shown in a column, or null.
    std::shared_ptr<const RunRecord> record(int column) const { return recordOf(m_current, column); }
    std::shared_ptr<const RunRecord> recordOf(int input, int column) const;
    /// "made with …" of any of its figures; empty: all belong to the present settings.
    QString madeWithOf(int input, int column) const;
    const ColumnSpec& column(int column) const { return m_columns[size_t(column)]; }
    int referenceColumn() const;
    /// Of the shown input, whether anything came of it, and whether that has features.
    bool anyRecord() const;
    bool anyFeatures() const;
    /// Columns that have no figures for the present settings, or none at all.
    bool needsRun() const;
    CellState state(Row row, int column) const;
    InputRecord inputRecord(int input) const;
    /// The inputs with the features that the present columns have of them, and nothing else.
    std::vector<InputRecord> featureRecords() const;
    /// Of a column over all inputs; null: they are fewer than two, or not yet compared.
    const FeatureAgreement* agreementOf(int column) const;
    /// "lara 49"
    QString columnTitle(int column) const;

signals:
    void currentInputChanged(int input);
    void figuresChanged();

private:
    struct Result {
        std::shared_ptr<const RunRecord> record;
        std::array<CellState, 4> stages{};  // by RunStage
        std::array<Progress, 4> progress{};
        RunContext context;
        RunEffort effort;
        int run = 0;  ///< runNumber of the one that it is of
    };
    struct InputState {
        InputRecord record;
        QString unreadable;
        std::map<int, Result> results;  // by ColumnSpec::id
    };

    const Result* result(int column) const { return resultAt(m_current, m_columns[size_t(column)].id); }
    const Result* resultAt(int input, int id) const;
    QVariant columnData(int column, int role) const;
    QString networkText(int column) const;
    enum class Agreement { Whole, Short };
    QVariant predictions(int column) const;
    QVariant features(int column) const;
    QString neighbours(int column, Agreement words) const;
    QString agreement(int column, Agreement words) const;
    QVariant interval(Row row, int column) const;
    Delta delta(Row row, int column) const;
    QString note(Row row, int column) const;
    QString staleText(Row row, int column) const { return staleText(row, column, m_current); }
    QString staleText(Row row, int column, int input) const;
    void changedEverywhere();
    QString spokenText(Row row, int column) const;
    void changed(int column);
    void arrange();
    void reorder(const std::vector<ColumnSpec>& columns);

    std::vector<ColumnSpec> m_columns;
    RunContext m_context;
    RunEffort m_effort;
    std::vector<InputEntry> m_inputs;
    std::vector<InputState> m_states;
    int m_current = -1;
    int m_shown = 3;
    int m_runNumber = 0;
    Subject m_subject = Subject::Classes;
    std::vector<FeatureAgreement> m_agreement;
    bool m_running = false;
    bool m_pinned = true;
    bool m_moved = false;  ///< columns were dragged: their order is the user's, no longer the dock's
    std::optional<Row> m_sorted;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    RunEffort m_runEffort;
    std::vector<int> m_runColumns;
    std::vector<int> m_runInputs;
};

}
