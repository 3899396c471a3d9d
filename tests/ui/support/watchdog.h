#pragma once

#include "core_time.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui::test {

/// The longest time in ms that the event loop did not turn of its own doing, as a timer of 10 ms sees it: computing, waiting for a
/// file, a lock or another thread. Times when the thread could have run and had no core do not count: they say how busy the machine
/// is, and no window can help it.
struct Watchdog {
    QElapsedTimer since;
    CoreTime before;
    QTimer timer;
    qint64 longest = 0;  ///< of its own doing
    qint64 longestAtAll = 0;
    Watchdog()
    {
        QObject::connect(&timer, &QTimer::timeout, &timer, [this] { look(); });
        leaveOut();
        timer.start(10);
    }
    /// After something that the test did itself, such as a picture of the window.
    void leaveOut()
    {
        since.start();
        before = CoreTime::ofThisThread();
    }

private:
    void look()
    {
        const qint64 gap = since.restart();
        const CoreTime now = CoreTime::ofThisThread();
        longestAtAll = std::max(longestAtAll, gap);
        longest = std::max(longest, std::max(gap - now.withoutSince(before), now.ranSince(before)));
        before = now;
    }
};

}
