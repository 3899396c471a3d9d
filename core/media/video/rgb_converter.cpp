#include "core/media/video/rgb_converter.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace attnscope {

namespace {

/// The scaler's vector code writes rows in steps of this many bytes: if a row is not a multiple of it, it would skip the last pixels or
/// write beyond the image.
constexpr int64_t rowStep = 48;

bool isFullRange(const AVFrame& frame)
{
    constexpr std::array full{AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P,
                              AV_PIX_FMT_YUVJ444P};
    return frame.color_range == AVCOL_RANGE_JPEG || std::ranges::find(full, frame.format) != full.end();
}

}

const AVFrame& RgbConverter::inMemory(const AVFrame& frame, const std::string& name)
{
    if (!frame.hw_frames_ctx)
        return frame;  // NOLINT(bugprone-return-const-ref-from-parameter): the caller keeps it
    if (!m_transferred)
        m_transferred.reset(av_frame_alloc());
    av_frame_unref(m_transferred.get());
    if (!m_transferred || av_hwframe_transfer_data(m_transferred.get(), &frame, 0) < 0)
        throw FileError(name, "a frame could not be copied from the GPU", "decode it in software");
    av_frame_copy_props(m_transferred.get(), &frame);
    return *m_transferred;
}

void RgbConverter::prepare(const Kind& kind, const std::string& name)
{
    if (m_scaler && kind == m_kind)
        return;
    m_scaler.reset(sws_getContext(kind.width, kind.height, static_cast<AVPixelFormat>(kind.format),
                                  int(kind.out.width), int(kind.out.height), AV_PIX_FMT_RGB24, SWS_BILINEAR,
                                  nullptr, nullptr, nullptr));
    if (!m_scaler)
        throw FileError(
            name, fmt::format("its frames of {}×{} pixels cannot be converted to RGB", kind.width, kind.height),
            "convert the video to H.264 in MP4");
    const int* matrix = sws_getCoefficients(kind.colorspace);
    // Fails for RGB input, which needs no matrix.
    sws_setColorspaceDetails(m_scaler.get(), matrix, kind.range, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
                             1 << 16, 1 << 16);
    m_kind = kind;
}

void RgbConverter::convert(const AVFrame& decoded, uint8_t* rgb, int64_t stride, FrameSize size,
                           const std::string& name)
try {
    const AVFrame& frame = inMemory(decoded, name);
    prepare({frame.width, frame.height, frame.format, int(frame.colorspace), isFullRange(frame) ? 1 : 0, size},
            name);
    const int64_t row = size.width * 3;
    const bool direct = row % rowStep == 0;
    const int64_t paddedRow = (row + rowStep - 1) / rowStep * rowStep + 16;
    if (!direct)
        m_padded.resize(size_t(paddedRow * size.height) + 64);
    uint8_t* const out[4] = {direct ? rgb : m_padded.data()};
    const int outStride[4] = {int(direct ? stride : paddedRow)};
    if (sws_scale(m_scaler.get(), frame.data, frame.linesize, 0, frame.height, out, outStride) < 0)
        throw FileError(name, "a frame could not be converted to RGB");
    for (int64_t y = 0; !direct && y < size.height; ++y)
        std::memcpy(rgb + y * stride, m_padded.data() + y * paddedRow, size_t(row));
} catch (const std::bad_alloc&) {
    throw FileError(name, "there is not enough memory for a frame", "close other programs");
}

}
