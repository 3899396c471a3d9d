// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/processors.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Folders of the groups that may limit this process's processor time, its own first.
std::vector<fs::path> controlGroups(const fs::path& root)
{
    std::vector<fs::path> groups;
    const auto addUpwards = [&](const fs::path& mount, std::string_view group) {
        // Outside its namespace a group begins with /.. ; where a container sees its own group alone, those that are missing do no harm.
        for (fs::path path = fs::path(group).lexically_normal().relative_path();; path = path.parent_path()) {
            groups.push_back(mount / path);
            if (path.empty())
                return;
        }
    };
    std::ifstream list(root / "proc/self/cgroup");
    for (std::string line; std::getline(list, line);) {  // hierarchy:controllers:group
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
        const auto names = split(controllers, ',');
        const fs::path mounts = root / "sys/fs/cgroup";
        if (controllers.empty())
            for (const fs::path& mount : {mounts, mounts / "unified"})
                addUpwards(mount, group);
        else if (std::ranges::find(names, "cpu") != names.end())
            for (const fs::path& mount : {mounts / controllers, mounts / "cpu"})
                addUpwards(mount, group);
    }
    return groups;
}

std::optional<double> positive(std::string_view text)
{
    return parseNumber<double>(trim(text), std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
}

std::string firstLine(const fs::path& file)
{
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
}

std::optional<double> quotaOf(const fs::path& group)
{
    const std::string both = firstLine(group / "cpu.max");  // "200000 100000", "max 100000"
    const auto blank = both.find(' ');
    const bool old = both.empty();
    const auto quota = positive(old ? firstLine(group / "cpu.cfs_quota_us") : both.substr(0, blank));  // -1: none
    const auto period = positive(old ? firstLine(group / "cpu.cfs_period_us") : blank == both.npos ? "100000" : both.substr(blank));
    return quota && period ? std::optional(*quota / *period) : std::nullopt;
}

int grantedProcessors()
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)  // fails with more than 1,024 processors
        return CPU_COUNT(&set);
    return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

}  // namespace

std::optional<double> cpuQuota(const fs::path& root)
{
    std::optional<double> least;
    for (const fs::path& group : controlGroups(root))
        if (const auto quota = quotaOf(group); quota && (!least || *quota < *least))
            least = quota;
    return least;
}

std::int64_t timesThrottled(const fs::path& root)
{
    std::int64_t times = 0;
    for (const fs::path& group : controlGroups(root)) {
        std::ifstream stream(group / "cpu.stat");
        for (std::string line; std::getline(stream, line);)
            if (std::string_view rest = line; takePrefix(rest, "nr_throttled "))
                times += parseNumber<std::int64_t>(rest).value_or(0);
    }
    return times;
}

int usableProcessors()
{
    static const int count = [] {
        const auto quota = cpuQuota();
        const int granted = grantedProcessors();
        return quota && *quota < granted ? std::max(static_cast<int>(std::ceil(*quota)), 1) : granted;
    }();
    return count;
}

ThrottleWatch::ThrottleWatch(fs::path root)
    : m_root(std::move(root))
    , m_before(timesThrottled(m_root))
{}

void ThrottleWatch::addTo(std::vector<std::string>& notes) const
{
    const std::string note = "the CPU quota of this container or group stopped the process while it was timed, so times may be too long; use "
                             "fewer --threads or raise the quota";
    if (timesThrottled(m_root) > m_before && std::ranges::find(notes, note) == notes.end())
        notes.push_back(note);
}

}  // namespace attnscope
