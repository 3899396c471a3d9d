#include "core/base/process/processors.h"

#include "core/base/text.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Folders of the groups that may limit this process; those outside its namespace are missing.
std::vector<fs::path> controlGroups(const fs::path& root)
{
    std::vector<fs::path> groups;
    std::ifstream list(root / "proc/self/cgroup");
    for (std::string line; std::getline(list, line);) {
        const auto parts = split(line, ':');  // hierarchy, controllers, group
        if (parts.size() < 3)
            continue;
        const bool unified = parts[1].empty();
        const auto controllers = split(parts[1], ',');
        if (!unified && std::ranges::find(controllers, "cpu") == controllers.end())
            continue;
        const fs::path mounts = root / "sys/fs/cgroup";
        for (const fs::path& mount : {mounts / parts[1], mounts / (unified ? "unified" : "cpu")})
            for (fs::path group = fs::path(parts[2]).lexically_normal().relative_path();;
                 group = group.parent_path()) {
                groups.push_back(mount / group);
                if (group.empty())
                    break;
            }
    }
    return groups;
}

/// 0: none.
double quotaOf(const fs::path& group)
{
    double quota = 0, period = 0;
    if (std::ifstream both(group / "cpu.max"); both.is_open()) {  // "200000 100000", "max 100000"
        both >> quota >> period;
    } else {
        std::ifstream(group / "cpu.cfs_quota_us") >> quota;  // -1: none
        std::ifstream(group / "cpu.cfs_period_us") >> period;
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

}

std::optional<double> cpuQuota(const fs::path& root)
{
    std::optional<double> least;
    for (const fs::path& group : controlGroups(root))
        if (const double quota = quotaOf(group); quota > 0)
            least = std::min(quota, least.value_or(quota));
    return least;
}

int64_t timesThrottled(const fs::path& root)
{
    int64_t times = 0;
    for (const fs::path& group : controlGroups(root)) {
        std::ifstream stream(group / "cpu.stat");
        std::string key;
        for (int64_t value = 0; stream >> key >> value;)
            times += key == "nr_throttled" ? value : 0;
    }
    return times;
}

int usableProcessors()
{
    static const int count = [] {
        cpu_set_t set;
        const int granted = sched_getaffinity(0, sizeof set, &set) == 0
                                ? CPU_COUNT(&set)
                                : std::max(int(std::thread::hardware_concurrency()), 1);
        return int(std::min<double>(granted, std::ceil(cpuQuota().value_or(granted))));
    }();
    return count;
}

void noteThrottling(int64_t before, std::vector<std::string>& notes, const fs::path& root)
{
    constexpr const char* note = "a CPU quota stopped the process while it was timed, so times may be too long; "
                                 "use fewer --threads or raise the quota";
    if (timesThrottled(root) > before && std::ranges::find(notes, note) == notes.end())
        notes.emplace_back(note);
}

}
