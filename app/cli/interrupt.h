// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <thread>

namespace attnscope::cli {

/// Turns the first Ctrl-C (or SIGTERM) into a stop request and lets a second one leave at once with exit code 130.
/// One object a process: signal handlers have no other home.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    void watch();

    std::stop_source m_source;
    std::thread m_watcher;
};

}  // namespace attnscope::cli
