#pragma once

#include "core/data/preprocess/transform.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// One axis of the bilinear resize, for the outputs that are in some crop.
struct CropAxis {
    int64_t inSize = 0, outSize = 0;     ///< of the whole frame, before and after the resize
    int64_t crop = 0;                    ///< pixels of a crop
    std::vector<int64_t> offsets;        ///< of each crop, in the resized frame
    std::vector<int64_t> starts;         ///< of each crop, among the computed outputs
    std::vector<int32_t> first, second;  ///< of each computed output: the two inputs
    std::vector<float> weight;           ///< of the second; that of the first is 1 minus it

    int64_t computed() const { return int64_t(first.size()); }
};

/// The evaluation transform of video networks, for frames of one size: /255, (x − mean) / std, then on those floats the short side to
/// `resize` (F.interpolate's bilinear: align_corners=False, no antialiasing), the long side floor(long / short · resize), and square crops
/// at 0, ceil((long − S) / 2) and long − S along the longer side, or the width if both are equal: then all three coincide. For crops that
/// are not square the frame is resized to cover the crop, and crops are placed along the side with more room. Only what some crop shows is
/// computed, once; a frame costs at most 3 · 3 · cropWidth · cropHeight floats.
class VideoTransform {
public:
    /// width × height: of the frames; `crops` 1 (the centre) or 3. Throws UsageError: sizes out of range, resize below the crop.
    VideoTransform(int64_t width, int64_t height, const Transform& transform, int64_t crops);

    const CropAxis& horizontal() const { return m_horizontal; }
    const CropAxis& vertical() const { return m_vertical; }

    /// The part of a resized frame that the crops show: (3, rows, columns).
    using Frame = std::vector<float>;
    /// Floats of a resized frame: 3 · rows · columns.
    int64_t frameElements() const { return 3 * m_vertical.computed() * m_horizontal.computed(); }
    /// rgb (H,W,3), `stride` bytes per row → (3, rows, columns), normalised. Thread-safe.
    Frame frame(const uint8_t* rgb, int64_t stride) const;
    /// Row y of channel c of a crop: cropWidth floats of the frame.
    const float* cropRow(const Frame& frame, int64_t crop, int64_t channel, int64_t y) const;
    /// Crop number `crop` of a resized frame → (cropHeight,cropWidth) at out, out + planeStride and out + 2 · planeStride.
    void copyCrop(const Frame& frame, int64_t crop, float* out, int64_t planeStride) const;

    /// The part of the original frame that a crop shows, in its pixels.
    CropRectangle rectangle(int64_t crop) const;

private:
    CropAxis m_horizontal, m_vertical;
    std::vector<float> m_values;  ///< (3,256): of every 8-bit value, normalised
};

}
