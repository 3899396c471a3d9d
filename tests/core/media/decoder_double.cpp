// An image decoder that misbehaves, in the way that ATTNSCOPE_DOUBLE names: what a client has to survive.
#include "core/media/image/decoder_protocol.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace attnscope;
using namespace attnscope::decoder_protocol;

namespace {

template <typename Message>
void tell(const Message& message)
{
    ::send(socketFileDescriptor, &message, sizeof message, MSG_NOSIGNAL);
}

Request hear()
{
    Request request;
    if (::recv(socketFileDescriptor, &request, sizeof request, 0) != static_cast<ssize_t>(sizeof request))
        std::_Exit(0);
    return request;
}

void reportBytes(size_t count)
{
    const std::vector<char> bytes(count, 'x');
    ::send(socketFileDescriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

[[noreturn]] void sleepForever()
{
    for (;;)
        ::pause();
}

/// Takes the memory away from under the client, as far as the seal lets it.
void shrinkMemory()
{
    if (::ftruncate(memoryFileDescriptor, 0) == 0)
        std::_Exit(9);
}

}

int main()
{
    const char* named = std::getenv("ATTNSCOPE_DOUBLE");
    const std::string mode = named == nullptr ? "" : named;
    if (mode == "ends at start")
        return 3;
    if (mode == "never ready")
        sleepForever();
    if (mode == "another version")
        tell(Hello{magic, version + 1, 0});
    else if (mode == "other greeting")
        reportBytes(5);
    else
        tell(Hello{});
    if (mode == "answers before it is asked")
        tell(Reply{99, DecodeOutcome::Done, 0});
    if (mode == "ends while idle")
        return 0;
    for (;;) {
        const Request request = hear();
        if (mode == "aborts")
            std::abort();
        if (mode == "exits")
            std::_Exit(4);
        if (mode == "closes and stays")
            ::close(socketFileDescriptor), sleepForever();
        if (mode == "hangs")
            sleepForever();
        if (mode == "shrinks the memory")
            shrinkMemory();
        if (mode == "short answer")
            reportBytes(3);
        if (mode == "long answer")
            reportBytes(4096);
        if (mode == "empty answer")
            reportBytes(0);
        if (mode == "endless answers")
            for (;;)
                tell(Reply{request.number + 7, DecodeOutcome::Done, 0});
        if (mode == "unknown outcome")
            tell(Reply{request.number, static_cast<DecodeOutcome>(77), 0});
        tell(Reply{request.number, DecodeOutcome::Done, 0});
    }
}
