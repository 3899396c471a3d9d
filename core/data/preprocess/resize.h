#pragma once

#include "core/data/preprocess/transform.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// One axis of a resize of which only outputs `first` … `first + count − 1` are needed.
struct AxisWindow {
    int64_t inSize = 0;
    int64_t outSize = 0;
    int64_t first = 0;
    int64_t count = 0;
};

/// Pillow's fixed-point weights for a window of an axis: output i is the sum over j < taps[i] of
/// weights[i·stride + j] · input[begin[i] + j], in units of 2^-22.
struct AxisWeights {
    static constexpr int fractionBits = 22;

    int64_t stride = 0;
    std::vector<int64_t> begin;
    std::vector<int64_t> taps;
    std::vector<int32_t> weights;

    const int32_t* row(int64_t i) const { return weights.data() + i * stride; }
    /// The inputs that any output of the window reads: [inputBegin, inputEnd).
    int64_t inputBegin() const { return begin.front(); }
    int64_t inputEnd() const { return begin.back() + taps.back(); }
};

/// Bicubic with a = −0.5 (support 2), triangle (1) or Lanczos (3), widened by inSize / outSize if that is above 1 (antialiasing), normalised in
/// double and rounded half away from zero; nearest takes one input. Bit-identical to Pillow's 8-bit resampler. If the sizes are equal Pillow skips the pass, so that
/// each weight is exactly 1 on its own pixel.
AxisWeights axisWeights(const AxisWindow& window, ResizeFilter filter);

/// 8-bit RGB rows in a buffer owned by somebody else.
template <typename Byte>
struct RgbView {
    Byte* pixels = nullptr;
    int64_t rowBytes = 0;
};

struct ResampleWindow {
    AxisWindow horizontal;
    AxisWindow vertical;
    ResizeFilter filter = ResizeFilter::Bicubic;
};

/// The window (horizontal.count × vertical.count) of a resize, equal to cutting it out of Pillow's whole result: horizontal pass first,
/// each pass rounded and clipped to 8 bits. Only the inputs that the window needs are read; memory in addition to the output is 3 ·
/// horizontal.count bytes for each input row read. The result does not depend on `threads` (≥ 1).
void resample(RgbView<const uint8_t> in, const ResampleWindow& window, RgbView<uint8_t> out, int threads);

/// The number of threads that such a window justifies: 1 below two million input pixels, then at most 4.
int resampleThreads(const ResampleWindow& window);

}
