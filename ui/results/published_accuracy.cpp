// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/published_accuracy.h"

#include <map>
#include <string>
#include <utility>

namespace attnscope::ui {

std::optional<double> publishedTop1(const ResultRow& row)
{
    static const std::map<std::pair<std::string, std::string>, double> table{
        {{"deit_tiny_patch16_224", "softmax"}, 72.20},    {{"deit_tiny_patch16_224", "ra"}, 71.86},
        {{"deit_tiny_patch16_224", "lara"}, 71.48},       {{"deit_tiny_patch16_224", "performer"}, 65.92},
        {{"deit_small_patch16_224", "softmax"}, 79.90},   {{"deit_small_patch16_224", "ra"}, 80.04},
        {{"deit_small_patch16_224", "lara"}, 79.48},      {{"deit_small_patch16_224", "performer"}, 74.29},
        {{"pvt_v2_b1", "sra"}, 78.7},                     {{"pvt_v2_b2", "sra"}, 82.1},
        {{"pvt_v2_b3", "sra"}, 83.3},                     {{"pvt_v2_b4", "sra"}, 83.6},
        {{"pvt_v2_b1_performer", "performer"}, 77.3},     {{"pvt_v2_b2_performer", "performer"}, 81.0},
        {{"pvt_v2_b3_performer", "performer"}, 82.4},     {{"pvt_v2_b4_performer", "performer"}, 82.7},
        {{"pvt_v2_b1_lara", "lara"}, 79.6},               {{"pvt_v2_b2_lara", "lara"}, 82.6},
        {{"pvt_v2_b3_lara", "lara"}, 83.6},               {{"pvt_v2_b4_lara", "lara"}, 84.0},
    };
    if (row.stored().weights != WeightsKind::Trained)
        return std::nullopt;
    const auto found = table.find({row.evaluation->settings.model, row.stored().backend});
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace attnscope::ui
