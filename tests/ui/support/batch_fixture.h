#pragma once

#include "tests/support/stored_results.h"
#include "tests/ui/support/fake_layers.h"
#include "tests/ui/support/scripted_evaluation.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/batch/batch_page.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QTemporaryDir>
#include <QTest>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

/// A window on the Batch screen over a store of its own.
struct BatchFixture {
    explicit BatchFixture(const QString& theme = u"light"_s, QSize size = {1280, 800},
                          const QString& storePath = {})
        : store(storePath.isEmpty() ? folder.filePath(u"results.sqlite"_s) : storePath)
        , fixture(theme, size, options())
    {
        window = fixture.window.get();
        window->showScreen(u"batch"_s);
        page = window->page<BatchPage>();
        if (!QTest::qWaitFor([&] { return window->workspace().surroundings() != nullptr; }, 5000))
            qFatal("the engine did not answer");
    }

    WindowOptions options()
    {
        WindowOptions made;
        made.evaluation = scriptedEvaluation(script);
        made.layers = scriptedLayers(layers);
        made.storeDelay = storeDelay(script);
        made.storePath = store;
        made.loaded.settings.specs = {u"softmax"_s, u"performer:samples=128"_s, u"lara"_s};
        return made;
    }
    QString data(const QString& name = u"scenes"_s)
    {
        QDir(folder.path()).mkpath(name);
        return folder.filePath(name);
    }
    quint64 add(const QString& name = u"scenes"_s)
    {
        page->openFolder(data(name));
        return session().queue().evaluations().back().id;
    }
    quint64 ready(const QString& name = u"scenes"_s)
    {
        const quint64 id = add(name);
        waitFor(id, QueueState::Ready);
        return id;
    }
    bool waitFor(quint64 id, QueueState state, int milliseconds = 15'000)
    {
        return QTest::qWaitFor(
            [&] { return session().queue().find(id) != nullptr && session().queue().find(id)->state == state; },
            milliseconds);
    }
    BatchSession& session() { return *window->session<BatchSession>(); }
    QString messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out.join(QLatin1Char('|'));
    }
    QString cell(int row, int column) { return session().queue().index(row, column).data().toString(); }
    QString clipboard() const { return QGuiApplication::clipboard()->text(); }
    std::string withoutTimings(int64_t id)
    {
        return attnscope::testing::withoutTimings(ResultStore(store.toStdString(), ResultStore::Mode::Read), id);
    }

    std::shared_ptr<EvaluationScript> script = std::make_shared<EvaluationScript>();
    std::shared_ptr<LayerScript> layers = std::make_shared<LayerScript>();
    QTemporaryDir folder;
    QString store;
    WindowFixture fixture;
    MainWindow* window = nullptr;
    BatchPage* page = nullptr;
};

}
