#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Processors' worth of time that the control groups of this process allow (v2 `cpu.max`, v1 `cpu.cfs_quota_us`): the least of its own group
/// and those above. Empty: no limit. `root`: where /proc and /sys are.
std::optional<double> cpuQuota(const std::filesystem::path& root = "/");

/// How often these groups' quotas have stopped processes.
int64_t timesThrottled(const std::filesystem::path& root = "/");

/// The processors that affinity and quota (rounded up) leave, at least 1. Determined by the first call: before privileges are given up.
int usableProcessors();

/// Notes once if a quota has stopped processes since there were `before` times: what was timed meanwhile may be too long.
void noteThrottling(int64_t before, std::vector<std::string>& notes, const std::filesystem::path& root = "/");

}
