#pragma once

#include "ui/engine/compare_types.h"
#include "ui/style/cell_values.h"
#include "ui/widgets/cell_table.h"

#include "core/live/timeline.h"

#include <memory>
#include <vector>

namespace attnscope::ui {

/// What the Live screen shows: a row per backend with its predictions over time, and the figures of the clips so far.
class LiveRowsModel : public CellModel {
    Q_OBJECT
public:
    enum Column { Backend, Track, LatencyColumn, RateColumn, MemoryColumn, AgreementColumn };
    enum Role { NameRole = FirstFreeRole, SamplesRole, ReferenceRole, FailureRole };

    explicit LiveRowsModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    void setRows(const std::vector<ColumnSpec>& columns);
    /// Another source or model: the predictions go.
    void clear();
    void setGrid(const ClipGrid& grid) { m_grid = grid; }
    void take(const LivePrediction& prediction);
    /// What was predicted before, of the same source.
    void setTimeline(const Timeline& timeline);
    /// Why the newest prediction is not of the frame that is shown; empty: it is.
    void setElsewhere(const QString& sentence);

    const Timeline& timeline() const { return m_timeline; }
    const ClipGrid& grid() const { return m_grid; }
    double secondsOf(int64_t tick) const { return double(tick) * m_grid.period; }

    /// A stretch of a row on the time axis.
    struct Stretch {
        double begin = 0, end = 0;  ///< seconds
        QString name;
        bool differs = false;  ///< from the reference, which predicts something else at its beginning
    };
    const std::vector<Stretch>& stretches(int row) const { return m_rows[size_t(row)].stretches; }
    /// Where the row begins to disagree with the reference, in seconds.
    const std::vector<double>& differences(int row) const { return m_rows[size_t(row)].differences; }

    /// Where any row begins to disagree, next after (or last before) a moment; below 0: nowhere.
    double nextDifference(double seconds) const;
    double previousDifference(double seconds) const;

    const ColumnSpec& column(int row) const { return m_rows[size_t(row)].column; }
    /// What a row says now: its newest prediction, or nothing where that is of another place.
    PredictionCell now(int row) const;
    QString failure(int row) const { return m_rows[size_t(row)].failure; }
    bool isPredicted() const { return last() != nullptr; }
    bool namesHidden() const;
    /// Of the frame that is shown; null: there is none.
    const LivePrediction* last() const { return m_elsewhere.isEmpty() ? m_last.get() : nullptr; }
    /// Wherever it is.
    const LivePrediction* newest() const { return m_last.get(); }
    /// What is said in the place of a prediction that is not there.
    QString waiting() const;
    /// One sentence on who says what now, and a second line on how often they agree.
    QString headline() const;
    QString detail() const;

signals:
    /// Something to see changed; at most once for each prediction.
    void predictionsChanged();

protected:
    Cell cell(int row, int column) const override;

private:
    struct Row {
        ColumnSpec column;
        const BackendPrediction* outcome = nullptr;  // within m_last
        std::vector<double> latencies;               // of the last clips, a ring
        size_t next = 0;
        int64_t peakBytes = 0;
        QString failure;
        std::vector<Stretch> stretches;
        std::vector<double> differences;
    };

    QString nameOf(const Prediction& prediction) const;
    QString className(int64_t index) const;
    QString figure(const Row& row, int number, int column) const;
    double medianMs(const Row& row) const;
    int referenceRow() const;
    void rebuild(int row);
    void takePrediction(Row& row, const BackendPrediction& outcome);

    std::vector<Row> m_rows;
    Timeline m_timeline;
    ClipGrid m_grid;
    std::shared_ptr<const LivePrediction> m_last;
    QString m_elsewhere;
    std::vector<double> m_differences;  // of all rows, ascending
};

}
