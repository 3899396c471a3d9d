#include "core/media/camera/camera.h"

#include "core/base/error.h"
#include "core/media/camera/camera_device.h"
#include "core/media/container/natural_order.h"
#include "core/media/video/ffmpeg.h"
#include "core/media/video/patience.h"
#include "core/media/video/rgb_converter.h"
#include "core/media/video/video_formats.h"

#include <fmt/format.h>

#include <linux/videodev2.h>

extern "C" {
#include <libavutil/imgutils.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <system_error>

namespace attnscope {

/// A format of Video4Linux and how we read it, best first: compressed images reach the full rate over USB, uncompressed ones do not.
struct CameraFormat {
    uint32_t fourcc;
    AVPixelFormat pixels;  ///< none: JPEG
};

namespace {

constexpr std::array formats{
    CameraFormat{V4L2_PIX_FMT_MJPEG, AV_PIX_FMT_NONE},   CameraFormat{V4L2_PIX_FMT_JPEG, AV_PIX_FMT_NONE},
    CameraFormat{V4L2_PIX_FMT_YUYV, AV_PIX_FMT_YUYV422}, CameraFormat{V4L2_PIX_FMT_UYVY, AV_PIX_FMT_UYVY422},
    CameraFormat{V4L2_PIX_FMT_NV12, AV_PIX_FMT_NV12},    CameraFormat{V4L2_PIX_FMT_YUV420, AV_PIX_FMT_YUV420P},
    CameraFormat{V4L2_PIX_FMT_RGB24, AV_PIX_FMT_RGB24},  CameraFormat{V4L2_PIX_FMT_BGR24, AV_PIX_FMT_BGR24},
    CameraFormat{V4L2_PIX_FMT_GREY, AV_PIX_FMT_GRAY8},
};

std::string fourccText(uint32_t fourcc)
{
    std::string text;
    for (int shift = 0; shift < 32; shift += 8)
        text += char(fourcc >> shift & 0x7f);
    return text;
}

/// The name of the device if it is a camera.
std::optional<std::string> cameraName(CameraDevice& device)
{
    v4l2_capability capability{};
    if (device.control(VIDIOC_QUERYCAP, &capability) != 0)
        return std::nullopt;
    // A webcam has a second device for metadata, which lacks the first of these capabilities.
    const uint32_t able = (capability.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? capability.device_caps
                                                                                : capability.capabilities;
    if ((able & V4L2_CAP_VIDEO_CAPTURE) == 0 || (able & V4L2_CAP_STREAMING) == 0)
        return std::nullopt;
    const auto* name = reinterpret_cast<const char*>(capability.card);
    return std::string(name, ::strnlen(name, sizeof capability.card));
}

}

class Camera::Impl {
public:
    Impl(std::unique_ptr<CameraDevice> device, const CameraOptions& options, std::stop_token stop)
        : m_device(std::move(device))
        , m_patience(std::move(stop), options.stallSeconds)
        , m_seconds(options.stallSeconds)
    {
        prepareFfmpeg();
        const std::optional<std::string> name = cameraName(*m_device);
        if (!name)
            fail("this is not a camera", "cameras are called /dev/video0 and so on");
        m_info = {m_device->path(), *name};
        chooseFormat(options);
        chooseRate(options);
        try {
            start();
        } catch (...) {
            stopStreaming();
            throw;
        }
    }

    ~Impl() { stopStreaming(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    bool advance()
    {
        m_patience.restart();
        while (true) {
            m_patience.throwIfStopped();
            if (takeNewest())
                return true;
            if (m_patience.isOver())
                fail(fmt::format("the camera delivered no image for {:.0f} s", m_seconds), "connect it again");
            m_device->wait(std::chrono::milliseconds(50));
        }
    }

    void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size)
    {
        if (!m_held)
            throw UsageError(m_info.name, "there is no current frame", "advance() comes first");
        if (!m_isPrepared)
            prepareFrame();
        m_isPrepared = true;
        m_converter.convert(*m_frame, rgb, stride, size, m_info.name);
    }

    double seconds() const { return m_now - m_first.value_or(m_now); }
    const CameraInfo& info() const { return m_info; }
    FrameSize size() const { return {m_format.fmt.pix.width, m_format.fmt.pix.height}; }

    std::string format() const
    {
        return fmt::format("{}×{}, {}{}", size().width, size().height, fourccText(m_kind.fourcc),
                           m_rate > 0 ? fmt::format(", {:.4g} frames per second", m_rate) : "");
    }

private:
    [[noreturn]] void fail(std::string_view problem, std::string_view remedy) const
    {
        throw FileError(m_info.name.empty() ? m_device->path() : m_info.name, problem, remedy);
    }

    /// Throws FileError if the driver refuses.
    void control(unsigned long request, void* argument)
    {
        if (const int error = m_device->control(request, argument))
            failWith(error);
    }

    [[noreturn]] void failWith(int error) const
    {
        if (error == EBUSY)
            fail("another program is using the camera", "close it there");
        if (error == ENODEV || error == EIO)
            fail("the camera was disconnected", "connect it again");
        fail(fmt::format("the camera cannot be used ({})", std::generic_category().message(error)),
             "connect it again");
    }

    void chooseFormat(const CameraOptions& options)
    {
        std::vector<uint32_t> offered;
        v4l2_fmtdesc description{};
        description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        for (; description.index < 64 && m_device->control(VIDIOC_ENUM_FMT, &description) == 0;
             ++description.index)
            offered.push_back(description.pixelformat);
        const auto isOffered = [&](const CameraFormat& format) {
            return std::ranges::find(offered, format.fourcc) != offered.end();
        };
        const auto* best = std::ranges::find_if(formats, isOffered);
        if (best == formats.end())
            fail("it delivers images in an unsupported format", "MJPG, YUYV, NV12 and a few others are supported");
        m_kind = *best;
        m_format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        m_format.fmt.pix.width = uint32_t(options.size.width);
        m_format.fmt.pix.height = uint32_t(options.size.height);
        m_format.fmt.pix.pixelformat = m_kind.fourcc;
        m_format.fmt.pix.field = V4L2_FIELD_ANY;
        control(VIDIOC_S_FMT, &m_format);
        const v4l2_pix_format& given = m_format.fmt.pix;
        if (given.pixelformat != m_kind.fourcc || given.width == 0 || given.height == 0 || given.width > 16'384
            || given.height > 16'384)
            fail("it changed its format while it was opened", "connect it again");
    }

    /// Some cameras don't let their rate be chosen.
    void chooseRate(const CameraOptions& options)
    {
        v4l2_streamparm parameters{};
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        parameters.parm.capture.timeperframe = {1000, uint32_t(std::lround(options.rate * 1000))};
        if (m_device->control(VIDIOC_S_PARM, &parameters) != 0)
            return;
        const v4l2_fract time = parameters.parm.capture.timeperframe;
        m_rate = time.numerator > 0 ? double(time.denominator) / time.numerator : 0;
    }

    v4l2_buffer buffer(uint32_t index = 0) const
    {
        v4l2_buffer buffer{};
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        buffer.memory = V4L2_MEMORY_MMAP;
        buffer.index = index;
        return buffer;
    }

    void start()
    {
        v4l2_requestbuffers request{};
        request.count = 4;
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        request.memory = V4L2_MEMORY_MMAP;
        control(VIDIOC_REQBUFS, &request);
        for (uint32_t i = 0; i < request.count; ++i)
            mapBuffer(i);
        if (m_mappings.size() < 2)
            fail("there is not enough memory for its images", "close other programs");
        int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        control(VIDIOC_STREAMON, &type);
        m_streaming = true;
    }

    void mapBuffer(uint32_t index)
    {
        v4l2_buffer described = buffer(index);
        control(VIDIOC_QUERYBUF, &described);
        uint8_t* memory = m_device->map(described.length, described.m.offset);
        if (!memory)
            fail("its images cannot be shared with this program", "connect it again");
        m_mappings.emplace_back(memory, described.length);
        control(VIDIOC_QBUF, &described);
    }

    void stopStreaming()
    {
        int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        if (std::exchange(m_streaming, false))
            m_device->control(VIDIOC_STREAMOFF, &type);
        for (const std::span<uint8_t> mapping : std::exchange(m_mappings, {}))
            m_device->unmap(mapping.data(), mapping.size());
    }

    /// Takes all waiting frames and keeps the last; the others go back to the driver.
    bool takeNewest()
    {
        bool found = false;
        while (true) {
            v4l2_buffer filled = buffer();
            const int error = m_device->control(VIDIOC_DQBUF, &filled);
            if (error == EAGAIN)
                return found;
            if (error != 0)
                failWith(error);
            if (filled.index >= m_mappings.size())
                fail("its driver refers to an image that does not exist", "connect it again");
            if ((filled.flags & V4L2_BUF_FLAG_ERROR) != 0 || filled.bytesused == 0) {
                giveBack(filled.index);
                continue;
            }
            hold(filled);
            found = true;
        }
    }

    void hold(const v4l2_buffer& filled)
    {
        if (m_held)
            giveBack(m_held->index);
        m_held = filled;
        m_isPrepared = false;
        m_now = double(filled.timestamp.tv_sec) + double(filled.timestamp.tv_usec) * 1e-6;
        m_first = m_first.value_or(m_now);
    }

    void giveBack(uint32_t index)
    {
        v4l2_buffer empty = buffer(index);
        control(VIDIOC_QBUF, &empty);
    }

    std::span<uint8_t> heldBytes() const
    {
        const std::span<uint8_t> mapping = m_mappings[m_held->index];
        return mapping.first(std::min<size_t>(mapping.size(), m_held->bytesused));
    }

    void prepareFrame()
    {
        const bool isGood = m_kind.pixels == AV_PIX_FMT_NONE ? decodeJpeg() : wrapPlain();
        if (!isGood && (!m_frame || m_frame->width == 0))
            fail("its first image is damaged", "connect it again");
    }

    bool decodeJpeg()
    {
        if (!m_decoder) {
            const AVCodec* codec = decoderFor(AV_CODEC_ID_MJPEG, false);
            m_decoder.reset(codec ? avcodec_alloc_context3(codec) : nullptr);
            if (!m_decoder || avcodec_open2(m_decoder.get(), codec, nullptr) < 0)
                fail("its images are JPEG, for which this FFmpeg has no decoder", "choose another camera");
        }
        const std::span<uint8_t> bytes = heldBytes();
        // Copied, because the decoder reads a few bytes beyond the end, and FFmpeg's packets are padded.
        PacketPointer packet(av_packet_alloc());
        if (!packet || av_new_packet(packet.get(), int(bytes.size())) < 0)
            throw std::bad_alloc();
        std::memcpy(packet->data, bytes.data(), bytes.size());
        FramePointer frame(av_frame_alloc());
        if (avcodec_send_packet(m_decoder.get(), packet.get()) < 0 || !frame
            || avcodec_receive_frame(m_decoder.get(), frame.get()) < 0)
            return false;
        m_frame = std::move(frame);
        return true;
    }

    bool wrapPlain()
    {
        const v4l2_pix_format& format = m_format.fmt.pix;
        const std::span<uint8_t> bytes = heldBytes();
        FramePointer frame(av_frame_alloc());
        if (!frame)
            throw std::bad_alloc();
        frame->width = int(format.width);
        frame->height = int(format.height);
        frame->format = m_kind.pixels;
        const int plain = av_image_get_linesize(m_kind.pixels, frame->width, 0);
        const int row = std::max(plain, int(std::min<uint32_t>(format.bytesperline, 1U << 20)));
        // The rows of the other planes are equally long, or half as long.
        for (int plane = 0; plane < 4; ++plane) {
            const int own = av_image_get_linesize(m_kind.pixels, frame->width, plane);
            frame->linesize[plane] = own <= 0 ? 0 : own * 2 <= plain + 1 ? row / 2 : row;
        }
        const int needed = av_image_fill_pointers(frame->data, m_kind.pixels, frame->height, bytes.data(),
                                                  frame->linesize);
        if (needed < 0 || size_t(needed) > bytes.size())
            return false;
        m_frame = std::move(frame);
        return true;
    }

    std::unique_ptr<CameraDevice> m_device;
    Patience m_patience;
    double m_seconds;
    CameraInfo m_info;
    CameraFormat m_kind{0, AV_PIX_FMT_NONE};
    v4l2_format m_format{};
    double m_rate = 0;                           ///< 0: unknown
    std::vector<std::span<uint8_t>> m_mappings;  ///< the driver's buffers in our memory
    bool m_streaming = false;

    std::optional<v4l2_buffer> m_held;  ///< the current frame, which the driver must not touch
    bool m_isPrepared = false;
    double m_now = 0;
    std::optional<double> m_first;
    CodecPointer m_decoder;
    FramePointer m_frame;
    RgbConverter m_converter;
};

Camera::Camera(const std::filesystem::path& device, CameraOptions options, std::stop_token stop)
    : Camera(openCameraDevice(device), options, std::move(stop))
{}

Camera::Camera(std::unique_ptr<CameraDevice> device, CameraOptions options, std::stop_token stop)
    : m_impl(std::make_unique<Impl>(std::move(device), options, std::move(stop)))
{}

Camera::~Camera() = default;
Camera::Camera(Camera&&) noexcept = default;
Camera& Camera::operator=(Camera&&) noexcept = default;

const CameraInfo& Camera::info() const
{
    return m_impl->info();
}

std::string Camera::format() const
{
    return m_impl->format();
}

FrameSize Camera::size() const
{
    return m_impl->size();
}

bool Camera::advance()
{
    return m_impl->advance();
}

double Camera::seconds() const
{
    return m_impl->seconds();
}

void Camera::writeRgb(uint8_t* rgb, int64_t stride, FrameSize size)
{
    m_impl->writeRgb(rgb, stride, size);
}

std::vector<CameraInfo> cameras()
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entries("/dev", error), end; !error && entries != end;
         entries.increment(error))
        if (const std::string name = entries->path().filename().string(); name.starts_with("video"))
            names.push_back(name);
    std::ranges::sort(names, naturallyBefore);
    std::vector<CameraInfo> found;
    for (const std::string& name : names) {
        const std::filesystem::path path = std::filesystem::path("/dev") / name;
        try {
            if (const auto title = cameraName(*openCameraDevice(path)))
                found.push_back({path, *title});
        } catch (const FileError&) {
            continue;  // a camera in use by somebody else; opening it by name says why
        }
    }
    return found;
}

CameraInfo firstCamera()
{
    const std::vector<CameraInfo> all = cameras();
    if (all.empty())
        throw Unsupported("", "No camera found. Connect one, or open a video.");
    return all.front();
}

}
