// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/published_accuracy.h"

#include "core/report/published_accuracy.h"

namespace attnscope::ui {

std::optional<double> publishedTop1(const ResultRow& row)
{
    return row.stored().weights == WeightsKind::Trained ? publishedPercent(row.evaluation->settings.model, row.stored().backend) : std::nullopt;
}

}  // namespace attnscope::ui
