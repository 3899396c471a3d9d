#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/lab/exits/exits.h"

/// Early exits as JSON (docs/exits.md), as figures and as tables. Independent of torch.
namespace attnscope {

Json toJson(const ExitReport& report);

/// What it comes to: "softmax: threshold 0.85 runs 3.9 of 6 blocks, 92.00 % top-1 instead of 93.20 %"; and how it was measured.
Text verdict(const ExitReport& report);
Text conditions(const ExitReport& report);
/// A row for each setting of a rule, and for every attention its accuracy, blocks and multiply-adds. `rule`: a member of AttentionExits.
Table exitTable(const ExitReport& report, std::vector<ExitPoint> AttentionExits::*rule);

/// Top-1 accuracy against the mean number of blocks run, of every attention: under a confidence threshold, and of a fixed depth.
Chart exitChart(const ExitReport& report);
/// The same of the oracles, which know the label, next to the confidence threshold.
Chart oracleChart(const ExitReport& report);
/// Thresholds of every attention × blocks: the fraction of samples that leave behind each block.
HeatMap exitMap(const ExitReport& report);

}
