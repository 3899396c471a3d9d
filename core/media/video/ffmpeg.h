#pragma once

// FFmpeg's headers, only for the .cpp files of this folder, with RAII owners for its objects.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/hwcontext.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>

namespace attnscope {

/// Deleter using a function that takes the address of the pointer, like most of FFmpeg's.
template <auto release>
struct ReleaseByAddress {
    template <typename T>
    void operator()(T* object) const
    {
        release(&object);
    }
};

using FramePointer = std::unique_ptr<AVFrame, ReleaseByAddress<av_frame_free>>;
using PacketPointer = std::unique_ptr<AVPacket, ReleaseByAddress<av_packet_free>>;
using CodecPointer = std::unique_ptr<AVCodecContext, ReleaseByAddress<avcodec_free_context>>;
using FormatPointer = std::unique_ptr<AVFormatContext, ReleaseByAddress<avformat_close_input>>;
using BufferPointer = std::unique_ptr<AVBufferRef, ReleaseByAddress<av_buffer_unref>>;

struct ReleaseScaler {
    void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};
using ScalerPointer = std::unique_ptr<SwsContext, ReleaseScaler>;

/// A dictionary from which FFmpeg takes options, leaving those it doesn't know.
class OptionDictionary {
public:
    OptionDictionary() = default;
    ~OptionDictionary() { av_dict_free(&m_options); }
    OptionDictionary(const OptionDictionary&) = delete;
    OptionDictionary& operator=(const OptionDictionary&) = delete;

    void set(const char* name, const std::string& value) { av_dict_set(&m_options, name, value.c_str(), 0); }
    AVDictionary** address() { return &m_options; }

private:
    AVDictionary* m_options = nullptr;
};

inline std::string errorText(int error)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = {};
    av_strerror(error, text, sizeof text);
    return text;
}

/// Compatibility with later versions, which renamed these.
inline bool isKeyFrame(const AVFrame& frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
    return (frame.flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame.key_frame != 0;
#endif
}

inline bool isInterlaced(const AVFrame& frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
}

inline int64_t lengthOf(const AVFrame& frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame.duration;
#else
    return frame.pkt_duration;
#endif
}

/// The 3×3 matrix by which a player rotates the image; null if there is none.
inline const int32_t* displayMatrixOf(const AVStream& stream)
{
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData* data = av_packet_side_data_get(
        stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? reinterpret_cast<const int32_t*>(data->data) : nullptr;
#else
    size_t bytes = 0;
    const uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
    return data && bytes >= 9 * sizeof(int32_t) ? reinterpret_cast<const int32_t*>(data) : nullptr;
#endif
}

}
