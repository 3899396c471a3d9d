#pragma once

#include "ui/batch/evaluation_setup.h"
#include "ui/widgets/cell_table.h"
#include "ui/workspace/accuracy_text.h"

#include <functional>
#include <optional>
#include <vector>

namespace attnscope::ui {

enum class QueueState {
    Checking,  ///< the folder is looked into
    Refused,   ///< it cannot be evaluated
    Ready,     ///< looked into, not asked for yet
    Waiting,   ///< its turn comes
    Loading,   ///< begun, before the first batch
    Running,
    Resting,  ///< between two batches, while something is measured
    NoSpace,  ///< the disk is full; goes on when asked to
    Pausing,  ///< stops after the batch under way
    Paused,
    Finished,
    Failed,  ///< ended by an error; what was stored stays
};

/// One evaluation of the queue: several attentions that see the same samples.
struct QueuedEvaluation {
    quint64 id = 0;
    EvaluationSetup plan;
    QueueState state = QueueState::Checking;
    std::shared_ptr<const EvaluationCheck> check;
    EvaluationProgress progress;
    quint64 checkNumber = 0;                 ///< of the look into the folder that counts: the last one asked for
    int64_t inStore = 0;                     ///< its number in the store; 0: it has no place there yet
    std::optional<StoredEvaluation> stored;  ///< what the store says of it
    QString sentence;                        ///< of Refused, Failed, NoSpace
    bool follows = false;  ///< takes over what the bar and the Backends dock say, until it is begun

    bool isActive() const { return state >= QueueState::Loading && state <= QueueState::Pausing; }
    bool isBegun() const { return inStore != 0 || isActive(); }
    bool canGoOn() const { return state == QueueState::Paused || state == QueueState::Failed; }
    int64_t total() const;
    int64_t done() const;
    /// Their numbers in the store, network by network.
    std::vector<int64_t> evaluations() const
    {
        return progress.evaluations.size() > 1 ? progress.evaluations : std::vector{inStore};
    }
    bool isVideo() const { return check && check->data && check->data->video; }
    /// Crops are kept of images that a head classifies alone.
    bool keepsCrops() const { return !isVideo() && !plan.features; }
    /// The folder's name; of "…/imagenet/val" both parts.
    QString title() const;
};

/// The queue as a table: a row for each attention of each evaluation, in the order in which they run.
class QueueModel : public CellModel {
    Q_OBJECT
public:
    enum Column { RunColumn, ProgressColumn, Top1Column, Top5Column, UnreadableColumn, TimeColumn };
    enum Role {
        EvaluationRole = FirstFreeRole,
        AttentionRole,  ///< which of its attentions
        StateRole,
        NameRole,
        SamplesRole,
        ReferenceRole,     ///< the first attention of an evaluation
        SecondLineRole,    ///< "swapped · imagenet-val", of several networks behind the name of its own
        PartRole,          ///< 0 … 1
        ValueRole,         ///< "79.82"
        IntervalTextRole,  ///< "[79.47, 80.17]"
        IntervalRole,      ///< on a scale that all rows of an evaluation share
        DeltaRole,
        NoteRole,  ///< stands instead of figures
    };

    explicit QueueModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    const std::vector<QueuedEvaluation>& evaluations() const { return m_queue; }
    const QueuedEvaluation* find(quint64 id) const;
    void add(const QueuedEvaluation& evaluation);
    void remove(quint64 id);
    /// By `steps` places towards the end. False where it stays.
    bool move(quint64 id, int steps);
    /// Changes it and tells the views; the number of its attentions may change, too.
    void change(quint64 id, const std::function<void(QueuedEvaluation&)>& change);
    int rowOf(quint64 id, int attention = 0) const;

protected:
    Cell cell(int row, int column) const override;
    QString rowName(int row) const override;

private:
    struct Place {
        const QueuedEvaluation* evaluation = nullptr;
        size_t attention = 0;
        /// Null before it has begun.
        const RunProgress* run() const;
    };
    Place placeOf(int row) const;
    QString text(const Place& place, int column) const;
    /// Stands instead of its figures; empty: there are some.
    QString note(const Place& place) const;
    QVariant interval(const Place& place) const;
    static QString intervalOf(const Place& place);  ///< "[79.47, 80.17]", before the end "so far"
    QString timeText(const Place& place) const;

    std::vector<QueuedEvaluation> m_queue;
};

}
