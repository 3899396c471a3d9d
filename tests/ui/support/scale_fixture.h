#pragma once

#include "tests/ui/support/scripted_scale.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/scale/decode/decode_tab.h"
#include "ui/scale/length_tab.h"
#include "ui/scale/plan_tab.h"
#include "ui/scale/scale_page.h"
#include "ui/scale/tensors/kernel_tab.h"
#include "ui/scale/tensors/samples_tab.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

/// The window on the Scale screen, over a scripted laboratory.
struct ScaleFixture {
    explicit ScaleFixture(const QString& theme = u"light"_s, QSize size = {1280, 800})
        : fixture(theme, size, options())
    {
        window = fixture.window.get();
        window->showScreen(u"scale"_s);
        page = window->page<ScalePage>();
        if (!QTest::qWaitFor([this] { return window->workspace().model() != nullptr; }))
            qFatal("the model was not opened");
    }
    WindowOptions options()
    {
        WindowOptions made;
        made.scale = scriptedScale(script);
        made.demoImage = u"/photos/cat.jpg"_s;
        return made;
    }
    bool waitDone(int milliseconds = 10'000)
    {
        const bool done = QTest::qWaitFor([this] { return !window->session<ScaleSession>()->isRunning(); },
                                          milliseconds);
        QTest::qWait(120);  // charts gather changes before they draw
        return done;
    }
    void measure(const QString& lengths = u"256, 512, 1024, 2048, 4096, 8192, 16384"_s)
    {
        page->length()->lengths()->setText(lengths);
        page->run();
        QVERIFY(waitDone());
    }
    QString clipboard() const { return QGuiApplication::clipboard()->text(); }
    QString messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out.join(QLatin1Char('|'));
    }

    std::shared_ptr<ScaleScript> script = std::make_shared<ScaleScript>();
    WindowFixture fixture;
    MainWindow* window = nullptr;
    ScalePage* page = nullptr;
};

/// The real laboratory, asked one question at a time.
struct RealLaboratory {
    RealLaboratory()
    {
        QObject::connect(&task, &TaskBase::failed, &task, [this](const QString& sentence) { problem = sentence; });
    }
    /// Null: there is a problem.
    template <typename Report>
    std::shared_ptr<const Report> measured(const ScaleQuestion& question)
    {
        problem.clear();
        task.start(question, 1);
        if (!QTest::qWaitFor([this] { return !task.isRunning(); }, 60'000))
            problem = u"it takes too long"_s;
        return task.report() ? std::get<std::shared_ptr<const Report>>(*task.report()) : nullptr;
    }

    Engine engine{coreWorkbench()};
    ScaleTask task{engine, {MeasuringGate::Work::Laboratory}, coreScale()};
    QString problem;
};

/// Of a file; empty where there is none.
inline QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}
