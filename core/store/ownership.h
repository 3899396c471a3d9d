// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// Who evaluates: a mark in the store that says whether a process that began something still lives.
namespace attnscope {

/// A heartbeat that is older means that its process hangs, or lives on a machine that cannot be asked.
constexpr std::int64_t heartbeatSeconds = 30;

/// A mark of this process and of one connection in it: machine (its boot), pid, start of the process, a count.
std::string newOwnerMark();

/// Whether the process of `mark` runs, as far as can be told: on this machine by pid and start time, so that a pid that was given away
/// again is not taken for it; elsewhere only by the heartbeat. `heartbeat`, `now`: seconds since 1970. An empty mark is nobody's.
bool ownerLives(const std::string& mark, std::int64_t heartbeat, std::int64_t now);

/// "process 4711", or "process 4711 of another machine".
std::string describeOwner(const std::string& mark);

std::int64_t secondsSince1970();
/// ISO 8601, UTC, with milliseconds.
std::string timeNow();
/// 128 random bits as hexadecimal digits.
std::string newUniqueId();

}  // namespace attnscope
