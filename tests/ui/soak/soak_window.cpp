// Goes through the screens of the whole window again and again, over the real engine and the demo's models, and says what that takes:
//
//     soak_window MINUTES VIDEO FOLDER [STEP…]
//
// FOLDER holds labelled images for Batch. Each round compares photographs, looks at the next one, inspects layers, evaluates the folder,
// measures lengths, plays the video under a video network, switches the theme and resizes the window. After the first round only the
// steps that are named, all without any: compare, image, layers, batch, scale, live, theme, resize. Exit code 1 beyond the limits of
// SoakMeter, or if a step does not end.
#include "tests/ui/soak/soak_meter.h"
#include "tests/ui/support/window_fixture.h"

#include "app/brief_waiting.h"
#include "core/device/freed_memory.h"
#include "ui/batch/batch_page.h"
#include "ui/layers/layer_details.h"
#include "ui/layers/layers_page.h"
#include "ui/live/live_page.h"
#include "ui/scale/scale_page.h"
#include "ui/scale/scale_tab.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using attnscope::ui::test::SoakMeter;

namespace {

constexpr int stepLimit = 600'000, lookAt = 200;  // milliseconds
constexpr int playing = 6'000;
constexpr std::chrono::milliseconds slowEvent{70};
const QString demo = QStringLiteral(RESOURCE_DIR "/demo");
const QString screenNames[]{u"compare"_s, u"live"_s, u"layers"_s, u"batch"_s, u"scale"_s};

/// Names the events whose handling takes long: where a gap of the event loop comes from. They come by the thousand, so the clock is one that
/// asks no kernel.
class WatchedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        const char* kind = receiver->metaObject()->className();
        const QString name = receiver->objectName();
        const QEvent::Type type = event->type();
        const auto before = std::chrono::steady_clock::now();
        ++m_depth;
        const bool taken = QApplication::notify(receiver, event);
        --m_depth;
        if (const auto ran = std::chrono::steady_clock::now() - before; ran >= slowEvent)
            std::printf(
                "%*sevent %d to %s %s: %lld ms\n", 2 * m_depth, "", type, kind, qPrintable(name),
                static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(ran).count()));
        return taken;
    }

private:
    int m_depth = 0;
};

/// One round through the window, in steps that each wait until what they began has ended.
class Round {
public:
    Round(MainWindow& window, SoakMeter& meter, const QString& video, const QString& folder,
          const QStringList& only)
        : m_window(window)
        , m_meter(meter)
        , m_video(video)
        , m_folder(folder)
        , m_only(only)
    {
        const QDir photos(demo + u"/photos"_s);
        for (const QString& name : photos.entryList({u"*.jpg"_s}))
            m_photos << photos.filePath(name);
    }

    static bool has(const QString& step)
    {
        return std::ranges::any_of(steps(), [&](const Step& known) { return step == QLatin1String(known.first); });
    }

    /// Empty, or the step that did not end.
    QString run()
    {
        for (const auto& [name, step] : steps()) {
            if (m_count > 0 && !m_only.isEmpty() && !m_only.contains(QLatin1String(name)))
                continue;
            m_meter.enter(QString::fromLatin1(name));
            if (!(this->*step)())
                return QString::fromLatin1(name);
        }
        m_meter.enter(u"idle"_s);
        QTest::qWait(1'000);
        ++m_count;
        return {};
    }

private:
    using Step = std::pair<const char*, bool (Round::*)()>;

    static std::vector<Step> steps()
    {
        return {{"compare", &Round::compare}, {"image", &Round::changeImage}, {"layers", &Round::layers},
                {"batch", &Round::batch},     {"scale", &Round::scale},       {"live", &Round::live},
                {"theme", &Round::theme},     {"resize", &Round::resize}};
    }

    static bool until(const std::function<bool()>& condition)
    {
        const bool met = QTest::qWaitFor(condition, stepLimit);
        QTest::qWait(lookAt);
        return met;
    }

    /// A person does not act on a screen before it is seen.
    void show(const char* screen)
    {
        m_window.showScreen(QString::fromLatin1(screen));
        QTest::qWait(lookAt);
    }

    bool useModel(const char* name)
    {
        const QString checkpoint = demo + u"/models/%1.safetensors"_s.arg(QString::fromLatin1(name));
        m_window.workspace().useCheckpoint(checkpoint, {}, 0);
        return until([this] { return m_window.workspace().model() != nullptr; });
    }

    bool compare()
    {
        if (!useModel("deit"))
            return false;
        QStringList paths;
        for (int i = 0; i < 3; ++i)
            paths << m_photos[(3 * m_count + i) % m_photos.size()];
        show("compare");
        m_window.takePaths(paths);
        return until([this] { return !m_window.isRunning(); });
    }

    bool changeImage()
    {
        for (int i = 2; i >= 0; --i) {
            m_window.workspace().setCurrentInput(i);
            QTest::qWait(2 * lookAt);
        }
        return true;
    }

    bool layers()
    {
        show("layers");
        auto* session = m_window.session<LayersSession>();
        session->run();
        if (!until([&] { return !session->isRunning(); }) || session->inspection() == nullptr)
            return false;
        LayerDetails* details = m_window.page<LayersPage>()->details();
        for (int layer = 0; layer < 4; ++layer) {
            session->setCell({layer, layer % 3});
            session->setQuery({.row = layer, .column = m_count % 14});
            details->setPart(static_cast<LayerDetails::Part>(layer));
            if (!until([&] { return !session->asksMaps() && !session->asksTerms(); }))
                return false;
        }
        details->setPart(LayerDetails::Part::Maps);
        return true;
    }

    bool batch()
    {
        show("batch");
        auto* session = m_window.session<BatchSession>();
        if (!session->isBuilt())
            return true;
        const quint64 id = session->addFolder(m_folder);
        session->run();
        const bool ended = until([&] {
            const QueuedEvaluation* each = session->queue().find(id);
            return each == nullptr || each->state == QueueState::Finished || each->state == QueueState::Failed
                   || each->state == QueueState::Refused;
        });
        const QueuedEvaluation* each = session->queue().find(id);
        if (!ended || each == nullptr || each->state != QueueState::Finished)
            return false;
        m_window.page<BatchPage>()->select(id);
        QTest::qWait(2 * lookAt);
        session->remove(id);
        return true;
    }

    bool scale()
    {
        show("scale");
        auto* page = m_window.page<ScalePage>();
        page->showTab(ScaleSession::Length);
        page->tab()->findChild<QLineEdit*>({}, Qt::FindDirectChildrenOnly)->setText(u"64, 128"_s);
        page->run();
        return until([this] { return !m_window.isRunning(); }) && page->tab()->hasResults();
    }

    bool live()
    {
        show("live");
        if (!useModel("motionformer"))
            return false;
        auto* session = m_window.session<LiveSession>();
        session->openFile(m_video);
        session->setLoop(true);
        if (!until([&] { return session->counts().predicted > 2; }))
            return false;
        QTest::qWait(playing);
        session->seek(0.5);
        session->step(1);
        QTest::qWait(lookAt);
        session->close();
        return useModel("deit");
    }

    bool theme()
    {
        for (const char* name : {"dark", "light"}) {
            m_window.setTheme(QString::fromLatin1(name));
            QTest::qWait(lookAt);
            for (const QString& screen : screenNames) {
                m_window.showScreen(screen);
                QTest::qWait(lookAt);
            }
        }
        return true;
    }

    bool resize()
    {
        for (const QString& screen : screenNames) {
            m_window.showScreen(screen);
            for (const QSize size : {QSize(1024, 640), QSize(1600, 1000), QSize(1280, 800)}) {
                m_window.resize(size);
                QTest::qWait(lookAt);
            }
        }
        return true;
    }

    MainWindow& m_window;
    SoakMeter& m_meter;
    QString m_video, m_folder;
    QStringList m_photos, m_only;
    int m_count = 0;
};

}

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: soak_window MINUTES VIDEO FOLDER [STEP...]\n");
        return 2;
    }
    for (int i = 4; i < argc; ++i)
        if (!Round::has(QString::fromLocal8Bit(argv[i]))) {
            std::fprintf(stderr, "soak_window has no step %s\n", argv[i]);
            return 2;
        }
    waitBriefly(argv);
    keepFreedMemory();
    WatchedApplication app(argc, argv);
    attnscope::ui::test::prepareApplication();
    const QTemporaryDir results;
    WindowOptions options;
    options.loaded.settings.theme = u"light"_s;
    options.loaded.settings.seconds = 0;
    options.loaded.settings.specs = QStringList{u"softmax"_s, u"performer"_s, u"lara"_s};
    options.evaluation = coreEvaluation({});
    options.storePath = results.filePath(u"results.sqlite"_s);
    options.scale = coreScale();
    Engine engine(coreWorkbench());
    MainWindow window(engine, options, screens(options));
    window.resize(1280, 800);
    window.show();
    SoakMeter meter(QString::fromLocal8Bit(argv[1]).toDouble());
    Round round(window, meter, QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3]),
                app.arguments().mid(4));
    while (!meter.isOver()) {
        if (const QString step = round.run(); !step.isEmpty()) {
            std::fprintf(stderr, "the step %s did not end as it should\n", qPrintable(step));
            return 1;
        }
        meter.sample();
    }
    return meter.finish();
}
