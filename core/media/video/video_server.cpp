#include "core/media/video/video_server.h"

#include "core/base/archive.h"
#include "core/base/error.h"
#include "core/media/image/input_file.h"
#include "core/media/process/served_memory.h"
#include "core/media/video/file_video.h"
#include "core/media/video/video_protocol.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace attnscope {

namespace {

using namespace video_protocol;
using Clock = std::chrono::steady_clock;

/// The next request, and the file that came with it; false when the client is gone.
bool receiveRequest(Request& request, FileDescriptor& file)
{
    iovec part{&request, sizeof request};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    ssize_t got = -1;
    do
        got = ::recvmsg(decoder_protocol::socketFileDescriptor, &header, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const cmsghdr* const rights = CMSG_FIRSTHDR(&header);
    if (rights != nullptr && rights->cmsg_type == SCM_RIGHTS) {
        int number = -1;
        std::memcpy(&number, CMSG_DATA(rights), sizeof number);
        file = FileDescriptor(number);
    }
    return got == static_cast<ssize_t>(sizeof request);
}

class Server {
public:
    explicit Server(const std::function<void()>& allowTime)
        : m_allowTime(allowTime)
    {}

    int run()
    {
        FileDescriptor file;
        while (receiveRequest(m_request, file)) {
            if (!handle(std::move(file)))
                return 1;
            file = FileDescriptor();
        }
        return 0;
    }

private:
    /// False when the client is gone.
    bool handle(FileDescriptor file)
    {
        m_allowTime();
        m_told = Clock::now();
        if (m_request.action == Action::Close) {
            m_video.reset();
            return true;
        }
        if (!sendReply(replyFor(std::move(file))))
            return false;
        lookAhead();
        return true;
    }

    /// The reply, whatever happens.
    Reply replyFor(FileDescriptor file)
    {
        Reply reply;
        try {
            reply.outcome = act(std::move(file));
        } catch (const Unsupported& error) {
            reply = {.outcome = Outcome::Unsupported, .reason = error.reason()};
        } catch (const Error& error) {
            reply = {.outcome = Outcome::Failed, .reason = error.reason()};
        } catch (const std::bad_alloc&) {
            reply = {.outcome = Outcome::Failed,
                     .reason = "there is not enough memory to decode it; close other programs."};
        }
        if (m_video && reply.outcome == Outcome::Done) {
            reply.pts = m_video->pts();
            if (m_request.action == Action::Open)
                reply.info = m_video->info();
        }
        if (m_video)
            reply.damage = m_video->damage();
        return reply;
    }

    Outcome act(FileDescriptor file)
    {
        if (m_request.action == Action::Open) {
            open(std::move(file));
            return Outcome::Done;
        }
        if (!m_video)
            throw FileError("", "the video was not opened");
        switch (m_request.action) {
        case Action::Advance:
            if (!m_video->advance())
                return Outcome::End;
            if (m_request.width > 0)
                write();
            return Outcome::Done;
        case Action::Write:
            write();
            return Outcome::Done;
        default:
            m_video->seek(m_request.pts);
            return Outcome::Done;
        }
    }

    void open(FileDescriptor file)
    {
        m_video.reset();
        VideoReadOptions options;
        options.limits.videoPixels = m_request.videoPixels;
        options.limits.videoStreams = m_request.videoStreams;
        options.limits.videoSeconds = m_request.videoSeconds;
        options.limits.videoStallSeconds = m_request.videoStallSeconds;
        options.anyFormat = m_request.anyFormat != 0;
        options.threads = m_request.threads;
        m_video = std::make_unique<FileVideo>(std::make_shared<const InputFile>(std::move(file), ""), "", options,
                                              std::stop_token(), [this] { stillWorking(); });
        m_takesPixels = false;
    }

    void write()
    {
        const FrameSize size{m_request.width, m_request.height};
        const std::span<uint8_t> memory = m_memory.of(m_request.memoryBytes);
        if (size_t(size.width * size.height * 3) > memory.size())
            throw std::bad_alloc();
        m_video->writeRgb(memory.data(), size.width * 3, size);
    }

    /// Decodes the next frame while the client is busy with this one; where it is going to ask for this one's pixels, only after it has them.
    void lookAhead()
    {
        const bool hasPixels = m_request.width > 0,
                   mayAsk = m_takesPixels && !hasPixels && m_request.action == Action::Advance;
        m_takesPixels = hasPixels;
        if (m_video && !mayAsk)
            m_video->lookAhead();
    }

    /// Called by the video whenever it makes progress.
    void stillWorking()
    {
        constexpr auto interval = std::chrono::milliseconds(500);
        if (Clock::now() - m_told < interval)
            return;
        m_told = Clock::now();
        m_allowTime();
        sendReply({});
    }

    bool sendReply(Reply reply)
    {
        reply.number = m_request.number;
        const std::string bytes = archived(reply);
        return decoder_protocol::sendToClient(std::as_bytes(std::span(bytes)));
    }

    const std::function<void()>& m_allowTime;
    Request m_request;
    std::unique_ptr<FileVideo> m_video;
    decoder_protocol::ServedMemory m_memory;
    Clock::time_point m_told;
    bool m_takesPixels = false;  ///< the client took the last frame's pixels
};

}

int serveVideos(const std::function<void()>& allowTime)
{
    return Server(allowTime).run();
}

}
