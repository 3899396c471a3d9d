#include "core/media/image/decoder_process.h"

#include "core/media/image/decoder_protocol.h"
#include "core/media/image/input_file.h"

#include <cstring>
#include <utility>

namespace attnscope {

namespace {

using namespace decoder_protocol;

/// Pixels start on a page of their own after the encoded bytes.
size_t pixelsBehind(size_t encodedBytes)
{
    constexpr size_t page = 4096;
    return (encodedBytes + page - 1) / page * page;
}

}

DecoderProcess::DecoderProcess(DecoderOptions options)
    : m_options(std::move(options))
    , m_connection(imageDecoder, m_options.program, m_options.startDeadline)
{}

Clip DecoderProcess::read(const std::filesystem::path& path, const ImageReadOptions& options)
{
    return read(readImageFile(path, options.limits), path.string(), options);
}

Clip DecoderProcess::read(std::span<const uint8_t> bytes, const std::string& name, const ImageReadOptions& options)
{
    return readImage(bytes, name, options, decoderFor(name, options.limits));
}

Clip DecoderProcess::readCrop(const std::filesystem::path& path, const Transform& transform,
                              const ImageReadOptions& options)
{
    const std::string name = path.string();
    return attnscope::readCrop(readImageFile(path, options.limits), name, transform, options,
                               decoderFor(name, options.limits));
}

Clip DecoderProcess::readDecoded(const std::filesystem::path& path, const Transform& transform,
                                 const ImageReadOptions& options, const DecodedUse& use)
{
    const std::string name = path.string();
    return attnscope::readDecoded(readImageFile(path, options.limits), name, transform, options,
                                  decoderFor(name, options.limits), use);
}

PixelDecoder DecoderProcess::decoderFor(const std::string& name, const Limits& limits)
{
    return [this, name, limits](std::span<const uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                                const PixelUse& use) { return decode(encoded, size, window, name, limits, use); };
}

DecodeOutcome DecoderProcess::decode(std::span<const uint8_t> encoded, const ImageSize& size,
                                     const PixelWindow& window, const std::string& name, const Limits& limits,
                                     const PixelUse& use)
{
    const std::scoped_lock lock(m_mutex);
    if (!m_memory.reserve(pixelsBehind(encoded.size()) + size.bytes()))
        return DecodeOutcome::NoMemory;
    sendRequest(encoded, size, window, name, limits);
    const DecodeOutcome outcome = awaitReply(name);
    if (outcome == DecodeOutcome::Done)
        use({m_memory.data() + pixelsBehind(encoded.size()), size.bytes()});
    constexpr size_t kept = size_t{64} << 20;
    if (m_memory.size() > kept)
        m_memory.release();
    return outcome;
}

void DecoderProcess::sendRequest(std::span<const uint8_t> encoded, const ImageSize& size,
                                 const PixelWindow& window, const std::string& name, const Limits& limits)
{
    // If the idle process was killed, the image is not lost: it is retried once.
    for (int attempt = 0; attempt < 2; ++attempt) {
        ensureStarted(limits);
        m_connection.awaitReady();
        std::memcpy(m_memory.data(), encoded.data(), encoded.size());
        if (trySend(encoded.size(), size, window))
            return;
        m_connection.stop();
    }
    throw DecoderFailure(DecoderFailure::Cause::Died, name, "the image decoder does not accept requests",
                         imageDecoder.remedy);
}

bool DecoderProcess::trySend(size_t encodedBytes, const ImageSize& size, const PixelWindow& window)
{
    Request request;
    request.number = ++m_requests;
    request.memoryBytes = m_memory.size();
    request.encodedBytes = encodedBytes;
    request.pixelsAt = pixelsBehind(encodedBytes);
    request.width = uint32_t(size.width);
    request.height = uint32_t(size.height);
    request.left = uint32_t(window.left);
    request.top = uint32_t(window.top);
    request.columns = uint32_t(window.width);
    request.rows = uint32_t(window.height);
    return m_connection.send(std::as_bytes(std::span(&request, 1)));
}

DecodeOutcome DecoderProcess::awaitReply(const std::string& name)
{
    Reply reply;
    size_t bytes = 0;
    const auto received = m_connection.receive(std::as_writable_bytes(std::span(&reply, 1)), bytes,
                                               m_options.deadline);
    // Only messages of exactly this size are valid.
    if (received == DecoderConnection::Received::Message && bytes == sizeof reply && reply.number == m_requests
        && reply.outcome <= DecodeOutcome::NoMemory)
        return reply.outcome;
    m_connection.fail(received, name, m_options.deadline);
}

void DecoderProcess::ensureStarted(const Limits& limits)
{
    const bool roomy = limits.imageBytes <= m_limits.imageBytes && limits.imagePixels <= m_limits.imagePixels;
    if (m_connection.isRunning() && roomy)
        return;
    m_limits = limits;
    m_connection.start(m_memory.fileNumber(),
                       {std::to_string(limits.imageBytes), std::to_string(limits.imagePixels),
                        std::to_string(m_options.deadline.count())});
}

void DecoderProcess::start(const Limits& limits)
{
    const std::scoped_lock lock(m_mutex);
    ensureStarted(limits);
}

DecoderInfo DecoderProcess::info()
{
    const std::scoped_lock lock(m_mutex);
    ensureStarted(m_limits);
    m_connection.awaitReady();
    return m_connection.info();
}

pid_t DecoderProcess::pid() const
{
    const std::scoped_lock lock(m_mutex);
    return m_connection.pid();
}

}
