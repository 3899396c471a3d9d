#include "core/store/ownership.h"

#include "core/base/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <random>
#include <vector>

namespace attnscope {

namespace {

std::string readLine(const std::string& path)
{
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// Field 22 of /proc/PID/stat, in clock ticks since boot; empty if there is no such process, or it is a zombie.
std::string processStart(const std::string& pid)
{
    const std::string stat = readLine("/proc/" + pid + "/stat");
    const size_t name = stat.rfind(')');  // the name may contain blanks and parentheses
    if (name == std::string::npos || name + 2 >= stat.size() || stat[name + 2] == 'Z' || stat[name + 2] == 'X')
        return {};
    const auto fields = split(std::string_view(stat).substr(name + 2), ' ');
    return fields.size() > 19 ? std::string(fields[19]) : std::string();
}

/// Identifies this boot of this machine, and this container: pids of another one are meaningless here.
std::string machine()
{
    std::error_code problem;
    const std::string boot = readLine("/proc/sys/kernel/random/boot_id");
    std::vector<char> space(64);
    const auto length = readlink("/proc/self/ns/pid", space.data(), space.size());
    return boot + "/" + std::string(space.data(), length > 0 ? size_t(length) : 0);
}

}

std::string newOwnerMark()
{
    static std::atomic<int> count{0};
    const std::string pid = std::to_string(getpid());
    return fmt::format("{} {} {} {}", machine(), pid, processStart(pid), ++count);
}

bool ownerLives(const std::string& mark, int64_t heartbeat, int64_t now)
{
    if (mark.empty() || heartbeat > now + heartbeatSeconds || now - heartbeat > heartbeatSeconds)
        return false;
    const auto fields = split(mark, ' ');
    if (fields.size() != 4)
        return false;
    if (fields[0] != machine())
        return true;
    const std::string start = processStart(std::string(fields[1]));
    return !start.empty() && start == fields[2];
}

std::string describeOwner(const std::string& mark)
{
    const auto fields = split(mark, ' ');
    if (fields.size() != 4)
        return "another process";
    return fmt::format("process {}{}", printable(fields[1]), fields[0] == machine() ? "" : " on another machine");
}

int64_t secondsSince1970()
{
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string timeNow()
{
    const auto now = std::chrono::system_clock::now();
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count()
                              % 1000;
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)),
                       milliseconds);
}

std::string newUniqueId()
{
    std::random_device device;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

}
