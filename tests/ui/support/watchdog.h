// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui::test {

/// The longest time in ms that the event loop did not turn, as a timer of 10 ms sees it.
struct Watchdog {
    QElapsedTimer since;
    QTimer timer;
    qint64 longest = 0;
    Watchdog()
    {
        QObject::connect(&timer, &QTimer::timeout, &timer, [this] { longest = std::max(longest, since.restart()); });
        since.start();
        timer.start(10);
    }
};

}  // namespace attnscope::ui::test
