// Dumped q, k and v on the Layers screen, and what a click on a map costs.
#include "core/checkpoint/safetensors.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/layers_fixture.h"
#include "tests/ui/support/scale_fixture.h"
#include "ui/layers/heat_table.h"
#include "ui/layers/layer_details.h"
#include "ui/layers/maps/map_view.h"
#include "ui/widgets/controls.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using namespace attnscope::ui::test;

namespace {

SafetensorsEntry waves(double step, std::vector<int64_t> shape)
{
    SafetensorsEntry entry;
    entry.shape = std::move(shape);
    int64_t count = 1;
    for (const int64_t size : entry.shape)
        count *= size;
    for (int64_t i = 0; i < count; ++i) {
        const auto value = float(2 * std::sin(step * double(i)));
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        entry.bytes.insert(entry.bytes.end(), bytes, bytes + sizeof(float));
    }
    return entry;
}

/// q, k, v of four layers with three heads on `tokens` tokens.
QString dumpIn(const WindowFixture& window, int64_t tokens, const std::map<std::string, std::string>& header = {})
{
    const QString path = window.folder.filePath(u"dump of a model.safetensors"_s);
    const std::vector<int64_t> shape{4, 3, tokens, 16};
    writeSafetensors(path.toStdString(),
                     {{"q", waves(0.37, shape)}, {"k", waves(0.91, shape)}, {"v", waves(0.53, shape)}}, header);
    return path;
}

}

class TestLayersTensors : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }

    void aDroppedFileOfTensorsIsInspectedFromAnyScreen()
    {
        LayersFixture fixture;
        MainWindow& window = *fixture.window.window;
        QCOMPARE(window.screen(), u"compare"_s);
        window.takePaths({dumpIn(fixture.window, 49)});
        QVERIFY(QTest::qWaitFor([&] { return window.screen() == u"layers"_s; }));
        QVERIFY(fixture.settled());
        LayersSession& session = fixture.session();
        QVERIFY(session.showsDump());
        QCOMPARE(session.inputName(), u"dump of a model.safetensors"_s);
        // Nothing end to end, and that is said.
        bool modes = false;
        for (const Segments* segments : fixture.page().findChildren<Segments*>())
            modes = modes || (segments->isVisible() && segments->text(0).contains(u"Same q"_s));
        QVERIFY(!modes);
        QVERIFY2(fixture.page().tensors()->isVisible(), "what cannot be shown says so");
        QVERIFY(fixture.page().headline()->text().startsWith(u"Error is largest"_s));
        QVERIFY(session.image().isNull());
        QVERIFY(session.maps() != nullptr);
        window.action(u"copyCommand"_s)->trigger();
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY2(command.startsWith(u"attnscope-cli layers "_s) && !command.contains(u"--weights"_s)
                     && !command.contains(u"--model"_s),
                 qPrintable(command));
    }

    void anotherInputTakesItsPlace()
    {
        LayersFixture fixture;
        fixture.window.window->showScreen(u"layers"_s);
        fixture.window.window->takePaths({dumpIn(fixture.window, 49)});
        QVERIFY(fixture.settled());
        QVERIFY(fixture.session().showsDump());
        QVERIFY(fixture.session().staleText().isEmpty());
        // The model of the bar is nothing to tensors, the seed is.
        RunContext context = fixture.window.window->workspace().context();
        context.dtype = u"bfloat16"_s;
        fixture.window.window->workspace().setContext(context);
        QVERIFY2(fixture.session().staleText().isEmpty(), qPrintable(fixture.session().staleText()));
        context.seed = 9;
        fixture.window.window->workspace().setContext(context);
        QCOMPARE(fixture.session().staleText(), u"made with seed 0"_s);
        fixture.window.window->takePaths(fixture.window.images(1, u"cat"_s));
        QVERIFY(QTest::qWaitFor(
            [&] { return fixture.session().inspection() != nullptr && !fixture.session().showsDump(); }));
        QVERIFY(fixture.settled());
        QVERIFY(!fixture.session().takesDump());
        QVERIFY(!fixture.page().tensors()->isVisible());
    }

    void weightsOfThatSuffixAreStillWeights()
    {
        LayersFixture fixture;
        const QString path = fixture.window.folder.filePath(u"weights.safetensors"_s);
        writeSafetensors(path.toStdString(), {{"patch_embed.proj.weight", waves(1, {4, 3, 2, 2})}});
        fixture.window.window->showScreen(u"layers"_s);
        fixture.window.window->takePaths({path});
        QTest::qWait(200);
        QVERIFY(!fixture.session().takesDump());
        QCOMPARE(fixture.script->inspections.load(), 0);
    }

    void onScaleTensorsGoToTheSamples()
    {
        ScaleFixture fixture;
        fixture.window->takePaths({dumpIn(fixture.fixture, 49)});
        QVERIFY(QTest::qWaitFor([&] { return fixture.page->tab() == fixture.samples().tab; }));
        QVERIFY(fixture.samples().source()->kind() == TensorSource::Kind::File);
        QCOMPARE(fixture.window->screen(), u"scale"_s);
    }

    void questionsAboutOneInputShareItsNumber()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        const uint64_t first = fixture.script->subject;
        fixture.session().setQuery({0, 3, 3, false});
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.script->subject.load(), first);
        fixture.session().run();
        QVERIFY(fixture.settled());
        QVERIFY(fixture.script->subject.load() != first);
    }

    void theLaboratoryItselfInspectsTensors_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("tokens");
        QTest::newRow("light") << u"light"_s << QSize(1280, 800) << 49;
        QTest::newRow("dark-small") << u"dark"_s << QSize(1024, 640) << 49;
        QTest::newRow("no-grid-dark") << u"dark"_s << QSize(1280, 800) << 47;
        QTest::newRow("no-grid-light-small") << u"light"_s << QSize(1024, 640) << 47;
    }
    void theLaboratoryItselfInspectsTensors()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        QFETCH(int, tokens);
        WindowOptions options;
        options.loaded.settings.specs = {u"softmax"_s, u"nystrom:samples=16"_s, u"performer:samples=32"_s};
        WindowFixture window(theme, size, options);  // its workbench is a fake, which tensors do not need
        window.window->takePaths({dumpIn(window, tokens)});
        LayersSession& session = *window.window->session<LayersSession>();
        QSignalSpy problems(&session, &LayersSession::problem);
        QVERIFY(QTest::qWaitFor(
            [&] { return session.showsDump() && !session.isRunning() && session.maps() != nullptr; }, 30'000));
        QVERIFY2(problems.isEmpty(),
                 qPrintable(problems.isEmpty() ? QString() : problems.front().front().toString()));
        QCOMPARE(session.layers().size(), size_t{4});
        QCOMPARE(session.layers().front().heads.size(), size_t{3});
        QVERIFY(session.layers().front().mean.error.relative > 0);
        LayerDetails& details = *window.window->page<LayersPage>()->details();
        QTest::qWait(100);
        if (tokens == 49) {
            QVERIFY(details.exactMap()->map().has_value());
        } else {
            QVERIFY(!details.exactMap()->map().has_value());
            QVERIFY2(details.exactMap()->notice().contains(u"no position"_s),
                     qPrintable(details.exactMap()->notice()));
        }
        window.shot(u"layers-tensors-"_s + QString::fromLatin1(QTest::currentDataTag()));
    }

    void aClickIsAnsweredAtOnce()
    {
        Engine engine(coreWorkbench());
        WindowOptions options;
        options.loaded.settings.context.weights = QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors");
        options.loaded.settings.specs = {u"softmax"_s, u"lara:samples=16"_s};
        MainWindow window(engine, options, screens(options));
        window.show();
        window.showScreen(u"layers"_s);
        window.takePaths({QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg")});
        LayersSession& session = *window.session<LayersSession>();
        QVERIFY(QTest::qWaitFor(
            [&] { return session.inspection() != nullptr && !session.isRunning() && session.maps() != nullptr; },
            60'000));
        std::vector<qint64> times;
        for (int i = 0; i < 9; ++i) {
            QElapsedTimer clock;
            clock.start();
            session.setQuery({0, 1 + i, 12 - i, false});
            while (session.maps() == nullptr && clock.elapsed() < 10'000)
                QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
            QVERIFY(session.maps() != nullptr);
            times.push_back(clock.nsecsElapsed() / 1000);
        }
        std::sort(times.begin(), times.end());
        qInfo("a click is answered in %.1f ms (median of 9)", double(times[4]) / 1000);
    }
};

ATTNSCOPE_WINDOW_TEST(TestLayersTensors)
#include "tst_layers_tensors.moc"
