// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/resample_axis.h"

#include <cstdint>

namespace attnscope {

/// 8-bit RGB rows in a buffer owned by somebody else.
template <typename Byte>
struct RgbView {
    Byte* pixels = nullptr;
    std::int64_t rowBytes = 0;
};

struct ResampleWindow {
    AxisWindow horizontal;
    AxisWindow vertical;
    ResizeFilter filter = ResizeFilter::Bicubic;
};

/// The window (horizontal.count × vertical.count) of a resize, equal to cutting it out of Pillow's whole result: horizontal pass first,
/// each pass rounded and clipped to 8 bits. Only the inputs that the window needs are read; memory in addition to the output is 3 ·
/// horizontal.count bytes for each input row read. The result does not depend on `threads` (≥ 1).
void resample(RgbView<const std::uint8_t> in, const ResampleWindow& window, RgbView<std::uint8_t> out, int threads);

/// The number of threads that such a window justifies: 1 below two million input pixels, then at most 4.
int resampleThreads(const ResampleWindow& window);

}  // namespace attnscope
