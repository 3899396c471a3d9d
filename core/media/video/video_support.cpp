#include "core/media/video/video_support.h"

#include "core/base/file_descriptor.h"
#include "core/media/container/video_validator.h"
#include "core/media/video/video_formats.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <set>

namespace attnscope {

namespace {

std::string library(const char* name, unsigned version)
{
    return fmt::format("{} {}.{}.{}", name, AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version),
                       AV_VERSION_MICRO(version));
}

std::vector<std::string> openHardware()
{
    // Drivers print that they are missing ("Failed to open VDPAU backend …"), which the list says.
    const FileDescriptor kept(::dup(STDERR_FILENO)), nowhere(::open("/dev/null", O_WRONLY));
    ::dup2(nowhere.number(), STDERR_FILENO);
    std::vector<std::string> names;
    AVHWDeviceType type = AV_HWDEVICE_TYPE_NONE;
    while ((type = av_hwdevice_iterate_types(type)) != AV_HWDEVICE_TYPE_NONE) {
        AVBufferRef* device = nullptr;
        if (av_hwdevice_ctx_create(&device, type, nullptr, nullptr, 0) >= 0)
            names.emplace_back(av_hwdevice_get_type_name(type));
        av_buffer_unref(&device);
    }
    ::dup2(kept.number(), STDERR_FILENO);
    return names;
}

}

VideoSupport videoSupport()
{
    prepareFfmpeg();
    VideoSupport support;
    support.version = av_version_info();
    support.libraries = {library("libavformat", avformat_version()), library("libavcodec", avcodec_version()),
                         library("libavutil", avutil_version()), library("libswscale", swscale_version())};
    for (const VideoContainer& container : videoContainers())
        if (av_find_input_format(container.demuxer.data()))
            support.containers.emplace_back(container.title);
    std::set<std::string> known;
    for (const std::string_view name : allowedDecoders()) {
        const AVCodec* decoder = avcodec_find_decoder_by_name(name.data());
        const std::string codec = decoder ? avcodec_get_name(decoder->id) : std::string(name);
        if (known.insert(codec).second)
            (decoder ? support.codecs : support.missing).push_back(codec);
    }
    support.hardware = openHardware();
    return support;
}

}
