// A video decoder that misbehaves, in the way that ATTNSCOPE_DOUBLE names: what a client has to survive. Until then its video has frames of
// 16×8 pixels, one each tick.
#include "core/base/archive.h"
#include "core/media/process/served_memory.h"
#include "core/media/video/video_protocol.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

using namespace attnscope;
using namespace attnscope::video_protocol;

namespace {

void tell(const Reply& reply)
{
    const std::string bytes = archived(reply);
    decoder_protocol::sendToClient(std::as_bytes(std::span(bytes)));
}

Request hear()
{
    Request request;
    if (::recv(decoder_protocol::socketFileDescriptor, &request, sizeof request, 0)
        != static_cast<ssize_t>(sizeof request))
        std::_Exit(0);
    return request;
}

VideoInfo info()
{
    VideoInfo info;
    info.codec = "h264";
    info.width = 16;
    info.height = 8;
    info.averageRate = {25, 1};
    info.timeBase = {1, 25};
    return info;
}

void misbehave(const std::string& mode, const Request& request, Reply& reply)
{
    const bool opens = request.action == Action::Open, advances = request.action == Action::Advance;
    if (mode == "bytes") {
        const std::string bytes(100'000, 'x');
        decoder_protocol::sendToClient(std::as_bytes(std::span(bytes)));
    } else if (mode == "another number") {
        reply.number += 7;
    } else if (mode == "unknown outcome") {
        reply.outcome = static_cast<Outcome>(77);
    } else if (mode == "no information" && opens) {
        reply.info.reset();
    } else if (mode == "huge frames" && opens) {
        reply.info->width = int64_t{1} << 40;
    } else if (mode == "no frames" && opens) {
        reply.info->height = 0;
    } else if (mode == "no time" && opens) {
        reply.info->timeBase = {1, 0};
    } else if (mode == "odd rotation" && opens) {
        reply.info->rotation = 45;
    } else if (mode == "time stands still" && advances) {
        reply.pts = 3;
    } else if (mode == "time overflows" && opens) {
        reply.info->start = std::numeric_limits<int64_t>::min();
    } else if (mode == "end of an opening" && opens) {
        reply.outcome = Outcome::End;
        reply.info.reset();
    } else if (mode == "forged text") {
        reply.outcome = Outcome::Failed;
        reply.info.reset();
        reply.reason = "\x1b[2J<b>all is well</b>\n" + std::string(60'000, 'x');
    } else if (mode == "aborts" && advances) {
        std::abort();
    } else if (mode == "exits" && advances) {
        std::_Exit(4);
    } else if (mode == "shrinks the memory" && request.action == Action::Write) {
        if (::ftruncate(decoder_protocol::memoryFileDescriptor, 0) == 0)
            std::_Exit(9);
    } else if (mode == "works for ever" && advances) {
        for (;;)
            tell({.number = request.number});
    }
}

}

int main()
{
    const char* const named = std::getenv("ATTNSCOPE_DOUBLE");
    const std::string mode = named == nullptr ? "" : named;
    decoder_protocol::sendToClient(decoder_protocol::Hello{});
    for (int64_t pts = -1;;) {
        const Request request = hear();
        if (request.action == Action::Close)
            continue;
        pts += request.action == Action::Advance ? 1 : 0;
        Reply reply{.number = request.number, .outcome = Outcome::Done, .pts = pts};
        if (request.action == Action::Open)
            reply.info = info();
        misbehave(mode, request, reply);
        tell(reply);
    }
}
