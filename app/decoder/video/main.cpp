// Decodes videos for attnscope and attnscope-cli, which start it: core/media/video/video_protocol.h says what it is told and what it replies.
//
//     attnscope-video-decoder PIXELS MILLISECONDS
//
// The numbers are the limits of one frame; a socket is open at descriptor 3, shared memory at 4.
#include "app/decoder/lockdown.h"
#include "core/base/number.h"
#include "core/base/process/processors.h"
#include "core/media/process/served_memory.h"
#include "core/media/video/video_server.h"

#include <malloc.h>

#include <cstdio>
#include <optional>
#include <tuple>

namespace {

using namespace attnscope;

std::optional<decoder::Allowance> parse(int count, char** words)
{
    if (count != 3)
        return std::nullopt;
    const auto number = [](const char* text) { return parseNumber<uint64_t>(text, 0, (uint64_t{1} << 32) - 1); };
    const auto pixels = number(words[1]), milliseconds = number(words[2]);
    if (!pixels || !milliseconds)
        return std::nullopt;
    return decoder::allowanceForVideos(*pixels, uint32_t((*milliseconds + 999) / 1000));
}

}

int main(int argc, char** argv)
{
    const auto allowance = parse(argc, argv);
    if (!allowance) {
        std::fputs("attnscope-video-decoder: this program is started by attnscope and attnscope-cli; open videos "
                   "with those.\n",
                   stderr);
        return 2;
    }
    std::ignore = usableProcessors();  // no file can be opened later
    ::mallopt(M_ARENA_MAX, 2);         // each takes address space, which is limited
    if (!decoder_protocol::sendToClient(decoder_protocol::Hello{.protections = decoder::lockDown(*allowance)}))
        return 1;
    return serveVideos([&] { decoder::allowProcessorTime(allowance->secondsPerRequest); });
}
