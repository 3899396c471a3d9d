#pragma once

#include <cstdint>
#include <string>

/// Which process evaluates: a mark in the store that tells whether the process that started something is still alive.
namespace attnscope {

/// If the heartbeat is older, its process hangs, or runs on a machine that can't be asked.
constexpr int64_t heartbeatSeconds = 30;

/// A mark of this process and of one connection in it: machine (its boot), pid, start time of the process, a counter.
std::string newOwnerMark();

/// Whether the process of `mark` is alive, as far as that can be determined: on this machine by pid and start time, so that a reused pid is
/// not mistaken for it; elsewhere only by the heartbeat. `heartbeat`, `now`: seconds since 1970. An empty mark belongs to nobody.
bool ownerLives(const std::string& mark, int64_t heartbeat, int64_t now);

/// "process 4711", or "process 4711 on another machine".
std::string describeOwner(const std::string& mark);

int64_t secondsSince1970();
/// ISO 8601, UTC, with milliseconds.
std::string timeNow();
/// 128 random bits as hexadecimal digits.
std::string newUniqueId();

}
