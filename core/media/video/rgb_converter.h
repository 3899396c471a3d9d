#pragma once

#include "core/media/container/frame_source.h"
#include "core/media/video/ffmpeg.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// Converts decoded frames of any pixel format to 8-bit RGB.
///
/// Colour: by the frame's tagged matrix and range; untagged is BT.601 with limited range, as in the published evaluation. No transfer
/// function is applied. Scaling, also of subsampled chroma, is bilinear.
class RgbConverter {
public:
    /// `frame` may be on a GPU. Throws FileError with `name` as its subject.
    void convert(const AVFrame& frame, uint8_t* rgb, int64_t stride, FrameSize size, const std::string& name);

private:
    /// What a scaler is created for.
    struct Kind {
        int width = 0, height = 0, format = -1, colorspace = 0, range = 0;
        FrameSize out;
        bool operator==(const Kind&) const = default;
    };

    const AVFrame& inMemory(const AVFrame& frame, const std::string& name);
    void prepare(const Kind& kind, const std::string& name);

    Kind m_kind;
    ScalerPointer m_scaler;
    FramePointer m_transferred;
    std::vector<uint8_t> m_padded;
};

}
