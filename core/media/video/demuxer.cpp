#include "core/media/video/demuxer.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/media/video/video_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace attnscope {

namespace {

constexpr int ioBytes = 64 << 10;
constexpr int maxFailures = 64;

/// Passed to FFmpeg so that it opens no further files.
int refuseToOpen(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**)
{
    return AVERROR(EPERM);
}

constexpr std::string_view urlProtocols =
    "http,https,tcp,tls,udp,rtp,rtsp,rtmp,rtmps,rtmpt,rtmpe,srt,crypto,httpproxy";
constexpr std::array urlSchemes{"http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "udp", "rtp", "tcp", "srt"};

std::string urlFormats()
{
    std::string list = "rtsp,rtp,sdp,hls,mpjpeg,h264,hevc,mjpeg,live_flv,mp4";
    for (const VideoContainer& container : videoContainers())
        list += "," + std::string(container.demuxer);
    return list;
}

void requireScheme(const std::string& url)
{
    const size_t colon = url.find("://");
    const std::string scheme = colon == std::string::npos ? "" : url.substr(0, colon);
    if (std::ranges::find(urlSchemes, scheme) == urlSchemes.end())
        throw UsageError(url, "this is not the address of a stream",
                         fmt::format("it begins with {}://", fmt::join(urlSchemes, "://, ")));
}

bool isVideo(const AVStream& stream)
{
    return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO
           && (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
}

}

Demuxer::Demuxer(std::shared_ptr<const InputFile> file, const VideoReadOptions& options, Patience& patience)
    : m_name(file->name())
    , m_patience(patience)
    , m_maxStreams(options.limits.videoStreams)
    , m_file(std::move(file))
{
    prepareFfmpeg();
    openFile(options);
    prepare(options);
}

Demuxer::Demuxer(const std::string& url, const VideoReadOptions& options, Patience& patience)
    : m_name(url)
    , m_patience(patience)
    , m_maxStreams(options.limits.videoStreams)
{
    prepareFfmpeg();
    requireScheme(url);
    avformat_network_init();
    OptionDictionary dictionary;
    dictionary.set("protocol_whitelist", std::string(urlProtocols));
    dictionary.set("format_whitelist", urlFormats());
    dictionary.set("codec_whitelist", decoderWhitelist());
    open(url.c_str(), nullptr, dictionary);
    prepare(options);
}

void Demuxer::openFile(const VideoReadOptions& options)
{
    std::vector<uint8_t> start(videoSignatureBytes);
    start.resize(m_file->readAt(0, start));
    m_container = sniffVideo(start);
    if (!m_container && (!options.anyFormat || start.empty()))
        checkVideoSignature(start, m_name);
    if (m_container)
        lookAtStructure();
    m_io.reset(avio_alloc_context(static_cast<unsigned char*>(av_malloc(ioBytes)), ioBytes, 0, this, readFile,
                                  nullptr, seekFile));
    OptionDictionary dictionary;
    dictionary.set("protocol_whitelist", "none");
    dictionary.set("format_whitelist", m_container ? std::string(m_container->demuxer) : anyFormatWhitelist());
    if (!options.anyFormat)
        dictionary.set("codec_whitelist", decoderWhitelist());
    // Without a name: suffixes decide nothing, and there is nothing to expand.
    open("", m_container ? av_find_input_format(m_container->demuxer.data()) : nullptr, dictionary);
}

/// Rejects what a demuxer would allocate too much memory for, or fail at without a reason.
void Demuxer::lookAtStructure()
{
    const ReadAt read = [this](int64_t at, std::span<uint8_t> out) { return m_file->readAt(at, out); };
    m_outline = outlineOf(*m_container, read, m_file->bytes());
    if (m_outline.lacksIndex)
        throw FileError(
            m_name,
            fmt::format("its index is missing (no \"moov\"{})", m_outline.breaksOff ? "; it is truncated" : ""),
            "the recording or download was not finished; copy or record it again");
    if (m_outline.hasPackedIndex)
        throw FileError(m_name, "its index is compressed, as QuickTime did before 2000",
                        "convert it with ffmpeg -c copy");
    if (m_outline.streams > m_maxStreams)
        failForStreams();
    if (m_outline.samples > m_file->bytes())
        throw FileError(m_name,
                        fmt::format("its index claims {} in a file of {}",
                                    formatCounted(m_outline.samples, "frame"),
                                    formatBytes(m_file->bytes()).text()),
                        "copy or download it again");
}

void Demuxer::failForStreams() const
{
    throw FileError(m_name, fmt::format("it has more than {} streams", m_maxStreams), "give a file with fewer");
}

void Demuxer::open(const char* url, const AVInputFormat* input, OptionDictionary& options)
{
    AVFormatContext* format = avformat_alloc_context();
    if (!format || (m_file && !m_io))
        failToOpen(AVERROR(ENOMEM));
    format->interrupt_callback = {Patience::interrupt, &m_patience};
    format->max_streams = int(std::min<int64_t>(m_maxStreams, 1000));
    format->probesize = 5'000'000;
    format->max_analyze_duration = 5 * AV_TIME_BASE;
    format->max_index_size = 64 << 20;
    if (m_file) {
        format->pb = m_io.get();
        format->flags |= AVFMT_FLAG_CUSTOM_IO;
        format->io_open = refuseToOpen;
    }
    tooManyStreamsSeen();
    const int error = avformat_open_input(&format, url, input, options.address());
    if (error < 0)
        failToOpen(error);  // avformat_open_input freed the context
    m_format.reset(format);
}

void Demuxer::prepare(const VideoReadOptions& options)
{
    checkStreams(options.limits);
    findStreamInfo(options);
    checkStreams(options.limits);
    chooseStream();
}

/// Decodes a little of each stream, within the limits for streams known so far.
void Demuxer::findStreamInfo(const VideoReadOptions& options)
{
    std::vector<AVDictionary*> dictionaries(m_format->nb_streams);
    for (AVDictionary*& dictionary : dictionaries)
        av_dict_set_int(&dictionary, "max_pixels", options.limits.videoPixels, 0);
    const int error = avformat_find_stream_info(m_format.get(),
                                                dictionaries.empty() ? nullptr : dictionaries.data());
    for (AVDictionary*& dictionary : dictionaries)
        av_dict_free(&dictionary);
    if (error < 0)
        failToOpen(error);
    throwIfOver();
}

void Demuxer::checkStreams(const Limits& limits) const
{
    for (unsigned i = 0; i < m_format->nb_streams; ++i) {
        const AVCodecParameters& parameters = *m_format->streams[i]->codecpar;
        if (!isVideo(*m_format->streams[i]))
            continue;
        const auto pixels = checkedMultiply(parameters.width, parameters.height);
        if (!pixels || *pixels > limits.videoPixels)
            throw FileError(m_name,
                            fmt::format("its frames have {}×{} pixels", parameters.width, parameters.height),
                            fmt::format("the limit is {} megapixels", limits.videoPixels / 1'000'000));
    }
}

void Demuxer::chooseStream()
{
    const int best = av_find_best_stream(m_format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (best < 0 || !isVideo(*m_format->streams[best])) {
        const bool sound = av_find_best_stream(m_format.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0) >= 0;
        throw FileError(m_name, sound ? "no video stream (audio only)" : "no video stream",
                        "give a file with a video stream, or a folder of images");
    }
    m_stream = best;
    for (unsigned i = 0; i < m_format->nb_streams; ++i)
        m_format->streams[i]->discard = int(i) == best ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
}

std::string Demuxer::title() const
{
    return m_container ? std::string(m_container->title) : "video";
}

void Demuxer::throwIfOver() const
{
    m_patience.throwIfStopped();
    if (m_patience.isOver())
        throw FileError(m_name, "it could not be read in time",
                        m_file ? "copy it to a local disk" : "check the connection");
}

void Demuxer::failToOpen(int error) const
{
    const bool tooManyStreams = tooManyStreamsSeen();
    throwIfOver();
    if (tooManyStreams)
        failForStreams();
    if (error == AVERROR(ENOMEM))
        throw FileError(m_name, "there is not enough memory to open it", "close other programs");
    if (error == AVERROR_PROTOCOL_NOT_FOUND)
        throw Unsupported(m_name, "this FFmpeg does not support this kind of address");
    if (!m_file)
        throw FileError(m_name, fmt::format("the stream cannot be opened ({})", errorText(error)),
                        "check the address");
    if (m_outline.breaksOff)
        throw FileError(m_name, fmt::format("this {} is truncated before its first frame", title()),
                        "copy or download it again");
    throw FileError(m_name, fmt::format("its {} data is damaged", title()), "copy or download it again");
}

std::string Demuxer::containerName() const
{
    const std::string_view name = m_container ? m_container->name : std::string_view(m_format->iformat->name);
    return std::string(name.substr(0, name.find(',')));
}

Demuxer::Read Demuxer::read(AVPacket& packet)
{
    av_packet_unref(&packet);
    const int error = av_read_frame(m_format.get(), &packet);
    throwIfOver();
    if (error == AVERROR(ENOMEM))
        throw FileError(m_name, "there is not enough memory to read it", "close other programs");
    if (error == AVERROR_EOF || (error < 0 && ++m_failures > maxFailures))
        return Read::End;
    if (error < 0)
        return Read::Damaged;
    m_failures = 0;
    return Read::Packet;
}

bool Demuxer::seek(int64_t pts)
{
    m_failures = 0;
    return avformat_seek_file(m_format.get(), m_stream, INT64_MIN, pts, pts, 0) >= 0;
}

bool Demuxer::hasKeyFrameBetween(int64_t from, int64_t to) const
{
    AVStream& video = stream();
    const AVIndexEntry* before = avformat_index_get_entry_from_timestamp(&video, to, AVSEEK_FLAG_BACKWARD);
    if (before && before->timestamp > from)
        return true;
    // Matroska's index is read at the first seek, other formats have none: what was read so far doesn't tell what follows.
    const AVIndexEntry* last = avformat_index_get_entry(&video, avformat_index_get_entries_count(&video) - 1);
    const bool isKnown = last && last->timestamp >= to;
    constexpr double worthTrying = 5;  // seconds
    return !isKnown && double(to - from) * av_q2d(video.time_base) > worthTrying;
}

int Demuxer::readFile(void* self, uint8_t* out, int bytes)
try {
    auto& demuxer = *static_cast<Demuxer*>(self);
    if (demuxer.m_patience.isOver())
        return AVERROR_EXIT;
    const size_t got = demuxer.m_file->readAt(demuxer.m_position, {out, size_t(bytes)});
    demuxer.m_position += int64_t(got);
    return got == 0 ? AVERROR_EOF : int(got);
} catch (const Error&) {
    return AVERROR(EIO);
}

int64_t Demuxer::seekFile(void* self, int64_t offset, int whence)
{
    auto& demuxer = *static_cast<Demuxer*>(self);
    const int64_t end = demuxer.m_file->bytes();
    if (whence & AVSEEK_SIZE)
        return end;
    const int64_t base = whence == SEEK_CUR ? demuxer.m_position : whence == SEEK_END ? end : 0;
    int64_t target = 0;
    if (__builtin_add_overflow(base, offset, &target) || target < 0)
        return AVERROR(EINVAL);
    return demuxer.m_position = target;
}

}
