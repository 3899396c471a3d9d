#pragma once

#include "core/store/result_store.h"
#include "core/store/store_connection.h"

#include <chrono>

/// Internal to core/store.
namespace attnscope {

/// The implementation of a ResultStore.
class ResultStore::Database : public StoreConnection {
public:
    Database(const std::filesystem::path& file, const ConnectionOptions& options)
        : StoreConnection(file, options)
    {}

    std::string owner;                             ///< this connection's mark
    std::optional<int64_t> owned;                  ///< the evaluation that it owns
    std::chrono::steady_clock::time_point worked;  ///< time since when its work has not been added up
};

/// The location of an evaluation's samples, and the constraints on them.
struct EvaluationRow {
    int64_t id = 0, dataSet = 0;
    std::string owner;
    int64_t heartbeat = 0, state = 0, samples = 0, done = 0;
    EvaluationSettings settings;
    std::string dataRoot;
};

/// A stored number as an enumerator from 0 to `last`; any other number is `otherwise`.
template <class Enum>
Enum readEnum(int64_t value, Enum last, Enum otherwise)
{
    return value >= 0 && value <= int64_t(last) ? static_cast<Enum>(value) : otherwise;
}

/// Throws StoreError if there is none.
EvaluationRow evaluationRow(StoreConnection& connection, int64_t id);
/// Layout of a data set's row.
FolderLayout layoutOf(StoreConnection& connection, int64_t dataSet);
std::vector<int64_t> runIds(StoreConnection& connection, int64_t evaluation);

/// The set's row, inserted if necessary.
int64_t keepDataSet(StoreConnection& connection, const LabelledSet& data);

/// Inserts one batch with all its counts, within the caller's transaction. Throws StoreError if it does not belong to the evaluation or
/// already exists.
void insertBatch(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch);

/// SHA-256 over everything in a batch except its seconds: equal batches have equal digests.
std::string batchDigest(const FinishedBatch& batch);

/// A new row of `evaluation` and its `run`s. `whole`: created by merging shards.
struct NewEvaluation {
    std::string uid;
    int64_t dataSet = 0, samples = 0, shards = 1;
    std::string identity, wholeIdentity, dataRoot;
    EvaluationSettings settings;
    std::vector<StoredRun> runs;
};
int64_t insertEvaluation(StoreConnection& connection, const NewEvaluation& made);
/// In the order in which they were requested.
std::vector<StoredRun> readRuns(StoreConnection& connection, int64_t evaluation);
void insertPart(StoreConnection& connection, int64_t evaluation, const std::string& uid,
                const EvaluationSettings& settings);

/// SHA-256 of the identity of settings, data and attentions.
std::string identityHash(const EvaluationSettings& settings, const std::string& dataHash,
                         const std::string& classHash, const std::vector<StoredRun>& runs, bool withShard);
/// The same settings with random numbers by the other rule: by content, or by position in the list.
EvaluationSettings drawnOtherwise(EvaluationSettings settings);

}
