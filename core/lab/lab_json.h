// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/lab/approximate.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"

#include <cmath>

/// What the instruments found, as JSON with stable keys (docs/laboratory.md).
namespace attnscope {

Json toJson(const ApproximateReport& report);
Json toJson(const ScaleReport& report);
Json toJson(const LayerInspection& inspection);
Json toJson(const PlanReport& report);

/// JSON has no NaN and no infinity: null.
inline Json finiteOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

inline Json errorValueJson(const ErrorValue& figure)
{
    return {{"mse", finiteOrNull(figure.mse)},
            {"mse_sd", finiteOrNull(figure.mseStddev)},
            {"relative", finiteOrNull(figure.relative)},
            {"relative_sd", finiteOrNull(figure.relativeStddev)}};
}

inline Json numbersJson(const std::vector<double>& values)
{
    Json list = Json::array();
    for (const double value : values)
        list.push_back(finiteOrNull(value));
    return list;
}

inline Json unreadableJson(const std::vector<UnreadableInput>& unreadable)
{
    Json list = Json::array();
    for (const UnreadableInput& input : unreadable)
        list.push_back({{"path", input.path}, {"reason", input.reason}});
    return list;
}

}  // namespace attnscope
