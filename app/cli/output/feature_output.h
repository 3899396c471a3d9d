#pragma once

#include "core/base/json.h"
#include "core/evaluate/feature_report.h"
#include "core/store/result_store.h"

#include <string>

namespace attnscope::cli {

/// Every attention's accuracy by nearest neighbours and linear probe.
std::string featureTables(const ResultStore& store, const FeatureReport& report);

/// Adds `features` to what evaluationJson makes, and to each of its runs `knn` and `probe`.
void addFeatures(Json& evaluation, const ResultStore& store, const FeatureReport& report);

}
