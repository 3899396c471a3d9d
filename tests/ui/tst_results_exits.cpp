// The tab of early exits on the Results screen, over a scripted measurement.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/scripted_evaluation.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/results/exits_tab.h"
#include "ui/results/results_page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/tab_strip.h"
#include "ui/window/context_bar.h"

#include "core/base/error.h"

#include <QFile>
#include <QTableView>
#include <QTest>

#include <atomic>
#include <cmath>
#include <thread>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::AttentionExits;
using attnscope::AttentionSpec;
using attnscope::ExitOutcome;
using attnscope::ExitPoint;
using attnscope::ExitReport;
using test::WindowFixture;

namespace {

struct ExitsScript {
    std::atomic<int> runs{0};
    std::atomic<bool> hold{false};
    std::string failure;
    ExitsJob job;
};

constexpr int64_t shownSamples = 600;

/// Six blocks, the later the better; `skill`: of the attention.
ExitPoint point(double setting, double blocks, double skill)
{
    ExitOutcome outcome{{shownSamples}, 0, std::vector<int64_t>(6)};
    const auto low = size_t(blocks);
    outcome.perBlock[low - 1] += std::llround(shownSamples * (double(low) + 1 - blocks));
    if (low < 6)
        outcome.perBlock[low] += shownSamples - outcome.perBlock[low - 1];
    outcome.correct = std::llround(shownSamples * skill * (1 - 0.6 / blocks));
    outcome.agreeing = outcome.correct;
    return {.setting = setting, .outcome = outcome, .macs = 4e6 + blocks * 3e7};
}

ExitReport reportOf(const ExitsJob& job)
{
    ExitReport report{.folder = job.folder, .trained = true, .samples = shownSamples};
    report.model.model.name = "demo_deit";
    for (int block = 0; block < 6; ++block)
        report.blocks.push_back("block." + std::to_string(block));
    double skill = 1;
    for (const AttentionSpec& spec : job.request.attention) {
        AttentionExits exits{.attention = spec.canonical(),
                             .resolved = spec.canonical(),
                             .backend = spec.backend(),
                             .macs = 4e6 + 6 * 3e7};
        for (int block = 1; block <= 6; ++block)
            exits.depth.push_back(point(block, block, skill));
        for (int i = 0; i <= 10; ++i)
            exits.confidence.push_back(point(i / 10.0, 1 + 5 * std::sqrt(i / 10.0), skill));
        for (const double penalty : {0.0, 0.1, 1.0}) {
            exits.likelihood.push_back(point(penalty, 4 - 3 * penalty, skill));
            exits.correctness.push_back(point(penalty, 3 - 2 * penalty, skill));
        }
        report.attention.push_back(exits);
        skill *= 0.9;
    }
    return report;
}

ExitsTask::Measure scriptedExits(const std::shared_ptr<ExitsScript>& script)
{
    return [script](const ExitsJob& job, TaskTurn& turn, const ExitsTask::Grew&) {
        ++script->runs;
        script->job = job;
        if (!script->failure.empty())
            throw attnscope::UsageError("exits", script->failure, "choose another");
        turn.report({"exits", 32, shownSamples});
        while (script->hold && !turn.isStopped())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (turn.isStopped())
            throw attnscope::Cancelled();
        return reportOf(job);
    };
}

struct ExitsFixture {
    explicit ExitsFixture(const QString& theme = u"light"_s, QSize size = {1280, 800}, bool stored = false)
        : fixture(theme, size, options(stored))
    {
        window = fixture.window.get();
        window->showScreen(u"results"_s);
        page = window->page<ResultsPage>();
        tab = page->exits();
        if (stored && !QTest::qWaitFor([&] { return page->runs().rowCount() == 2; }, 10'000))
            qFatal("the store was not read");
        page->tabs()->setCurrentIndex(1);
        QTest::qWait(50);
    }
    WindowOptions options(bool stored)
    {
        WindowOptions made;
        made.exits = scriptedExits(script);
        if (stored) {
            const QString store = folder.filePath(u"results.sqlite"_s);
            test::writeEvaluation(store.toStdString(), "/data/scenes/val", {"softmax", "lara"}, 60);
            made.storeDelay = test::storeDelay(evaluation);
            made.storePath = store;
        }
        return made;
    }
    void measure()
    {
        tab->findChild<PathField*>()->setPath(u"/data/scenes/val"_s);
        page->run();
        QVERIFY(QTest::qWaitFor([this] { return tab->hasResults(); }, 10'000));
        QTest::qWait(120);  // charts gather changes before they draw
    }
    QString messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out.join(QLatin1Char('|'));
    }
    QByteArray exported(const QString& suffix)
    {
        const QString path = folder.filePath(u"out."_s + suffix);
        if (const QString problem = tab->exportTo(path); !problem.isEmpty())
            return problem.toUtf8();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::shared_ptr<ExitsScript> script = std::make_shared<ExitsScript>();
    std::shared_ptr<test::EvaluationScript> evaluation = std::make_shared<test::EvaluationScript>();
    QTemporaryDir folder;
    WindowFixture fixture;
    MainWindow* window = nullptr;
    ResultsPage* page = nullptr;
    InstrumentTab* tab = nullptr;
};

}

class TestResultsExits : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void withoutTheirBackendThereIsNoTab()
    {
        WindowFixture fixture;
        fixture.window->showScreen(u"results"_s);
        QVERIFY(fixture.window->page<ResultsPage>()->exits() == nullptr);
        QVERIFY(!fixture.window->page<ResultsPage>()->canRun());
    }

    void emptyTabSaysWhatFillsIt()
    {
        ExitsFixture fixture;
        QVERIFY(fixture.tab->empty()->isVisible());
        QVERIFY(!fixture.page->canRun());
        QVERIFY(!fixture.tab->empty()->first()->isEnabled());
        QVERIFY2(fixture.tab->empty()->words().small.contains(u"attnscope-cli exits"_s),
                 qPrintable(fixture.tab->empty()->words().small));
        fixture.tab->findChild<PathField*>()->setPath(u"/data/scenes/val"_s);
        QVERIFY(fixture.tab->empty()->first()->isEnabled());
        QTest::mouseClick(fixture.tab->empty()->first(), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return fixture.tab->hasResults(); }, 10'000));
        QVERIFY(!fixture.tab->empty()->isVisible());
    }

    void theTabBringsRunAndBackendsWithIt()
    {
        ExitsFixture fixture;
        auto* run = fixture.window->findChild<ContextBar*>()->runButton();
        QVERIFY(run->isVisible() && fixture.page->uses().backends);
        fixture.page->tabs()->setCurrentIndex(0);
        QVERIFY(!run->isVisible() && !fixture.page->uses().backends);
        QVERIFY(fixture.page->empty()->isVisible());
        QVERIFY(!fixture.tab->isVisible());
    }

    void resultsAreShownDrawnAndExported()
    {
        ExitsFixture fixture;
        fixture.tab->findChild<CaptionSpin*>()->setValue(500);
        fixture.measure();
        QCOMPARE(fixture.script->job.limit, int64_t(500));
        const size_t attentions = fixture.script->job.request.attention.size();
        QVERIFY(attentions >= 1);
        QCOMPARE(fixture.tab->table()->model()->rowCount(), 11);
        QCOMPARE(fixture.tab->table()->model()->columnCount(), int(1 + 3 * attentions));
        QCOMPARE(fixture.tab->chartViews().front().view->chart().series.size(), 2 * attentions);
        fixture.tab->findChild<Segments*>()->setCurrent(1);
        QCOMPARE(fixture.tab->chartViews().front().view->chart().series.size(), 3 * attentions);
        // 600·(1 − 0.6/6) = 540 right with all blocks; the first threshold whose interval reaches that.
        QVERIFY2(fixture.tab->head()->headline()->text().contains(u"instead of 90.00 %"_s),
                 qPrintable(fixture.tab->head()->headline()->text()));
        QVERIFY(fixture.exported(u"svg"_s).contains("<svg"));
        const QByteArray csv = fixture.exported(u"csv"_s);
        QVERIFY2(csv.startsWith("Attention,Resolved,") && csv.contains(",confidence,0.9,"), csv.constData());
        QVERIFY(fixture.page->command().startsWith(u"attnscope-cli exits /data/scenes/val "_s));
        QVERIFY(fixture.page->command().contains(u" --limit 500 "_s));
    }

    void changedSettingsAreSaidAndRunAgain()
    {
        ExitsFixture fixture;
        fixture.measure();
        const QString command = fixture.page->command();
        QVERIFY(!fixture.tab->head()->stale()->isVisible());
        fixture.tab->findChild<CaptionSpin*>()->setValue(60);
        QVERIFY(fixture.tab->head()->stale()->isVisible());
        QCOMPARE(fixture.page->command(), command);  // of what is shown
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.script->runs == 2 && fixture.tab->hasResults(); }, 10'000));
        QVERIFY(!fixture.tab->head()->stale()->isVisible());
    }

    void aRunIsAJobThatStops()
    {
        ExitsFixture fixture;
        fixture.script->hold = true;
        fixture.tab->findChild<PathField*>()->setPath(u"/data/scenes/val"_s);
        fixture.page->run();
        auto* session = fixture.window->session<ResultsSession>();
        QVERIFY(QTest::qWaitFor([&] { return session->job() && session->job()->fraction > 0; }, 10'000));
        QVERIFY(!fixture.page->canRun());
        QVERIFY2(session->job()->text.contains(u"32 of 600"_s), qPrintable(session->job()->text));
        session->stop();
        QVERIFY(QTest::qWaitFor([&] { return !session->isRunning(); }, 10'000));
        QVERIFY(!fixture.tab->hasResults());
        QVERIFY(fixture.tab->empty()->isVisible());
    }

    void whatIsWrongIsSaid()
    {
        ExitsFixture fixture;
        fixture.script->failure = "its head does not read the tokens of a block";
        fixture.tab->findChild<PathField*>()->setPath(u"/data/scenes/val"_s);
        fixture.page->run();
        QVERIFY(
            QTest::qWaitFor([&] { return fixture.messages().contains(u"does not read the tokens"_s); }, 10'000));
        QVERIFY(!fixture.window->session<ResultsSession>()->isRunning());
    }

    void theFolderOfTheCurrentRunIsSuggested()
    {
        ExitsFixture fixture(u"light"_s, {1280, 800}, true);
        QCOMPARE(fixture.tab->findChild<PathField*>()->path(), u"/data/scenes/val"_s);
    }

    void tabsLookRight_data() { test::addLooks(); }
    void tabsLookRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        ExitsFixture fixture(theme, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        fixture.fixture.shot(u"exits-empty-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        fixture.measure();
        fixture.fixture.shot(u"exits-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        fixture.tab->findChild<Segments*>()->setCurrent(1);
        QTest::qWait(120);
        fixture.fixture.shot(u"exits-oracles-"_s + tag);
    }
};

ATTNSCOPE_WINDOW_TEST(TestResultsExits)
#include "tst_results_exits.moc"
