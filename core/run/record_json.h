#pragma once

#include "core/run/record_fields.h"
#include "core/run/run_record.h"

namespace attnscope {

/// The documented JSON of `classify` and `compare`. Non-finite numbers become null.
Json toJson(const RunReport& report);
Json toJson(const RunRecord& record);
/// Adds `tokens` and `weights_dtype` to a JSON with a canonical specification that has them.
void addPartsOfNetwork(const std::string& attention, Json& json);
Json toJson(const MergedTokens& merged);
Json toJson(const std::vector<UnreadableInput>& unreadable);

/// Of an error without its layers: the figure, and how it came about.
Json summaryJson(const ApproximationError& error);
/// The errors of predicting the mean of the values, and of predicting zero, for every query.
void addBaselines(const ErrorValue& meanOfValues, double zeroMse, Json& json);

}
