#include "app/decoder/lockdown.h"

#include "core/base/process/process_limit.h"
#include "core/media/process/decoder_hello.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__)
#define ATTNSCOPE_CHECKS_ADDRESSES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTNSCOPE_CHECKS_ADDRESSES
#endif
#endif

#ifdef ATTNSCOPE_CHECKS_ADDRESSES
/// Leaks are looked for by a process of its own, which cannot be started any more.
extern "C" int __lsan_is_turned_off()
{
    return 1;
}
#endif

namespace attnscope::decoder {

namespace {

using namespace decoder_protocol;

bool limit(__rlimit_resource what, uint64_t value)
{
    const rlimit both{value, value};
    return ::setrlimit(what, &both) == 0;
}

/// The shared memory grows by halves.
bool limitMemory(const Allowance& allowance)
{
#ifdef ATTNSCOPE_CHECKS_ADDRESSES
    (void)allowance;
    return false;  // its shadow takes terabytes of address space
#else
    const uint64_t now = addressSpaceInUse();
    return now != 0 && limit(RLIMIT_AS, now + allowance.sharedBytes / 2 * 3 + allowance.workingBytes);
#endif
}

bool limitResources(const Allowance& allowance)
{
    // One more, for a video that the client opened. The limit on processes counts the user's threads, everywhere.
    constexpr int openFiles = memoryFileDescriptor + 2;
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, openFiles) && limit(RLIMIT_FSIZE, 0)
           && (allowance.threads || limit(RLIMIT_NPROC, 0));
}

}

/// Decoders hold up to 16 bytes a pixel of their own: coefficients of a progressive JPEG with four channels 8, 16-bit pixels 6, WebP's planes
/// less.
Allowance allowanceForImages(uint64_t encodedBytes, uint64_t pixels, uint32_t seconds)
{
    return {encodedBytes + 3 * pixels, 16 * pixels + (uint64_t{256} << 20), seconds, false};
}

/// 16 frames that others refer to, and one for each of 8 threads, of up to 6 bytes a pixel; stacks and heaps of the threads.
Allowance allowanceForVideos(uint64_t pixels, uint32_t seconds)
{
    constexpr uint32_t maxThreads = 8;
    return {3 * pixels, (16 + maxThreads) * 6 * pixels + (uint64_t{1} << 30), seconds * maxThreads, true};
}

uint32_t lockDown(const Allowance& allowance)
{
    uint32_t protections = 0;
    const auto note = [&](Protection bit, bool holds) { protections |= holds ? bit : 0u; };
    note(notDumpable, ::prctl(PR_SET_DUMPABLE, 0) == 0);
    note(noNewPrivileges, ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    note(memoryLimit, limitMemory(allowance));
    allowProcessorTime(allowance.secondsPerRequest);
    note(resourceLimits, limitResources(allowance));
    note(systemCallFilter, filterSystemCalls(allowance.threads));
    return protections;
}

void allowProcessorTime(uint32_t seconds)
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    rlimit bounds{};
    ::getrlimit(RLIMIT_CPU, &bounds);
    const rlim_t soft = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 2;
    bounds.rlim_cur = bounds.rlim_max == RLIM_INFINITY || soft < bounds.rlim_max ? soft : bounds.rlim_max;
    ::setrlimit(RLIMIT_CPU, &bounds);
}

}
