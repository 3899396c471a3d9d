#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/neighbours/neighbours_page.h"
#include "ui/neighbours/neighbour_view.h"
#include "ui/neighbours/search_form.h"
#include "ui/neighbours/neighbours_session.h"
#include "ui/widgets/controls.h"
#include "ui/scale/scale_page.h"
#include "ui/scale/decode/decode_tab.h"
#include "ui/scale/tensors/kernel_tab.h"
#include "ui/engine/workbench.h"
#include "ui/style/theme.h"
#include <QDir>
using namespace attnscope::ui;
using namespace attnscope;
class TestRealShots : public QObject {
    Q_OBJECT
private slots:
    void shots()
    {
        test::prepareApplication();
        Engine engine{coreWorkbench()};
        WindowOptions options;
        options.scale = coreScale();
        options.neighbours = coreNeighbours(RESOURCE_DIR "/demo/photos");
        options.demoImage = QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg");
        options.loaded.settings.context.weights = QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors");
        options.loaded.settings.demoBar = false;
        MainWindow window(engine, options, screens(options));
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(QTest::qWaitFor([&] { return window.workspace().model() != nullptr; }, 60000));
        const QString where = qEnvironmentVariable("ATTNSCOPE_SHOTS") + QStringLiteral("/real-");
        const auto shoot = [&](const QString& name) {
            for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")})
                for (const QSize& size : {QSize(1280, 800), QSize(1024, 640)}) {
                    applyTheme(theme);
                    window.resize(size);
                    QTest::qWait(400);
                    window.grab().save(where + name + QStringLiteral("-%1-%2x%3.png").arg(theme).arg(size.width()).arg(size.height()));
                }
        };
        window.showScreen(QStringLiteral("neighbours"));
        auto* page = window.page<NeighboursPage>();
        page->tryDemo();
        auto& neighbours = *window.session<NeighboursSession>();
        QVERIFY(QTest::qWaitFor([&] { return page->hasResults() && !neighbours.isRunning(); }, 240000));
        QTest::qWait(500);
        page->look(page->samples()->model()->index(33, 0).data(GalleryList::PathRole).toString());
        QVERIFY(QTest::qWaitFor([&] { return !neighbours.isRunning(); }, 60000));
        QTest::qWait(1500);
        shoot(QStringLiteral("neighbours"));
        page->parts()->setCurrent(1);
        shoot(QStringLiteral("neighbours-table"));
        window.showScreen(QStringLiteral("scale"));
        auto* scale = window.page<ScalePage>();
        auto& session = *window.session<ScaleSession>();
        scale->showTab(ScaleSession::Kernel);
        scale->run();
        QVERIFY(QTest::qWaitFor([&] { return !session.isRunning(); }, 60000));
        shoot(QStringLiteral("kernel"));
        scale->kernel()->angles()->setCurrent(1);
        shoot(QStringLiteral("kernel-orthogonal"));
        scale->showTab(ScaleSession::Decode);
        scale->run();
        QVERIFY(QTest::qWaitFor([&] { return !session.isRunning(); }, 240000));
        shoot(QStringLiteral("decode"));
        scale->decoding()->quantity()->setCurrent(1);
        scale->decoding()->tables()->setCurrent(1);
        shoot(QStringLiteral("decode-state"));
        scale->decoding()->quantity()->setCurrent(2);
        scale->decoding()->tables()->setCurrent(2);
        shoot(QStringLiteral("decode-error"));
    }
};
ATTNSCOPE_WINDOW_TEST(TestRealShots)
#include "tst_real_shots.moc"
