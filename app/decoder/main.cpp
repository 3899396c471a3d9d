// Decodes images for attnscope and attnscope-cli, which start it: core/media/image/decoder_protocol.h says what it is told
// and what it replies.
//
//     attnscope-decoder FILE_BYTES PIXELS MILLISECONDS
//
// The numbers are the limits of one image; a socket is open at descriptor 3, shared memory at 4.
#include "app/decoder/lockdown.h"
#include "core/base/number.h"
#include "core/media/image/decoder_protocol.h"
#include "core/media/process/served_memory.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <span>

namespace attnscope::decoder {

namespace {

using namespace decoder_protocol;

DecodeOutcome decode(const Request& request, ServedMemory& shared)
{
    const std::span<uint8_t> memory = shared.of(request.memoryBytes);
    const ImageSize size{request.width, request.height};
    const PixelWindow window{request.left, request.top, request.columns, request.rows};
    if (memory.empty())
        return DecodeOutcome::NoMemory;
    return decodePixels(memory.first(request.encodedBytes), size, window,
                        memory.subspan(request.pixelsAt, size.bytes()));
}

bool receiveRequest(Request& request)
{
    ssize_t got = -1;
    do
        got = ::recv(socketFileDescriptor, &request, sizeof request, 0);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof request);
}

/// Until the client closes its end or is gone, which looks the same. (The kernel's signal for a parent's death is
/// for the end of the thread that started us, while others may go on asking.)
int serve(const Allowance& allowance)
{
    if (!sendToClient(Hello{magic, version, lockDown(allowance)}))
        return 1;
    ServedMemory shared;
    for (Request request; receiveRequest(request);) {
        allowProcessorTime(allowance.secondsPerRequest);
        if (!sendToClient(Reply{request.number, decode(request, shared)}))
            return 1;
    }
    return 0;
}

std::optional<Allowance> parse(int count, char** words)
{
    if (count != 4)
        return std::nullopt;
    const auto number = [](const char* text) { return parseNumber<uint64_t>(text, 0, (uint64_t{1} << 42) - 1); };
    const auto bytes = number(words[1]), pixels = number(words[2]), milliseconds = number(words[3]);
    if (!bytes || !pixels || !milliseconds)
        return std::nullopt;
    return allowanceForImages(*bytes, *pixels, uint32_t((*milliseconds + 999) / 1000));
}

}

}

int main(int argc, char** argv)
{
    using namespace attnscope::decoder;
    const auto allowance = parse(argc, argv);
    if (!allowance) {
        std::fputs(
            "attnscope-decoder: this program is started by attnscope and attnscope-cli; open images with those.\n",
            stderr);
        return 2;
    }
    attnscope::warmUpDecoders();
    return serve(*allowance);
}
