#include "core/base/archive.h"
#include "core/media/video/video_protocol.h"

#include <cstdlib>
#include <cstring>

/// What a hostile video decoder says, behind a head and a checksum that are right: what passes is what the client computes with.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    using namespace attnscope;
    using namespace attnscope::video_protocol;
    if (size < 2)
        return 0;
    Request request{.number = 1, .action = static_cast<Action>(data[0] % 5)};
    request.videoPixels = 36'000'000;
    const std::string_view contents(reinterpret_cast<const char*>(data + 1), size - 1);
    archive::Writer head;
    head(archive::layout<Reply>());
    head(archive::checksum(contents));
    const std::string bytes = head.take() + std::string(contents);
    const auto reply = parseReply(std::as_bytes(std::span(bytes)), request);
    if (!reply)
        return 0;
    const bool opened = request.action == Action::Open && reply->outcome == Outcome::Done;
    if (reply->number != 1 || reply->info.has_value() != opened || reply->reason.find('\n') != std::string::npos)
        std::abort();
    if (opened
        && (reply->info->width * reply->info->height > request.videoPixels || reply->info->timeBase.value() <= 0))
        std::abort();
    return 0;
}
