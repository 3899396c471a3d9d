#pragma once

#include "core/report/report.h"

#include <filesystem>

namespace attnscope {

/// What a file of predictions holds.
struct PredictionCounts {
    int64_t runs = 0, predictions = 0;
};

/// Every sample's prediction by the runs that `options` select, as the name of `out` says (docs/results.md): .csv with a line for each, .json
/// with an object for each, or .npz with arrays (run, sample), which only runs on the same data have. Throws UsageError, FileError.
PredictionCounts writePredictions(const ResultStore& store, const ReportOptions& options,
                                  const std::filesystem::path& out);

/// Throws UsageError unless the name is that of such a file.
void checkPredictionsName(const std::filesystem::path& out);

}
