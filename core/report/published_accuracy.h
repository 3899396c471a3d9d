// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace attnscope {

/// A top-1 accuracy that somebody else measured, on the whole ImageNet-1k validation set.
struct PublishedAccuracy {
    std::string_view model, backend, setting;
    double top1 = 0;
    std::string_view source;
};

/// Of `model`; empty where nothing is known.
std::span<const PublishedAccuracy> publishedAccuracies(std::string_view model);

}  // namespace attnscope
