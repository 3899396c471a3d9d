#include "tests/ui/soak/soak_meter.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <cstdio>
#include <cstdlib>  // defines macros that identify the C library
#include <iterator>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

namespace {

constexpr double mebibyte = 1 << 20;

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList names(const QString& folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
}

/// Of a process: pages without a file behind them, swapped ones included. Those of files come and go with what else the machine does.
double ownMiB(const QByteArray& status)
{
    double kibibytes = 0;
    for (const QByteArray& line : status.split('\n'))
        for (const char* field : {"RssAnon:", "RssShmem:", "VmSwap:"})
            if (line.startsWith(field))
                kibibytes += line.simplified().split(' ').at(1).toDouble();
    return kibibytes / 1024;
}

/// Memory that the C library's allocator has given out, of this process alone; 0: unknown.
double heapMiB()
{
#ifdef __GLIBC__
    const struct mallinfo2 info = mallinfo2();
    return double(info.uordblks + info.hblkhd) / mebibyte;
#else
    return 0;
#endif
}

}

SoakMeter::SoakMeter(double minutes, qint64 process)
    : m_minutes(minutes)
    , m_process(process != 0 ? process : QCoreApplication::applicationPid())
{
    m_clock.start();
    if (process == 0)
        m_watchdog = std::make_unique<Watchdog>();
}

SoakMeter::Sample SoakMeter::now() const
{
    Sample out;
    out.minutes = minutesSoFar();
    if (m_watchdog)
        out.heapMiB = heapMiB();
    std::vector<qint64> processes{m_process};
    for (size_t i = 0; i < processes.size(); ++i) {
        const QString folder = u"/proc/%1/"_s.arg(processes[i]);
        out.memoryMiB += ownMiB(contents(folder + u"status"_s));
        out.files += int(names(folder + u"fd"_s).size());
        out.processes += 1;
        const QStringList threads = names(folder + u"task"_s);
        out.threads += int(threads.size());
        for (const QString& thread : threads)
            for (const QByteArray& child :
                 contents(folder + u"task/%1/children"_s.arg(thread)).simplified().split(' '))
                if (!child.isEmpty())
                    processes.push_back(child.toLongLong());
    }
    return out;
}

void SoakMeter::takeGap()
{
    if (!m_watchdog)
        return;
    const Gap gap{m_watchdog->longestAtAll, m_watchdog->longest, m_step};
    if (gap.atAll > m_gap.atAll)
        m_gap = gap;
    if (gap.atAll > m_longestGap.atAll)
        m_longestGap = gap;
    if (gap.atAll > gapLimit)
        std::printf("%6.2f min  event loop: %lld ms, %lld of its own doing, in %s\n", minutesSoFar(),
                    static_cast<long long>(gap.atAll), static_cast<long long>(gap.own), qPrintable(gap.step));
    m_watchdog->longest = m_watchdog->longestAtAll = 0;
}

void SoakMeter::enter(const QString& step)
{
    takeGap();
    m_step = step;
}

void SoakMeter::sample()
{
    takeGap();
    const Sample taken = now();
    m_samples.push_back(taken);
    std::printf("%6.2f min  %.1f MiB", taken.minutes, taken.memoryMiB);
    if (m_watchdog)
        std::printf(" (heap %.1f)", taken.heapMiB);
    std::printf(", %d files, %d threads, %d processes", taken.files, taken.threads, taken.processes);
    if (m_watchdog) {
        std::printf("; longest gap %lld ms (%lld of its own doing) in %s", static_cast<long long>(m_gap.atAll),
                    static_cast<long long>(m_gap.own), qPrintable(m_gap.step));
        m_gap = {};
        m_watchdog->leaveOut();  // reading /proc is no work of the window
    }
    std::printf("\n");
    std::fflush(stdout);
}

std::vector<SoakMeter::Sample> SoakMeter::judged() const
{
    const double end = m_samples.empty() ? 0 : m_samples.back().minutes, from = std::min(warmUp, end / 2);
    std::vector<Sample> out;
    std::ranges::copy_if(m_samples, std::back_inserter(out),
                         [&](const Sample& each) { return each.minutes >= from; });
    return out;
}

double SoakMeter::growth(double Sample::*memory) const
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Sample& each : judged()) {
        n += 1, x += each.minutes, y += each.*memory;
        xx += each.minutes * each.minutes, xy += each.minutes * each.*memory;
    }
    const double spread = n * xx - x * x;
    return spread > 0 ? 10 * (n * xy - x * y) / spread : 0;
}

int SoakMeter::increase(int Sample::*count) const
{
    std::vector<int> counts;
    for (const Sample& each : judged())
        counts.push_back(each.*count);
    const auto third = ptrdiff_t(counts.size() / 3);
    if (third == 0)
        return 0;
    const auto median = [&](auto begin) {
        std::nth_element(begin, begin + third / 2, begin + third);
        return *(begin + third / 2);
    };
    const int first = median(counts.begin());
    return median(counts.end() - third) - first;
}

int SoakMeter::finish()
{
    takeGap();
    if (judged().size() < 3) {
        std::printf("too short: fewer than three samples\n");
        return 1;
    }
    const double total = m_samples.back().minutes, memory = growth(&Sample::memoryMiB);
    const int files = increase(&Sample::files), threads = increase(&Sample::threads);
    std::printf("%.1f minutes, growth after the first %.1f: %+.2f MiB per 10 minutes", total,
                std::min(warmUp, total / 2), memory);
    if (m_watchdog)
        std::printf(" (heap %+.2f)", growth(&Sample::heapMiB));
    std::printf(", %+d files, %+d threads", files, threads);
    if (m_watchdog)
        std::printf("; longest gap of the event loop %lld ms, %lld of its own doing, in %s",
                    static_cast<long long>(m_longestGap.atAll), static_cast<long long>(m_longestGap.own),
                    qPrintable(m_longestGap.step));
    const bool grew = total >= judgedFrom && memory > growthLimit;
    const bool beyond = grew || files > 0 || threads > 0 || m_longestGap.atAll > gapLimit;
    std::printf("\n%s\n", beyond                ? "beyond the limits"
                          : total >= judgedFrom ? "within the limits"
                                                : "within the limits; too short to judge growth");
    return beyond ? 1 : 0;
}

}
