// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/result_row.h"

#include <optional>

namespace attnscope::ui {

/// Top-1 in % on ImageNet-1k's validation set as the LARA paper prints it (Zheng, Wang, Kong, ICML 2022, tables 1 and 2), of the same
/// network trained with the same attention; RA with one sample, LARA and Performer with as many as there. Nothing for swapped weights,
/// which the paper does not measure.
std::optional<double> publishedTop1(const ResultRow& row);

}  // namespace attnscope::ui
