#include "core/base/process/process_limit.h"

#include "core/base/error.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <fstream>
#include <latch>
#include <thread>
#include <vector>

namespace attnscope {

namespace {

std::string limitOf(__rlimit_resource what)
{
    rlimit both{};
    if (::getrlimit(what, &both) != 0 || both.rlim_cur == RLIM_INFINITY)
        return {};
    return ", now " + std::to_string(both.rlim_cur);
}

}

std::optional<ReachedLimit> reachedLimit(int error)
{
    switch (error) {
    case EAGAIN:
        return ReachedLimit{"no more processes or threads can be started",
                            "raise the limit (ulimit -u" + limitOf(RLIMIT_NPROC) + "), or close other programs"};
    case EMFILE:
        return ReachedLimit{"no more files can be opened",
                            "raise the limit of open files (ulimit -n" + limitOf(RLIMIT_NOFILE) + ")"};
    case ENFILE:
        return ReachedLimit{"the system cannot open any more files", "close other programs"};
    case ENOMEM:
        return ReachedLimit{"there is not enough memory",
                            "close other programs, or raise the limit (ulimit -v" + limitOf(RLIMIT_AS) + ")"};
    default:
        return std::nullopt;
    }
}

void refuseWithoutResources(int error, std::string_view file)
{
    if (error != EMFILE && error != ENFILE && error != ENOMEM)
        return;
    const ReachedLimit limit = *reachedLimit(error);
    throw Unsupported(file, "it cannot be read now, as " + limit.problem, limit.remedy);
}

uint64_t addressSpaceInUse()
{
    unsigned long pages = 0;
    std::ifstream file("/proc/self/statm");
    return file >> pages ? pages * uint64_t(::sysconf(_SC_PAGESIZE)) : 0;
}

int64_t threadsThatStart(int64_t wanted)
{
    std::latch counted(1);
    std::vector<std::jthread> others;
    try {
        while (int64_t(others.size()) + 1 < wanted)
            others.emplace_back([&] { counted.wait(); });
    } catch (const std::exception&) {  // no more threads, or no memory for the list
    }
    counted.count_down();
    return int64_t(others.size()) + 1;
}

}
