// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/result_row.h"

#include <QStringList>

#include <vector>

namespace attnscope::ui {

/// What accuracy depends on besides the network: samples, crop, views, limit. Runs are only compared where it is the same.
QString sampleConditions(const ResultRow& row);
/// What time and memory depend on, too: device and threads.
QString costConditions(const ResultRow& row);

/// Names that tell runs apart: the attention, the data set if there are several, and of the other settings those that are needed.
QStringList runNames(const std::vector<ResultRow>& rows);

}  // namespace attnscope::ui
