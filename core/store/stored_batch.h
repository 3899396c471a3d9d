#pragma once

#include "core/store/result_database.h"

/// Internal to core/store: predictions as stored.
namespace attnscope {

/// The prediction in a row that contains rank, class, probability and rest from column `first` on. Throws StoreError if it is damaged.
SamplePrediction readPredictionColumns(StoreConnection& connection, SQLite::Statement& row, int first);

std::vector<float> readLogitsColumn(StoreConnection& connection, SQLite::Statement& row, int column);

/// A batch as it was added, without its seconds.
FinishedBatch readBatch(StoreConnection& connection, const EvaluationRow& evaluation,
                        const std::vector<int64_t>& runs, int64_t number);

}
