// Gives up its rights as the decoder does, then tries everything that it must
// not be able to do. Names what went through, one a line; its exit code is their number.
//
//     lockdown_probe FILE [videos]      FILE must not come into being; with the rights of the decoder of images, or of videos
#include "app/decoder/lockdown.h"
#include "core/media/process/decoder_hello.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>

namespace {

int failures = 0;

void mustFail(const char* what, bool wentThrough)
{
    if (!wentThrough)
        return;
    ++failures;
    char line[100];
    const int length = std::snprintf(line, sizeof line, "%s\n", what);
    if (::write(1, line, size_t(length)) != length)
        std::_Exit(99);
}

bool forks()
{
    const pid_t child = ::fork();
    if (child == 0)
        std::_Exit(0);
    return child > 0;
}

bool startsThread()
try {
    std::thread([] {}).join();
    return true;
} catch (const std::system_error&) {
    return false;
}

bool raises(__rlimit_resource what)
{
    const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
    return ::setrlimit(what, &more) == 0;
}

bool allocates(size_t bytes)
{
    void* memory = std::malloc(bytes);
    const bool got = memory != nullptr;
    if (got)
        std::memset(memory, 1, 4096);
    std::free(memory);
    return got;
}

}

int main(int argc, char** argv)
{
    using namespace attnscope;
    const char* writable = argc > 1 ? argv[1] : "/tmp/none";
    const bool videos = argc > 2;
    const uint32_t protections = decoder::lockDown(videos ? decoder::allowanceForVideos(1'000'000, 10)
                                                          : decoder::allowanceForImages(1 << 20, 1'000'000, 10));
    const auto holds = [&](decoder_protocol::Protection bit) { return (protections & bit) != 0; };
    if (!holds(decoder_protocol::resourceLimits) || !holds(decoder_protocol::noNewPrivileges)
        || !holds(decoder_protocol::notDumpable))
        mustFail("a protection of every Linux is missing", true);
    if (holds(decoder_protocol::memoryLimit)) {
        mustFail("2 GiB of memory", allocates(size_t{2} << 30));
        mustFail("a higher memory limit", ::geteuid() != 0 && raises(RLIMIT_AS));
    }
    mustFail("writing a core file", [] {
        rlimit core{};
        ::getrlimit(RLIMIT_CORE, &core);
        return core.rlim_max != 0;
    }());
    if (!holds(decoder_protocol::systemCallFilter)) {
        std::puts("no filter of system calls here");
        return failures;
    }
    mustFail("making a file", ::open(writable, O_CREAT | O_WRONLY, 0600) >= 0);
    mustFail("making a folder", ::mkdir(writable, 0700) == 0);
    mustFail("reading a file", ::open("/etc/passwd", O_RDONLY) >= 0);
    mustFail("opening its memory again", ::open("/proc/self/mem", O_RDWR) >= 0);
    mustFail("a socket", ::socket(AF_INET, SOCK_STREAM, 0) >= 0);
    mustFail("another process", forks());
    mustFail(videos ? "no thread" : "a thread", startsThread() != videos);
    mustFail("a signal to its parent", ::kill(::getppid(), 0) == 0);
    mustFail("tracing its parent", ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr) == 0);
    mustFail("executable memory",
             ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    mustFail("limits of another process",
             ::prlimit(::getppid(), RLIMIT_NOFILE, nullptr, nullptr) == 0 && ::getppid() != 0);
    iovec nothing{};
    mustFail("memory of its parent", ::process_vm_readv(::getppid(), &nothing, 1, &nothing, 1, 0) >= 0);
    mustFail("code from data", [] {
        void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
    }());
    char name[] = "true";
    char* const words[] = {name, nullptr};
    ::execv("/bin/true", words);
    std::puts("done");  // not when it became another program
    return failures;
}
