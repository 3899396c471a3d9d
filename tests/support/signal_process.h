#pragma once

#include <csignal>
#include <cstdint>

#include <sys/types.h>

namespace attnscope::test {

/// kill(2) for one process. QProcess::processId() is 0 once a process has ended, and a fork that failed is -1: kill(2) would take
/// these for the group of the test, whoever runs it among them, and for everybody. False where no signal was sent.
inline bool signalProcess(int64_t pid, int signal)
{
    return pid > 1 && ::kill(static_cast<pid_t>(pid), signal) == 0;
}

}
