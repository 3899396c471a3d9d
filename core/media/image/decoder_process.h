#pragma once

#include "core/base/limits.h"
#include "core/media/image/image_reader.h"
#include "core/media/process/decoder_connection.h"
#include "core/media/process/shared_memory.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>

namespace attnscope {

inline constexpr DecoderKind imageDecoder{"attnscope-decoder", "ATTNSCOPE_DECODER", "image decoder",
                                          "export the image again with another program"};

struct DecoderOptions {
    std::filesystem::path program;               ///< empty: findDecoderProgram(imageDecoder)
    std::chrono::milliseconds deadline{10'000};  ///< for one image, from request to pixels
    std::chrono::milliseconds startDeadline{30'000};
};

/// Reads images like `readImage`, with the third-party decoders in a process of their own (`attnscope-decoder`) with resource limits and no
/// privileges: if a decoder crashes, hangs or lies, that image is a FileError and the next one gets a new process.
///
/// The process is started by the first image, which takes about 70 ms, and lives until this object or this process ends. Calls from several
/// threads are serialised; for parallel decoding give each thread its own object.
class DecoderProcess {
public:
    explicit DecoderProcess(DecoderOptions options = {});
    ~DecoderProcess() = default;
    DecoderProcess(const DecoderProcess&) = delete;
    DecoderProcess& operator=(const DecoderProcess&) = delete;

    /// Throws FileError for an image that is itself at fault, DecoderFailure for a decoder that failed, DecoderNotStarted if it can't be
    /// started: images are never decoded in this process instead.
    Clip read(const std::filesystem::path& path, const ImageReadOptions& options = {});
    Clip read(std::span<const uint8_t> bytes, const std::string& name, const ImageReadOptions& options = {});
    /// Like readCrop.
    Clip readCrop(const std::filesystem::path& path, const Transform& transform,
                  const ImageReadOptions& options = {});
    /// Like readDecoded.
    Clip readDecoded(const std::filesystem::path& path, const Transform& transform,
                     const ImageReadOptions& options, const DecodedUse& use);

    /// One round trip to the process, without the validator before it. `name` is used in messages.
    DecodeOutcome decode(std::span<const uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                         const std::string& name, const Limits& limits, const PixelUse& use);

    /// Starts the process without waiting until it is ready, so that startup overlaps with other work. Throws Unsupported.
    void start(const Limits& limits = {});
    /// Waits until it is ready. Throws Unsupported.
    DecoderInfo info();
    /// Of the running process; -1 if there is none.
    pid_t pid() const;

private:
    void ensureStarted(const Limits& limits);
    PixelDecoder decoderFor(const std::string& name, const Limits& limits);
    void sendRequest(std::span<const uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                     const std::string& name, const Limits& limits);
    bool trySend(size_t encodedBytes, const ImageSize& size, const PixelWindow& window);
    DecodeOutcome awaitReply(const std::string& name);

    DecoderOptions m_options;
    mutable std::mutex m_mutex;
    SharedMemory m_memory;
    DecoderConnection m_connection;
    Limits m_limits;  ///< limits with which the process was started
    uint64_t m_requests = 0;
};

}
