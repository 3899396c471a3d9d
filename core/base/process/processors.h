// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// How many processors this process may use: containers and batch systems allow fewer than the machine has.
namespace attnscope {

/// The processor time per second that the control groups of this process allow (cgroup v2 `cpu.max`, v1 `cpu.cfs_quota_us`), in processors:
/// the least of its own group and those above it that can be seen. Empty where none has a limit. `root` is where /proc and /sys are.
[[nodiscard]] std::optional<double> cpuQuota(const std::filesystem::path& root = "/");

/// How often these groups have stopped their processes because a quota was used up.
[[nodiscard]] std::int64_t timesThrottled(const std::filesystem::path& root = "/");

/// The processors that the scheduler grants (affinity), but no more than the quota, rounded up; at least 1. Determined by the first call, so
/// a process that gives up its privileges calls it before.
[[nodiscard]] int usableProcessors();

/// Watches whether a quota stops this process while something is timed.
class ThrottleWatch {
public:
    explicit ThrottleWatch(std::filesystem::path root = "/");

    /// Adds a note if that has happened since the watch began and `notes` does not have it yet.
    void addTo(std::vector<std::string>& notes) const;

private:
    std::filesystem::path m_root;
    std::int64_t m_before;
};

}  // namespace attnscope
