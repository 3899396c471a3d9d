// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/result_database.h"

/// Inside core/store only: answers as they were stored.
namespace attnscope {

/// The answer in a row that holds rank, answer, probability and rest from column `first` on. Throws StoreError when it is damaged.
SamplePrediction readPredictionColumns(StoreConnection& connection, SQLite::Statement& row, int first);

/// A batch as it was added, without its seconds.
FinishedBatch readBatch(StoreConnection& connection, const EvaluationRow& evaluation,
                        const std::vector<std::int64_t>& runs, std::int64_t number);

}  // namespace attnscope
