// SPDX-License-Identifier: Apache-2.0
#include "core/report/published_accuracy.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr std::string_view lara = "Zheng et al., ICML 2022 (LARA)";
constexpr std::string_view tiny = "deit_tiny_patch16_224", small = "deit_small_patch16_224";

/// Tables 1, 2, 5, 7 and 8 of the paper; by model.
constexpr std::array<PublishedAccuracy, 21> all{{{tiny, "softmax", "softmax", 0.7220, lara},
                                                 {tiny, "performer", "performer", 0.6592, lara},
                                                 {tiny, "lara", "lara, 49 samples", 0.7148, lara},
                                                 {tiny, "ra", "ra, unbiased", 0.7186, lara},
                                                 {tiny, "ra", "ra, biased", 0.7298, lara},
                                                 {small, "softmax", "softmax", 0.7990, lara},
                                                 {small, "performer", "performer, 49 samples", 0.7363, lara},
                                                 {small, "performer", "performer, 196 samples", 0.7444, lara},
                                                 {small, "lara", "lara, 49 samples", 0.7948, lara},
                                                 {small, "lara", "lara, 196 samples", 0.8057, lara},
                                                 {small, "ra", "ra, unbiased", 0.8004, lara},
                                                 {small, "ra", "ra, biased", 0.8049, lara},
                                                 {small, "linformer", "linformer", 0.7600, lara},
                                                 {small, "nystrom", "nystromformer", 0.7930, lara},
                                                 {small, "sra", "sra (convolutional)", 0.7440, lara},
                                                 {"pvt_v2_b1", "sra", "sra", 0.787, lara},
                                                 {"pvt_v2_b1", "performer", "performer", 0.773, lara},
                                                 {"pvt_v2_b1", "lara", "lara", 0.796, lara},
                                                 {"pvt_v2_b2", "sra", "sra", 0.821, lara},
                                                 {"pvt_v2_b2", "performer", "performer", 0.810, lara},
                                                 {"pvt_v2_b2", "lara", "lara", 0.826, lara}}};

}  // namespace

std::span<const PublishedAccuracy> publishedAccuracies(std::string_view model)
{
    const auto begin = std::find_if(all.begin(), all.end(),
                                    [&](const auto& entry) { return entry.model == model; });
    const auto end = std::find_if(begin, all.end(), [&](const auto& entry) { return entry.model != model; });
    return {begin, end};
}

}  // namespace attnscope
