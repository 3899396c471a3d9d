#pragma once

#include "core/lab/exits/exits.h"
#include "ui/widgets/cell_table.h"

#include <QString>

namespace attnscope::ui {

/// What it comes to: "softmax: threshold 0.85 runs 3.9 of 6 blocks, 92.0 % instead of 93.2 %".
QString exitsHeadline(const ExitReport& report);
/// How it was measured.
QString exitsDetail(const ExitReport& report);
/// A row for each threshold, and for every attention its accuracy, blocks and multiply-adds.
TableContents exitsTable(const ExitReport& report);

}
