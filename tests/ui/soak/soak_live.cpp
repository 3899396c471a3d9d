// SPDX-License-Identifier: Apache-2.0
// Plays a video in the Live screen for a while, with two backends answering, and says what that took:
//
//     soak_live VIDEO MINUTES [MODEL] [SPEC SPEC…]
//
// Memory as a straight line through the resident size, from a fifth of the time on; files, threads; the longest time in which the
// event loop did not come round. Exit code 1 beyond 100 ms, 4 MiB an hour after ten minutes or more, or a file or thread that stays.
#include "tests/ui/support/window_fixture.h"
#include "ui/live/live_page.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace attnscope;
using namespace attnscope::ui;

namespace {

struct Sample {
    double minutes = 0, residentMiB = 0;
    int files = 0, threads = 0;
};

int entries(const char* folder) { return static_cast<int>(QDir(QString::fromLatin1(folder)).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size()); }

double residentMiB()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("/proc/self/statm cannot be read");
    return file.readAll().split(' ').at(1).toDouble() * 4096 / (1 << 20);
}

/// MiB an hour.
double slope(const std::vector<Sample>& samples)
{
    const auto first = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 5);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (auto it = first; it != samples.end(); ++it, n += 1) {
        x += it->minutes, y += it->residentMiB;
        xx += it->minutes * it->minutes, xy += it->minutes * it->residentMiB;
    }
    const double spread = n * xx - x * x;
    return spread > 0 ? 60 * (n * xy - x * y) / spread : 0;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: soak_live VIDEO MINUTES [MODEL] [SPEC…]\n");
        return 2;
    }
    QApplication app(argc, argv);
    attnscope::ui::test::prepareApplication();
    const double minutes = QString::fromLocal8Bit(argv[2]).toDouble();
    WindowOptions options;
    options.loaded.settings.theme = QStringLiteral("light");
    options.loaded.settings.context.model
        = argc > 3 ? QString::fromLocal8Bit(argv[3]) : QStringLiteral(TEST_DATA_DIR "/models/motionformer_trajectory_tiny_cfg.json");
    for (int i = 4; i < argc; ++i)
        options.loaded.settings.specs << QString::fromLocal8Bit(argv[i]);
    if (options.loaded.settings.specs.isEmpty())
        options.loaded.settings.specs = QStringList{QStringLiteral("softmax"), QStringLiteral("performer:samples=16")};
    Engine engine(coreWorkbench());
    MainWindow window(engine, options, screens(options));
    window.resize(1280, 800);
    window.show();
    window.showScreen(QStringLiteral("live"));
    window.session<LiveSession>()->openFile(QString::fromLocal8Bit(argv[1]));
    window.session<LiveSession>()->setLoop(true);
    if (!QTest::qWaitFor([&] { return window.session<LiveSession>()->counts().predicted > 2; }, 60'000)) {
        std::fprintf(stderr, "nothing was predicted\n");
        return 1;
    }
    std::vector<Sample> samples;
    std::vector<qint64> gaps;
    QElapsedTimer since, clock;
    QTimer watchdog, sampler;
    QObject::connect(&watchdog, &QTimer::timeout, [&] { gaps.push_back(since.restart()); });
    QObject::connect(&sampler, &QTimer::timeout, [&] {
        samples.push_back({static_cast<double>(clock.elapsed()) / 60'000, residentMiB(), entries("/proc/self/fd"), entries("/proc/self/task")});
    });
    since.start();
    clock.start();
    watchdog.start(10);
    sampler.start(2000);
    QTest::qWait(static_cast<int>(minutes * 60'000));
    watchdog.stop();
    sampler.stop();
    if (samples.size() < 5)
        return 2;
    const PlayerState state = window.session<LiveSession>()->state();
    const ScheduleCounts counts = window.session<LiveSession>()->counts();
    std::sort(gaps.begin(), gaps.end());
    const Sample &begin = samples[samples.size() / 5], &end = samples.back();
    std::printf("%.1f minutes, %lld frames shown, %lld dropped, %lld clips predicted, %lld missed\n", minutes, static_cast<long long>(state.shown),
                static_cast<long long>(state.dropped), static_cast<long long>(counts.predicted), static_cast<long long>(counts.missed));
    std::printf("resident %.1f MiB, %.1f at the end, slope %+.2f MiB/h\n", begin.residentMiB, end.residentMiB, slope(samples));
    std::printf("files %d, %d at the end; threads %d, %d at the end\n", begin.files, end.files, begin.threads, end.threads);
    std::printf("event loop: longest gap %lld ms, 99.9 %% within %lld ms\n", static_cast<long long>(gaps.back()),
                static_cast<long long>(gaps[gaps.size() - 1 - gaps.size() / 1000]));
    const bool grew = minutes >= 10 && slope(samples) > 4;
    return gaps.back() > 100 || grew || end.files > begin.files || end.threads > begin.threads ? 1 : 0;
}
