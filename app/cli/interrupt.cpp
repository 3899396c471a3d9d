// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include "app/cli/exit_code.h"
#include "app/cli/output/console.h"
#include "core/base/error.h"
#include "core/distributed/launch.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace attnscope::cli {

namespace {

// Only what is safe in a signal handler: a counter and a pipe. A thread behind the pipe does the rest.
std::atomic<int> signalCount{0};
std::array<int, 2> signalPipe{-1, -1};

void onSignal(int)
{
    if (signalCount.fetch_add(1) > 0)
        ::_exit(static_cast<int>(ExitCode::Interrupted));
    const char byte = 's';
    const int kept = errno;
    [[maybe_unused]] const auto written = ::write(signalPipe[1], &byte, 1);
    errno = kept;
}

}  // namespace

Interrupt::Interrupt()
{
    if (::pipe2(signalPipe.data(), O_CLOEXEC) != 0)
        throw Unsupported("", "no pipe could be opened for signals");
    m_watcher = std::thread([this] { watch(); });
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of `write`
    ::signal(SIGXFSZ, SIG_IGN);  // so is a file that reaches the limit of its size: as good as a full disk
}

Interrupt::~Interrupt()
{
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    const char byte = 'q';
    [[maybe_unused]] const auto written = ::write(signalPipe[1], &byte, 1);
    m_watcher.join();
    ::close(signalPipe[0]);
    ::close(signalPipe[1]);
}

void Interrupt::watch()
{
    char byte = 0;
    while (::read(signalPipe[0], &byte, 1) < 0 && errno == EINTR) {
    }
    if (byte != 's')
        return;
    if (launch().isFirst())  // of several that mpirun stops
        writeError("\nattnscope-cli: stopping after this step; press Ctrl-C again to quit immediately\n");
    m_source.request_stop();
}

}  // namespace attnscope::cli
