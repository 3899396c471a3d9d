// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/result_store.h"
#include "core/store/store_connection.h"

#include <chrono>

/// Inside core/store only.
namespace attnscope {

/// What a ResultStore is made of.
class ResultStore::Database : public StoreConnection {
public:
    Database(const std::filesystem::path& file, const ConnectionOptions& options)
        : StoreConnection(file, options)
    {}

    std::string owner;                             ///< this connection's mark
    std::optional<std::int64_t> owned;             ///< the evaluation that it works on
    std::chrono::steady_clock::time_point worked;  ///< since when its work is not yet counted
};

/// Where an evaluation's samples are, and what they must keep to.
struct EvaluationRow {
    std::int64_t id = 0, dataSet = 0;
    std::string owner;
    std::int64_t heartbeat = 0, state = 0, samples = 0, done = 0;
    EvaluationSettings settings;
    std::string dataRoot;
};

/// Throws StoreError when there is none.
EvaluationRow evaluationRow(StoreConnection& connection, std::int64_t id);
/// Of a data set's row.
FolderLayout layoutOf(StoreConnection& connection, std::int64_t dataSet);
std::vector<std::int64_t> runIds(StoreConnection& connection, std::int64_t evaluation);

/// The set's row, made where it is not yet.
std::int64_t keepDataSet(StoreConnection& connection, const LabelledSet& data);

/// One batch with all its counts, inside the caller's transaction. Throws StoreError when it does not belong to the evaluation or is there.
void insertBatch(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch);

/// SHA-256 over everything of a batch but its seconds: equal batches have equal ones.
std::string batchDigest(const FinishedBatch& batch);

/// A new row of `evaluation` and its `run`s. `whole`: made by merge, of shards.
struct NewEvaluation {
    std::string uid;
    std::int64_t dataSet = 0, samples = 0, shards = 1;
    std::string identity, wholeIdentity, dataRoot;
    EvaluationSettings settings;
    std::vector<StoredRun> runs;
};
std::int64_t insertEvaluation(StoreConnection& connection, const NewEvaluation& made);
/// In the order in which they were asked for.
std::vector<StoredRun> readRuns(StoreConnection& connection, std::int64_t evaluation);
void insertPart(StoreConnection& connection, std::int64_t evaluation, const std::string& uid,
                const EvaluationSettings& settings);

/// SHA-256 of the identity of facts, data and attentions.
std::string identityHash(const EvaluationSettings& settings, const std::string& dataHash, const std::string& classHash,
                         const std::vector<StoredRun>& runs, bool withShard);
/// The same facts with draws by the other rule: by content, or by place in the list.
EvaluationSettings drawnOtherwise(EvaluationSettings settings);

}  // namespace attnscope
