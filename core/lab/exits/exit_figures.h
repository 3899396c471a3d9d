#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/lab/exits/exits.h"

/// Early exits as JSON (docs/exits.md) and as figures. Independent of torch.
namespace attnscope {

Json toJson(const ExitReport& report);

/// Top-1 accuracy against the mean number of blocks run, of every attention: under a confidence threshold, and of a fixed depth.
Chart exitChart(const ExitReport& report);
/// The same of the oracles, which know the label, next to the confidence threshold.
Chart oracleChart(const ExitReport& report);
/// Thresholds of every attention × blocks: the fraction of samples that leave behind each block.
HeatMap exitMap(const ExitReport& report);

}
