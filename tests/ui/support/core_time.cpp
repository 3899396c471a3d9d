#include "core_time.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include <time.h>
#include <unistd.h>

namespace attnscope::ui::test {

CoreTime CoreTime::ofThisThread()
{
    CoreTime out;
    timespec ran{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
    out.ran = double(ran.tv_sec) * 1e3 + double(ran.tv_nsec) * 1e-6;

    // proc(5): nanoseconds on a core, nanoseconds waiting for one, number of turns.
    std::ifstream turns("/proc/thread-self/schedstat");
    double onCore = 0, waiting = 0;
    if (turns >> onCore >> waiting)
        out.waited = waiting * 1e-6;

    // "cpuN user nice system idle iowait irq softirq steal …" in ticks; the line before them sums all cores up.
    static const double tick = 1e3 / double(sysconf(_SC_CLK_TCK));
    std::ifstream cores("/proc/stat");
    std::string line;
    std::getline(cores, line);
    while (std::getline(cores, line) && line.rfind("cpu", 0) == 0) {
        std::istringstream words(line);
        std::string name;
        double ticks = 0;
        words >> name;
        for (int column = 0; column < 8; ++column)
            words >> ticks;
        out.heldBack.push_back(ticks * tick);
    }
    return out;
}

qint64 CoreTime::withoutSince(const CoreTime& before) const
{
    double longest = 0;
    for (size_t core = 0; core < std::min(heldBack.size(), before.heldBack.size()); ++core)
        longest = std::max(longest, heldBack[core] - before.heldBack[core]);
    return qint64(waited - before.waited + longest);
}

}
