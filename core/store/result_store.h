#pragma once

#include "core/base/error.h"
#include "core/measure/calibration.h"
#include "core/store/store_records.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attnscope {

/// A results store can't be opened, read or written, or rejects what it is asked to store.
class StoreError : public FileError {
    using FileError::FileError;
};

/// The disk is full. Nothing is lost: what was stored stays stored, and the same call may be retried after making space.
class NoSpace : public StoreError {
    using StoreError::StoreError;
};

/// Another process is running the evaluation that was to be resumed, or has taken it over.
class OwnedElsewhere : public StoreError {
    using StoreError::StoreError;
};

/// Which samples of a pair of runs a gallery shows.
enum class Flips { RightToWrong, WrongToRight, BothWrong, Different };

/// Without a reference: the run's mistakes, or all its predictions.
enum class PredictionsShown { Mistakes, All };

struct SampleQuery {
    int64_t run = 0;                    ///< whose mistakes; or the second of a pair
    std::optional<int64_t> reference;   ///< the first of a pair
    Flips flips = Flips::RightToWrong;  ///< from reference to run; without a reference: the run's mistakes
    PredictionsShown predictions = PredictionsShown::Mistakes;
    std::optional<int64_t> label, prediction;  ///< of the sample; of `run`
    int64_t offset = 0, count = 100;  ///< a page; ordered by descending probability of the run's first class
};

/// The single file that stores evaluations: SQLite, WAL, synchronous FULL, one transaction per batch. Several programs may read while one
/// writes. Independent of torch and Qt. Not shared between threads: each opens its own. All functions throw StoreError (a FileError) with
/// one sentence; NoSpace, a StoreError, if the disk is full: nothing is lost, and the same call may be retried after making space.
class ResultStore {
public:
    enum class Mode { Read, Write };

    /// Opens a store. Write creates it if necessary, migrates older ones in a transaction (keeping FILE.backup-vN), and rejects newer ones;
    /// Read never changes the file, and does not trust it (trusted_schema off, defensive, quick_check of foreign files).
    ResultStore(const std::filesystem::path& file, Mode mode);
    ~ResultStore();
    ResultStore(ResultStore&&) noexcept;
    ResultStore& operator=(ResultStore&&) noexcept;

    // Writing: one evaluation at a time, by the process that owns it.

    /// A new evaluation with its data set (stored once, by its hash), or, if `resume` is set, the latest with the same settings, data and
    /// attentions: an unfinished one, else a finished one, which is returned unchanged. Takes ownership: if a live process has it (pid, its
    /// start time, a heartbeat younger than 30 s), throws OwnedElsewhere naming it. Threads, device, versions, paths and notes may differ
    /// between the parts of a resumed evaluation; everything else is identity. Without `resume` a matching unfinished evaluation is left
    /// unchanged and a new one is created.
    int64_t begin(const EvaluationSettings& settings, const LabelledSet& data, const std::vector<StoredRun>& runs,
                  bool resume);
    /// Throws UsageError if there is nothing to resume but an evaluation of the same model and files or folder that differs in an option, so that
    /// a night's work does not begin again unnoticed; not for another part of the same shards, or if it is finished and has other weights or
    /// none of the attentions.
    void requireNothingSimilar(const EvaluationSettings& settings, const LabelledSet& data,
                               const std::vector<StoredRun>& runs) const;
    /// Stored batches of `evaluation`, ascending.
    std::vector<int64_t> finishedBatches(int64_t evaluation) const;
    /// Throws OwnedElsewhere if another process took over the evaluation, StoreError for a batch that already exists or does not fit.
    void add(int64_t evaluation, const FinishedBatch& batch);
    /// Latency, memory, error, empty rows, failure, notes.
    void setMeasurements(int64_t run, const StoredRun& measured);
    /// Any state but Running releases ownership. Finished throws StoreError while samples are missing. The destructor sets Interrupted.
    void setState(int64_t evaluation, EvaluationState state);
    void heartbeat(int64_t evaluation);  ///< add() sends one, too; throws OwnedElsewhere
    void setNote(int64_t evaluation, const std::string& note);
    /// Moves it to the trash, or back; emptyTrash deletes permanently.
    void setHidden(int64_t evaluation, bool hidden);
    void emptyTrash();

    /// Adds the evaluations of another store; shards of one evaluation are merged into one and must not overlap. Merging the same store
    /// twice changes nothing. Throws StoreError if parts contradict each other.
    void merge(const std::filesystem::path& part);

    /// Adds a training, or with `resume` finds the newest one that writes the same checkpoint; then its epochs as they end (existing ones
    /// are replaced).
    int64_t beginTraining(const StoredTraining& training, bool resume);
    void addEpoch(int64_t training, const StoredEpoch& epoch);

    // Reading.

    std::vector<StoredTraining> trainings() const;

    std::vector<StoredEvaluation> evaluations(bool hidden = false) const;
    StoredEvaluation evaluation(int64_t id) const;
    std::vector<EvaluationPart> parts(int64_t evaluation) const;  ///< in their order
    std::vector<std::string> classes(int64_t evaluation) const;   ///< of the data set
    Accuracy accuracy(int64_t run) const;
    /// Samples without a prediction, because a logit was not finite; they count as wrong.
    int64_t notFinite(int64_t run) const;
    /// Of all predictions, which are read for it.
    Calibration calibration(int64_t run) const;
    std::vector<ClassAccuracy> classAccuracies(int64_t run) const;
    /// Off the diagonal, by descending count.
    std::vector<Confusion> worstConfusions(int64_t run, int64_t count) const;
    RunPair pair(int64_t a, int64_t b) const;  ///< throws StoreError if their data differ
    /// All pairs (first with second, first with third, …) of runs on the same files with labels of the same number or name, reading each run
    /// once. Classes of networks may be in another order.
    std::vector<RunPair> pairs(const std::vector<int64_t>& runs) const;
    /// With predictions of the reference, if any, then of the run.
    std::vector<StoredSample> samples(const SampleQuery& query) const;
    int64_t sampleCount(const SampleQuery& query) const;
    /// All samples with the run's prediction, in the data set's order.
    void eachPrediction(int64_t run, const std::function<void(const StoredSample&)>& each) const;
    /// The logits of a run that keeps them, by samples in the data set's order; nothing if it does not.
    void eachLogits(int64_t run,
                    const std::function<void(int64_t sample, const std::vector<float>& logits)>& each) const;
    /// Count −1: all.
    std::vector<UnreadableSample> unreadable(int64_t evaluation, int64_t offset, int64_t count) const;
    /// Readable samples of which not all could be used, and why; none in stores of versions before 4.
    std::vector<UnreadableSample> partial(int64_t evaluation) const;

private:
    class Database;
    std::vector<UnreadableSample> remarksOn(const char* table, int64_t evaluation, int64_t offset,
                                            int64_t count) const;

    std::unique_ptr<Database> m_database;
};

}
