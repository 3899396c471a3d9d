#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/lab/neighbours/neighbour_report.h"

namespace attnscope {

/// What a search found, with stable keys.
Json toJson(const NeighbourReport& report);

/// Accuracy versus λ, one line for each k, with 95 % intervals.
Chart mixChart(const NeighbourAccuracy& accuracy);

}
