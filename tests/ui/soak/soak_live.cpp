// Plays a video in a loop in the Live screen, with two backends or those given, and says what that takes:
//
//     soak_live MINUTES VIDEO [MODEL] [SPEC…]
//
// Exit code 1 beyond the limits of SoakMeter.
#include "tests/ui/soak/soak_meter.h"
#include "tests/ui/support/window_fixture.h"

#include "app/brief_waiting.h"
#include "core/device/freed_memory.h"
#include "ui/live/live_page.h"

#include <QApplication>

#include <cstdio>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: soak_live MINUTES VIDEO [MODEL] [SPEC…]\n");
        return 2;
    }
    waitBriefly(argv);
    keepFreedMemory();
    QApplication app(argc, argv);
    attnscope::ui::test::prepareApplication();
    const double minutes = QString::fromLocal8Bit(argv[1]).toDouble();
    WindowOptions options;
    options.loaded.settings.theme = u"light"_s;
    options.loaded.settings.context.model = argc > 3
                                                ? QString::fromLocal8Bit(argv[3])
                                                : QStringLiteral(TEST_DATA_DIR
                                                                 "/models/motionformer_trajectory_tiny_cfg.json");
    for (int i = 4; i < argc; ++i)
        options.loaded.settings.specs << QString::fromLocal8Bit(argv[i]);
    if (options.loaded.settings.specs.isEmpty())
        options.loaded.settings.specs = QStringList{u"softmax"_s, u"performer:samples=16"_s};
    Engine engine(coreWorkbench());
    MainWindow window(engine, options, screens(options));
    window.resize(1280, 800);
    window.show();
    window.showScreen(u"live"_s);
    auto* live = window.session<LiveSession>();
    live->openFile(QString::fromLocal8Bit(argv[2]));
    live->setLoop(true);
    if (!QTest::qWaitFor([&] { return live->counts().predicted > 2; }, 60'000)) {
        std::fprintf(stderr, "nothing was predicted\n");
        return 1;
    }
    attnscope::ui::test::SoakMeter meter(minutes);
    meter.enter(u"live"_s);
    while (!meter.isOver()) {
        QTest::qWait(10'000);
        meter.sample();
    }
    const PlayerState state = live->state();
    const ScheduleCounts counts = live->counts();
    std::printf("%lld frames shown, %lld dropped, %lld clips predicted, %lld missed\n",
                static_cast<long long>(state.shown), static_cast<long long>(state.dropped),
                static_cast<long long>(counts.predicted), static_cast<long long>(counts.missed));
    return meter.finish();
}
