#pragma once

#include "tests/ui/support/watchdog.h"

#include <QString>

#include <memory>
#include <vector>

namespace attnscope::ui::test {

/// What a program takes while it runs for long: memory, files, threads, and how long its event loop stands still. Memory, files and
/// threads include those of the processes that it has started.
class SoakMeter {
public:
    static constexpr double growthLimit = 1;  ///< MiB in ten minutes
    static constexpr qint64 gapLimit = 100;   ///< ms
    static constexpr double warmUp = 10;      ///< minutes that do not count as growth; in short runs half of them
    static constexpr double judgedFrom = 15;  ///< minutes of a run whose growth says anything

    /// Of this process, which has an event loop; of another one, without it.
    explicit SoakMeter(double minutes, qint64 process = 0);

    bool isOver() const { return minutesSoFar() >= m_minutes; }
    /// Names what is done from now on: the event loop's gaps are attributed to it.
    void enter(const QString& step);
    /// Records memory, files and threads, and prints them in one line with the longest gap since the last line.
    void sample();
    /// Prints what the samples come to. 0: within the limits; 1: beyond them.
    int finish();

private:
    struct Sample {
        double minutes = 0, memoryMiB = 0, heapMiB = 0;
        int files = 0, threads = 0, processes = 0;
    };
    struct Gap {
        qint64 atAll = 0, own = 0;  ///< ms; `own` without the time in which the thread had no core
        QString step;
    };

    double minutesSoFar() const { return double(m_clock.elapsed()) / 60'000; }
    Sample now() const;
    void takeGap();
    /// Least squares, in MiB per ten minutes, after the warm-up.
    double growth(double Sample::*memory) const;
    /// How many more there were in the last third after the warm-up than in the first, by their medians.
    int increase(int Sample::*count) const;
    std::vector<Sample> judged() const;

    double m_minutes;
    qint64 m_process;
    QElapsedTimer m_clock;
    std::unique_ptr<Watchdog> m_watchdog;
    std::vector<Sample> m_samples;
    QString m_step;
    Gap m_gap, m_longestGap;  ///< since the last line; of all
};

}
