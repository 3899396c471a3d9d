// The Batch screen over scripted predictions in a real store.
#include "tests/support/test_class.h"
#include "tests/ui/support/batch_fixture.h"
#include "tests/ui/support/press_in_message_box.h"
#include "tests/ui/support/watchdog.h"
#include "ui/batch/batch_details.h"
#include "ui/batch/batch_page.h"
#include "ui/batch/data_bar.h"
#include "ui/batch/evaluate_command.h"
#include "ui/batch/queue_view.h"
#include "ui/compare/compare_page.h"
#include "ui/gallery/gallery_view.h"
#include "ui/results/results_session.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/drop_hint.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/tab_strip.h"
#include "ui/window/context_bar.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/rail.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>

#include <algorithm>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ResultStore;
using attnscope::StoredEvaluation;
using test::BatchFixture;
using test::pressInMessageBox;
using test::Watchdog;
using test::WindowFixture;

namespace {

LinkButton* linkOf(const QWidget& page, const QString& text)
{
    for (LinkButton* link : page.findChildren<LinkButton*>())
        if (link->text() == text && link->isVisible())
            return link;
    return nullptr;
}

}

class TestBatch : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void emptyScreenSaysWhatItAnswersAndTriesTheDemo()
    {
        BatchFixture fixture;
        QVERIFY(fixture.page->empty()->isVisible());
        QCOMPARE(fixture.page->empty()->findChildren<ActionButton*>().size(), 2);
        QCOMPARE(fixture.window->action(u"batch"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_4));
        QTest::mouseClick(fixture.page->empty()->first(), Qt::LeftButton);
        QVERIFY(!fixture.page->empty()->first()->isEnabled());
        // Written, looked into and evaluated without a question.
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.session().queue().evaluations().empty(), 5000);
        QCOMPARE(fixture.session().queue().evaluations().front().title(), u"scenes/val"_s);
        QVERIFY(fixture.waitFor(1, QueueState::Finished));
    }

    void folderDroppedAnywhereIsLookedIntoFirst()
    {
        BatchFixture fixture;
        fixture.script->note = "2 folders have no picture: leaf and moon.";
        fixture.window->showScreen(u"compare"_s);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(fixture.data())});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window, &enter);
        QTRY_COMPARE(fixture.window->findChild<DropHint*>()->text(),
                     u"Evaluate on scenes: 12 classes, 480 images"_s);
        QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window, &event);
        QTRY_COMPARE(fixture.window->screen(), u"batch"_s);
        QTRY_COMPARE(fixture.session().queue().rowCount(), 3);
        QVERIFY(fixture.waitFor(1, QueueState::Ready));
        QVERIFY2(
            fixture.page->dataBar()->text().contains("scenes, class folders (images), 12 classes, 480 images"_L1),
            qPrintable(fixture.page->dataBar()->text()));
        QVERIFY2(fixture.page->detail()->text().contains("39.1 KiB of results"_L1),
                 qPrintable(fixture.page->detail()->text()));
        QCOMPARE(fixture.cell(0, QueueModel::TimeColumn), u"about 29 s"_s);
        QVERIFY(fixture.messages().contains("leaf and moon"_L1));
        QTest::qWait(100);
        QVERIFY(fixture.script->requested().empty());  // until somebody says so
        QVERIFY(fixture.window->contextBar()->runButton()->isEnabled());
    }

    void folderThatCannotBeEvaluatedIsRefusedInOneSentence()
    {
        BatchFixture fixture;
        const quint64 id = fixture.add(u"empty"_s);
        QVERIFY(fixture.waitFor(id, QueueState::Refused));
        QVERIFY2(fixture.cell(0, QueueModel::Top1Column).contains("has no class folders"_L1),
                 qPrintable(fixture.cell(0, QueueModel::Top1Column)));
        QVERIFY(!fixture.session().canRun());
    }

    void pendingEvaluationFollowsBarAndDock()
    {
        BatchFixture fixture;
        const quint64 id = fixture.ready();
        const int checks = fixture.script->checks;
        fixture.window->workspace().backends().setChecked(fixture.window->workspace().backends().entries()[1].id,
                                                          false);
        QTRY_COMPARE(fixture.session().queue().rowCount(), 2);
        QVERIFY(fixture.waitFor(id, QueueState::Ready));
        QVERIFY(fixture.script->checks > checks);
        fixture.page->limit()->setValue(100);
        QVERIFY(fixture.waitFor(id, QueueState::Ready));
        QTRY_COMPARE(fixture.cell(0, QueueModel::ProgressColumn), u"0 of 100"_s);
        QVERIFY(fixture.session().command(id).contains(" --limit 100 "_L1));
    }

    void cropsAreKeptWhereTheSettingsGiveThemRoom()
    {
        for (const bool video : {false, true}) {
            BatchFixture fixture;
            fixture.script->video = video;
            const quint64 id = fixture.ready();
            QVERIFY(!fixture.session().command(id).contains("--cache"_L1));
            Settings settings = fixture.window->workspace().settings();
            settings.cropGibibytes = 2;
            const int checks = fixture.script->checks;
            fixture.window->workspace().setSettings(settings);
            if (!video)
                QTRY_VERIFY(fixture.session().command(id).contains(" --cache-bytes 2147483648 "_L1));
            else
                QTest::qWait(300);
            QVERIFY(video ? fixture.script->checks == checks : fixture.script->checks > checks);
            QVERIFY(fixture.waitFor(id, QueueState::Ready));
            QCOMPARE(fixture.session().command(id).contains("--cache"_L1), !video);
            fixture.window->action(u"run"_s)->trigger();
            QVERIFY(fixture.waitFor(id, QueueState::Finished));
            const attnscope::EvaluationRequest requested = fixture.script->requested().back();
            QCOMPARE(requested.cache.empty(), video);
            QVERIFY(video
                    || (requested.cache.string() == cropFolder().toStdString()
                        && requested.cacheBytes == int64_t{2} << 30));
        }
    }

    void evaluationRunsToItsEndAndTheEventLoopNeverStandsStill()
    {
        // A stall of ours comes back each time; one of a busy machine does not strike three times.
        qint64 best = 1'000'000;
        for (int attempt = 0; attempt < 3 && best > 100; ++attempt) {
            BatchFixture fixture;
            fixture.script->batchMs = 15;
            fixture.script->storeDelayMs = 60;  // a slow disk
            const quint64 id = fixture.ready();
            QTest::qWait(150);
            Watchdog watchdog;
            fixture.window->action(u"run"_s)->trigger();
            QVERIFY(fixture.waitFor(id, QueueState::Running));
            QTRY_VERIFY(fixture.window->findChild<JobsBar*>()->isVisible());
            QVERIFY2(fixture.page->detail()->text().contains(u"24 of 64 ready · Bottleneck: inference"_s),
                     qPrintable(fixture.page->detail()->text()));
            for (int tab = 0; tab < BatchDetails::TabCount; ++tab) {
                fixture.page->details()->showTab(static_cast<BatchDetails::Tab>(tab));
                QTest::qWait(60);
            }
            QVERIFY(fixture.waitFor(id, QueueState::Finished));
            QTest::qWait(400);
            best = std::min(best, watchdog.longest);
            QCOMPARE(fixture.cell(0, QueueModel::ProgressColumn), u"480 of 480"_s);
            QCOMPARE(fixture.cell(0, QueueModel::UnreadableColumn), u"4"_s);
            const auto& progress = fixture.session().queue().find(id)->progress;
            QCOMPARE(progress.runs[0].accuracy.samples + progress.unreadable, int64_t(480));
            ResultStore stored(fixture.store.toStdString(), ResultStore::Mode::Read);
            const StoredEvaluation evaluation = stored.evaluation(1);
            for (size_t run = 0; run < 3; ++run)
                QCOMPARE(stored.accuracy(evaluation.runs[run].id).correct, progress.runs[run].accuracy.correct);
            QVERIFY(!fixture.window->findChild<JobsBar*>()->isVisible());
        }
        QVERIFY2(best <= 100, qPrintable(u"gap of %1 ms"_s.arg(best)));
    }

    void mergedTokensAreRowsOfTheirOwn()
    {
        BatchFixture fixture;
        fixture.window->workspace().backends().setSpecs(
            {attnscope::AttentionSpec::parse("softmax"),
             attnscope::AttentionSpec::parse("softmax;tokens=tome:r=13"),
             attnscope::AttentionSpec::parse("lara;tokens=tome:r=8")});
        const quint64 id = fixture.ready();
        QTRY_COMPARE(fixture.session().queue().rowCount(), 3);
        QVERIFY2(fixture.session().command(id).contains("softmax;tokens=tome:r=13"_L1),
                 qPrintable(fixture.session().command(id)));
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        QStringList names;
        for (int row = 0; row < 3; ++row) {
            names << fixture.cell(row, QueueModel::RunColumn);
            QVERIFY(!fixture.cell(row, QueueModel::Top1Column).isEmpty());
        }
        names.removeDuplicates();
        QVERIFY2(names.size() == 3, qPrintable(names.join(QLatin1Char('|'))));
        fixture.fixture.shot(u"batch-tokens-light"_s);
    }

    void pausedAndContinuedGivesTheSameResults()
    {
        BatchFixture fixture;
        const quint64 whole = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(whole, QueueState::Finished));
        fixture.script->batchMs = 10;
        const quint64 parts = fixture.ready();
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(parts)->done() >= 100; }, 10'000));
        fixture.page->select(parts);
        QTest::keyClick(fixture.page->table(), Qt::Key_Space);
        QVERIFY(fixture.waitFor(parts, QueueState::Paused));
        const auto done = fixture.session().queue().find(parts)->done();
        QVERIFY(done >= 100 && done < 480);
        QVERIFY2(fixture.page->menuFor(parts)->actions().front()->text().startsWith("Continue from "_L1),
                 qPrintable(fixture.page->menuFor(parts)->actions().front()->text()));
        fixture.script->batchesDone = 0;
        fixture.window->action(u"run"_s)->trigger();
        QVERIFY(fixture.waitFor(parts, QueueState::Finished));
        QCOMPARE(fixture.script->batchesDone.load(), int((480 - done) / test::scriptedBatch));
        QVERIFY(fixture.script->requested().back().resume);
        QCOMPARE(fixture.withoutTimings(2), fixture.withoutTimings(1));
    }

    void queueIsReorderedAndRunsOneAfterTheOther()
    {
        BatchFixture fixture;
        const quint64 first = fixture.ready(u"a"_s), second = fixture.ready(u"b"_s), third = fixture.ready(u"c"_s);
        fixture.page->select(third);
        QTest::keyClick(fixture.page->table(), Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(fixture.session().queue().evaluations()[1].id, third);
        QCOMPARE(fixture.page->table()->currentIndex().data(QueueModel::EvaluationRole).toULongLong(), third);
        QTest::keyClick(fixture.page->table(), Qt::Key_Up, Qt::ControlModifier);
        QTest::keyClick(fixture.page->table(), Qt::Key_Up, Qt::ControlModifier);  // is first already
        QCOMPARE(fixture.session().queue().evaluations()[0].id, third);
        fixture.page->select(second);
        QTest::keyClick(fixture.page->table(), Qt::Key_Delete);
        QCOMPARE(fixture.session().queue().rowCount(), 6);
        fixture.session().run();
        QVERIFY(fixture.waitFor(first, QueueState::Finished));
        QCOMPARE(fixture.session().queue().find(third)->state, QueueState::Finished);
        const auto requested = fixture.script->requested();
        QCOMPARE(requested.size(), size_t(2));
        QVERIFY(requested[0].data.root.ends_with("/c") && requested[1].data.root.ends_with("/a"));
    }

    void removingTheOneThatRunsKeepsWhatIsStored()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 5;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->done() >= 40; }, 10'000));
        fixture.session().remove(id);
        QTRY_VERIFY(fixture.session().queue().find(id) == nullptr);
        QVERIFY(fixture.page->empty()->isVisible());
        const StoredEvaluation stored =
            ResultStore(fixture.store.toStdString(), ResultStore::Mode::Read).evaluation(1);
        QVERIFY(stored.done >= 40 && stored.done < 480);
    }

    void oneThatWasRemovedComesBackToItsPlace()
    {
        BatchFixture fixture;
        const quint64 first = fixture.ready(u"a"_s), second = fixture.ready(u"b"_s), third = fixture.ready(u"c"_s);
        QAction* undo = fixture.window->action(u"undo"_s);
        QVERIFY(!fixture.session().hasRemoved());
        fixture.session().remove(second);
        QVERIFY(fixture.session().queue().find(second) == nullptr && fixture.session().hasRemoved());
        QVERIFY(undo->isEnabled());
        undo->trigger();
        const auto& queue = fixture.session().queue().evaluations();
        QCOMPARE(queue.size(), size_t{3});
        QVERIFY(queue[0].id == first && queue[1].id == second && queue[2].id == third);
        QVERIFY(!fixture.session().hasRemoved());
        fixture.session().run();
        for (const quint64 id : {first, second, third})
            QVERIFY(fixture.waitFor(id, QueueState::Finished));
    }

    void onlyTheLastTwentyRemovedAreKept()
    {
        BatchFixture fixture;
        std::vector<quint64> ids;
        for (int i = 0; i < 22; ++i)
            ids.push_back(fixture.ready(u"a"_s));
        for (const quint64 id : ids)
            fixture.session().remove(id);
        int restored = 0;
        for (; fixture.session().hasRemoved(); ++restored)
            fixture.session().restoreRemoved();
        QCOMPARE(restored, 20);
        QVERIFY(fixture.session().queue().find(ids.front()) == nullptr
                && fixture.session().queue().find(ids.back()) != nullptr);
    }

    void measuringAndEvaluatingDoNotShareTheMachine()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 5;
        fixture.script->samples = 20'000;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Running));
        fixture.fixture.behaviour->hold = true;
        fixture.window->openPaths(fixture.fixture.images(1));
        QVERIFY(fixture.waitFor(id, QueueState::Resting));
        QTRY_COMPARE(fixture.window->session<CompareSession>()->runs().state(Row::WholeModel, 0),
                     CellState::Measuring);
        const int batches = fixture.script->batchesDone;
        QTest::qWait(150);
        QCOMPARE(fixture.script->batchesDone.load(), batches);
        fixture.fixture.behaviour->hold = false;
        QVERIFY(fixture.fixture.waitIdle());
        QVERIFY(QTest::qWaitFor([&] { return fixture.script->batchesDone > batches; }, 5000));
        QVERIFY(fixture.waitFor(id, QueueState::Running));
    }

    void oneModelIsIdleBesideTheOneThatIsEvaluated()
    {
        BatchFixture fixture;
        const test::FakeBehaviour& memory = *fixture.fixture.behaviour;
        fixture.script->batchMs = 5;
        fixture.script->samples = 20'000;
        Settings settings = fixture.window->workspace().settings();
        settings.residentNetworks = 1;
        fixture.window->workspace().setSettings(settings);
        const quint64 id = fixture.ready();
        QCOMPARE(memory.models.load(), 1);  // the estimate was made with that of the bar
        QCOMPARE(memory.loads.load(), 1);
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Running));
        RunContext context = fixture.window->workspace().context();
        context.model = u"fake_base_distilled_patch16_384"_s;
        fixture.window->workspace().setContext(context);
        fixture.window->openPaths(fixture.fixture.images(1));
        QVERIFY(fixture.fixture.waitIdle());
        QCOMPARE(memory.models.load(), 2);
        fixture.session().pause(id);
        QVERIFY(fixture.waitFor(id, QueueState::Paused));
        QTRY_COMPARE(memory.models.load(), 1);
        QCOMPARE(memory.maxModels.load(), 2);
    }

    void whatWasCutOffIsOfferedAndContinued()
    {
        QTemporaryDir folder;
        const QString store = folder.filePath(u"results.sqlite"_s);
        QDir(folder.path()).mkpath(u"scenes"_s);
        const std::string data = folder.filePath(u"scenes"_s).toStdString();
        test::writeEvaluation(store.toStdString(), data, {"softmax", "lara"}, 480, 7);
        test::writeEvaluation(folder.filePath(u"whole.sqlite"_s).toStdString(), data, {"softmax", "lara"}, 480);
        BatchFixture fixture(u"light"_s, {1280, 800}, store);
        QTRY_VERIFY2(fixture.messages().contains("scenes was stopped after 140 of 480 (2 backends)"_L1),
                     qPrintable(fixture.messages()));
        QVERIFY(fixture.script->requested().empty());
        QTRY_VERIFY(linkOf(*fixture.page, u"Continue from 140"_s) != nullptr);
        LinkButton* go = linkOf(*fixture.page, u"Continue from 140"_s);
        QTest::qWait(100);
        fixture.fixture.shot(u"batch-continue-light"_s);
        QTest::mouseClick(go, Qt::LeftButton);
        QVERIFY(fixture.waitFor(1, QueueState::Finished));
        QCOMPARE(fixture.script->batchesDone.load(), 24 - 7);
        QCOMPARE(fixture.withoutTimings(1),
                 attnscope::testing::withoutTimings(
                     ResultStore(folder.filePath(u"whole.sqlite"_s).toStdString(), ResultStore::Mode::Read), 1));
        QTRY_VERIFY(!fixture.messages().contains("was stopped after"_L1));
    }

    void storeThatResultsOpensIsNoneOfBatch()
    {
        BatchFixture fixture;
        const QString other = fixture.folder.filePath(u"other.sqlite"_s);
        test::writeEvaluation(other.toStdString(), fixture.data(u"other"_s).toStdString(), {"softmax"}, 60);
        const std::string before = attnscope::testing::withoutTimings(
            ResultStore(other.toStdString(), ResultStore::Mode::Read), 1);
        fixture.script->batchMs = 5;
        const quint64 id = fixture.ready();
        fixture.window->workspace().showScreen(u"results"_s, {other});
        fixture.window->showScreen(u"batch"_s);
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->stored.has_value(); }, 5000));
        QCOMPARE(fixture.session().queue().find(id)->stored->dataRoot, fixture.data().toStdString());
        QCOMPARE(fixture.session().queue().find(id)->stored->runs.size(), size_t(3));
        // The next one goes where the first went, and so does what is asked about them.
        const quint64 next = fixture.add(u"more"_s);
        QCOMPARE(fixture.session().queue().find(next)->plan.store, fixture.store.toStdString());
        QVERIFY(fixture.waitFor(next, QueueState::Finished, 30'000));
        fixture.page->select(id);
        fixture.page->details()->showTab(BatchDetails::Pairs);
        QTRY_COMPARE(fixture.page->details()->table(BatchDetails::Pairs)->model()->rowCount(), 3);
        QCOMPARE(attnscope::testing::withoutTimings(ResultStore(other.toStdString(), ResultStore::Mode::Read), 1),
                 before);
        // Results shows the other one until it is asked to show these.
        QCOMPARE(fixture.window->session<ResultsSession>()->store().file(), other);
        for (QAction* action : fixture.page->menuFor(id)->actions())
            if (action->text() == "Show in Results"_L1)
                action->trigger();
        QCOMPARE(fixture.window->session<ResultsSession>()->store().file(), fixture.store);
        QCOMPARE(fixture.window->screen(), u"results"_s);
    }

    void continuingDoesNotDependOnWhatResultsHasOpen()
    {
        BatchFixture fixture;
        const QString none = fixture.folder.filePath(u"none.sqlite"_s);
        QFile file(none);
        QVERIFY(file.open(QIODevice::WriteOnly)
                && file.write("no store at all, but long enough to be looked at") > 0);
        file.close();
        fixture.script->batchMs = 5;
        const quint64 id = fixture.ready();
        fixture.window->workspace().showScreen(u"results"_s, {none});
        fixture.window->showScreen(u"batch"_s);
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->done() >= 100; }, 10'000));
        fixture.session().pause(id);
        QVERIFY(fixture.waitFor(id, QueueState::Paused));
        const auto done = fixture.session().queue().find(id)->done();
        fixture.script->batchesDone = 0;
        fixture.session().resume(id);
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        QVERIFY(fixture.script->requested().back().resume);
        QCOMPARE(fixture.script->batchesDone.load(), int((480 - done) / test::scriptedBatch));
    }

    void continuingDoesNotWaitForTheStoresAnswer()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 5;
        fixture.script->storeDelayMs = 2000;  // a disk that sleeps
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->done() >= 40; }, 10'000));
        fixture.session().pause(id);
        QVERIFY(fixture.waitFor(id, QueueState::Paused, 1000));
        QVERIFY(!fixture.session().queue().find(id)->stored.has_value());
        fixture.session().resume(id);
        QVERIFY(QTest::qWaitFor([&] { return fixture.script->requested().size() == 2; }, 5000));
        QVERIFY(fixture.script->requested().back().resume);
        fixture.script->storeDelayMs = 0;
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
    }

    void lookThatWasOvertakenSaysNothing()
    {
        BatchFixture fixture;
        fixture.script->checksAllowed = 0;
        const quint64 id = fixture.add();
        QTRY_COMPARE(fixture.script->checks.load(), 1);
        fixture.session().changePlan(id,
                                     [](EvaluationSetup& plan) { return std::exchange(plan.limit, 100) != 100; });
        fixture.script->checksAllowed = 1;  // the first look goes on, the second waits
        QTRY_COMPARE(fixture.script->checks.load(), 2);
        QTest::qWait(60);
        QCOMPARE(fixture.session().queue().find(id)->state, QueueState::Checking);
        QVERIFY(fixture.session().queue().find(id)->check == nullptr);
        fixture.script->checksAllowed = 2;
        QVERIFY(fixture.waitFor(id, QueueState::Ready));
        QCOMPARE(fixture.session().queue().find(id)->check->estimate.samples, int64_t(100));
    }

    void inspectingLayersAndEvaluatingDoNotShareTheMachine()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 5;
        fixture.script->samples = 20'000;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Running));
        fixture.layers->hold = true;
        fixture.window->showScreen(u"layers"_s);
        fixture.window->takePaths(fixture.fixture.images(1));
        QVERIFY(fixture.waitFor(id, QueueState::Resting));
        QTRY_COMPARE(fixture.layers->inspections.load(), 1);
        const int batches = fixture.script->batchesDone;
        QTest::qWait(150);
        QCOMPARE(fixture.script->batchesDone.load(), batches);
        fixture.layers->hold = false;
        QVERIFY(QTest::qWaitFor([&] { return fixture.script->batchesDone > batches; }, 5000));
        QVERIFY(fixture.waitFor(id, QueueState::Running));
    }

    void folderDroppedDuringAComparisonIsLookedInto()
    {
        BatchFixture fixture;
        fixture.fixture.behaviour->hold = true;
        fixture.window->openPaths(fixture.fixture.images(1));
        QTRY_COMPARE(fixture.window->session<CompareSession>()->runs().state(Row::WholeModel, 0),
                     CellState::Measuring);
        fixture.window->takePaths({fixture.data()});
        QTRY_COMPARE(fixture.window->screen(), u"batch"_s);
        QVERIFY(fixture.window->session<CompareSession>()->isRunning());
    }

    void fullDiskKeepsNobodyFromMeasuring()
    {
        BatchFixture fixture;
        fixture.script->noSpaceAt = 5;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::NoSpace));
        fixture.window->openPaths(fixture.fixture.images(1));
        QVERIFY(fixture.fixture.waitIdle(5000));
        QCOMPARE(fixture.window->session<CompareSession>()->runs().state(Row::RelativeError, 0), CellState::Done);
        QCOMPARE(fixture.session().queue().find(id)->state, QueueState::NoSpace);
        fixture.session().resume(id);
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        QCOMPARE(fixture.session().queue().find(id)->done(), int64_t(480));
    }

    void fullDiskPausesAndContinues()
    {
        BatchFixture fixture;
        fixture.script->noSpaceAt = 5;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::NoSpace));
        QVERIFY(fixture.messages().contains("No space left for results"_L1));
        QCOMPARE(fixture.cell(0, QueueModel::TimeColumn), u"Disk full"_s);
        QTRY_VERIFY(linkOf(*fixture.page, u"Continue"_s) != nullptr);
        QTest::mouseClick(linkOf(*fixture.page, u"Continue"_s), Qt::LeftButton);
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        QCOMPARE(fixture.script->requested().size(), size_t(1));
        QTRY_VERIFY(!fixture.messages().contains("No space left"_L1));
    }

    void failureIsASentenceAndTheNextOneGoesOn()
    {
        BatchFixture fixture;
        fixture.script->failAt = 3;
        const quint64 first = fixture.ready(u"a"_s);
        fixture.session().run();
        QVERIFY(fixture.waitFor(first, QueueState::Failed));
        QVERIFY2(fixture.session().headline(first, 0).startsWith("The evaluation of a failed after "_L1),
                 qPrintable(fixture.session().headline(first, 0)));
        fixture.script->failAt = -1;
        const quint64 second = fixture.ready(u"b"_s);
        fixture.session().resume(second);
        QVERIFY(fixture.waitFor(second, QueueState::Finished));
        QVERIFY(fixture.messages().contains("the folder is gone; plug the disk in again."_L1));
        fixture.session().resume(first);
        QVERIFY(fixture.waitFor(first, QueueState::Finished));
        QCOMPARE(fixture.session().queue().find(first)->done(), int64_t(480));
    }

    void aFolderAddedAfterARunWaitsToBeRun()
    {
        BatchFixture fixture;
        const quint64 first = fixture.ready(u"a"_s);
        fixture.session().run();
        QVERIFY(fixture.waitFor(first, QueueState::Finished));
        const quint64 second = fixture.add(u"b"_s);
        QVERIFY(fixture.waitFor(second, QueueState::Ready));
        QTest::qWait(150);
        QCOMPARE(fixture.session().queue().find(second)->state, QueueState::Ready);
        QCOMPARE(fixture.script->requested().size(), size_t(1));
        // While the queue is under way, one that is added joins it.
        fixture.script->hold = true;
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().isRunning(); }));
        const quint64 third = fixture.add(u"c"_s);
        QVERIFY(fixture.waitFor(third, QueueState::Waiting));
        fixture.script->hold = false;
        QVERIFY(fixture.waitFor(third, QueueState::Finished));
    }

    void galleryGoesOnBelowWhileTheEvaluationGrows()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 0;
        fixture.script->samples = 2000;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.script->batchesDone > 8; }, 20'000));
        fixture.script->hold = true;
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->stored.has_value(); }));
        fixture.page->select(id, 1);
        SamplesModel& samples = fixture.page->details()->samples();
        QTRY_VERIFY(samples.rowCount() > 0);
        const int64_t early = samples.total();
        fixture.script->hold = false;
        QVERIFY(fixture.waitFor(id, QueueState::Finished, 60'000));
        QTRY_VERIFY(samples.total() > early);
        // Down to its end.
        QScrollBar* bar = fixture.page->details()->gallery()->verticalScrollBar();
        QTRY_VERIFY_WITH_TIMEOUT((bar->setValue(bar->maximum()), samples.rowCount() == samples.total()), 20'000);
        const SamplesModel* all = &samples;
        QCOMPARE(int64_t(all->rowCount()),
                 ResultStore(fixture.store.toStdString(), ResultStore::Mode::Read).pair(1, 2).onlyA);
    }

    void manyUnreadableFilesAreScrolledThroughWhileTheyGrow()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 0;
        fixture.script->samples = 1200;
        fixture.script->unreadable = 600;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.script->batchesDone > 30; }, 20'000));
        fixture.script->hold = true;
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->stored.has_value(); }));
        fixture.page->select(id, 0);
        BatchDetails* details = fixture.page->details();
        QTRY_VERIFY((details->refresh(),
                     details->tabs()->countOf(BatchDetails::Unreadable).toInt() > UnreadableModel::page));
        details->showTab(BatchDetails::Unreadable);
        QTableView* table = details->table(BatchDetails::Unreadable);
        QTRY_VERIFY(table->model()->rowCount() >= UnreadableModel::page);
        QSignalSpy resets(table->model(), &QAbstractItemModel::modelReset);
        table->setCurrentIndex(table->model()->index(150, 0));
        const int scrolled = table->verticalScrollBar()->value();
        fixture.script->hold = false;
        QVERIFY(fixture.waitFor(id, QueueState::Finished, 60'000));
        details->refresh();
        QTest::qWait(300);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(table->currentIndex().row(), 150);
        QCOMPARE(table->verticalScrollBar()->value(), scrolled);
        QTRY_VERIFY_WITH_TIMEOUT((details->refresh(), table->scrollToBottom(), table->model()->rowCount() == 600),
                                 20'000);
    }

    void closingAsksAndNamesHowToGoOn()
    {
        BatchFixture fixture;
        fixture.script->batchMs = 5;
        fixture.script->samples = 20'000;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(id)->stored.has_value(); }, 5000));
        QString said;
        pressInMessageBox(u"Stay"_s, &said);
        QVERIFY(!fixture.window->close());
        QVERIFY2(said.contains("Pausing loses nothing"_L1) && said.contains("attnscope-cli evaluate "_L1)
                     && said.contains(" --resume"_L1),
                 qPrintable(said));
        QVERIFY(fixture.session().isRunning());
        pressInMessageBox(u"Pause and close"_s, &said);
        QVERIFY(fixture.window->close());
        QVERIFY(fixture.waitFor(id, QueueState::Paused));
    }

    void tabsSayWhatTheStoreKnows()
    {
        BatchFixture fixture;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        fixture.page->select(id, 2);
        BatchDetails* details = fixture.page->details();
        ResultStore stored(fixture.store.toStdString(), ResultStore::Mode::Read);
        const StoredEvaluation evaluation = stored.evaluation(1);
        const auto counts = stored.pair(evaluation.runs[0].id, evaluation.runs[2].id);
        QTRY_COMPARE(details->tabs()->countOf(BatchDetails::Mistakes), QString::number(counts.onlyA));
        QCOMPARE(details->tabs()->countOf(BatchDetails::Unreadable), u"4"_s);
        QTRY_COMPARE(details->samples().total(), counts.onlyA);
        details->showTab(BatchDetails::Pairs);
        QTRY_COMPARE(details->table(BatchDetails::Pairs)->model()->rowCount(), 3);
        QTRY_VERIFY2(details->sentence().contains(QString::number(counts.onlyA))
                         && details->sentence().contains("McNemar p"_L1),
                     qPrintable(details->sentence()));
        details->showTab(BatchDetails::Classes);
        QTRY_COMPARE(details->table(BatchDetails::Classes)->model()->rowCount(), 12);
        details->showTab(BatchDetails::Unreadable);
        QTRY_COMPARE(details->table(BatchDetails::Unreadable)->model()->rowCount(), 4);
        // A confusion opens its images.
        details->showTab(BatchDetails::Confusions);
        QTRY_VERIFY(details->table(BatchDetails::Confusions)->model()->rowCount() > 5);
        const QModelIndex worst = details->table(BatchDetails::Confusions)->model()->index(0, 2);
        const int count = worst.data().toInt();
        emit details->table(BatchDetails::Confusions)->clicked(worst);
        QTRY_COMPARE(details->samples().total(), int64_t(count));
        QVERIFY(details->sentence().contains("predicted as"_L1));
    }

    void pictureOfAMistakeOpensInCompareWithBothAttentions()
    {
        BatchFixture fixture;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        fixture.page->select(id, 1);
        BatchDetails* details = fixture.page->details();
        QTRY_VERIFY(details->samples().rowCount() > 0);
        QTRY_VERIFY(fixture.script->imagesRead > 0);  // on a thread of their own
        const QString path = details->samples().index(0).data(SamplesModel::PathRole).toString();
        QVERIFY(path.startsWith(fixture.data()));
        fixture.window->workspace().backends().setChecked(fixture.window->workspace().backends().entries()[0].id,
                                                          false);
        emit details->gallery()->opened(details->samples().index(0));
        QCOMPARE(fixture.window->screen(), u"compare"_s);
        QCOMPARE(fixture.window->workspace().inputs().front().path, path);
        QVERIFY(fixture.window->workspace().backends().checkedSpecs().contains(u"softmax"_s));
        QVERIFY(fixture.window->workspace().backends().checkedSpecs().contains(u"performer:samples=128"_s));
    }

    void galleryOfThousandsIsPagedAndStaysResponsive()
    {
        qint64 best = 1'000'000;
        for (int attempt = 0; attempt < 3 && best > 100; ++attempt) {
            BatchFixture fixture;
            fixture.script->batchMs = 0;
            fixture.script->samples = 3000;
            const quint64 id = fixture.ready();
            fixture.session().run();
            QVERIFY(fixture.waitFor(id, QueueState::Finished, 60'000));
            fixture.page->select(id, 1);
            SamplesModel& samples = fixture.page->details()->samples();
            QTRY_VERIFY_WITH_TIMEOUT(samples.total() > 500, 10'000);
            QTRY_VERIFY(samples.rowCount() >= SamplesModel::page);
            QVERIFY(samples.rowCount() < samples.total());
            QTest::qWait(200);
            Watchdog watchdog;
            QScrollBar* bar = fixture.page->details()->gallery()->verticalScrollBar();
            for (int i = 0; i < 12; ++i) {
                bar->setValue(bar->maximum());
                QTest::qWait(40);
            }
            best = std::min(best, watchdog.longest);
            QVERIFY(samples.rowCount() > 3 * SamplesModel::page);
            QVERIFY2(fixture.script->imagesRead < samples.rowCount() + 200, "what was scrolled past is not read");
        }
        QVERIFY2(best <= 100, qPrintable(u"gap of %1 ms"_s.arg(best)));
    }

    void commandAndTableAreCopied()
    {
        BatchFixture fixture;
        fixture.ready();
        fixture.window->action(u"copyCommand"_s)->trigger();
        const QString command = fixture.clipboard();
        QVERIFY2(command.startsWith(u"attnscope-cli evaluate "_s + fixture.data()), qPrintable(command));
        QVERIFY2(command.contains(u" --weights untrained --model fake_tiny_patch16_224 --attention "
                                  "softmax --attention performer:samples=128 --attention lara "
                                  "--store "_s
                                  + fixture.store),
                 qPrintable(command));
        fixture.window->action(u"copy"_s)->trigger();
        QCOMPARE(fixture.clipboard().split(QLatin1Char('\n')).size(), 5);
        fixture.window->action(u"copyMarkdown"_s)->trigger();
        QVERIFY(fixture.clipboard().startsWith("| Run |"_L1));
    }
};

ATTNSCOPE_WINDOW_TEST(TestBatch)
#include "tst_batch.moc"
