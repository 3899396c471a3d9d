// How the Batch screen looks, its way by keyboard, and all of it over the real evaluation.
#include "tests/support/test_class.h"
#include "tests/ui/support/batch_fixture.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "ui/batch/batch_details.h"
#include "ui/batch/batch_page.h"
#include "ui/widgets/tab_strip.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QTest>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ResultStore;
using attnscope::StoredEvaluation;
using test::BatchFixture;

class TestBatchLooks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void everyWidgetHasANameAndTabComesRound()
    {
        BatchFixture fixture;
        const quint64 id = fixture.ready();
        fixture.session().run();
        QVERIFY(fixture.waitFor(id, QueueState::Finished));
        QTest::qWait(100);
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window));
        const QStringList visited = test::tabbedThrough(*fixture.page, *fixture.page->addButton());
        QVERIFY2(!visited.contains(QString()), qPrintable(visited.join(u" > "_s)));
        for (const char* name :
             {"Add folder", "Evaluations", "Run details", "Filter of misclassified samples", "Samples"})
            QVERIFY2(visited.contains(QLatin1String(name)), name);
    }

    /// Over the real evaluation and engine: a tiny network, images on disk, one of them broken; paused, and continued to the end.
    void realEvaluationIsPausedAndContinued()
    {
        QTemporaryDir folder;
        for (const QString& name : {u"blue"_s, u"orange"_s})
            for (int i = 0; i < 70; ++i) {
                const QString place = folder.filePath(u"data/"_s + name);
                QDir().mkpath(place);
                QImage image(48, 40, QImage::Format_RGB888);
                image.fill(name == "blue"_L1 ? QColor(30, 60, 100 + i) : QColor(230, 80 + i, 20));
                QVERIFY(image.save(u"%1/%2.png"_s.arg(place).arg(i)));
            }
        QFile broken(folder.filePath(u"data/blue/15.png"_s));
        QVERIFY(broken.open(QIODevice::WriteOnly | QIODevice::Truncate) && broken.write("<html>") > 0);
        broken.close();
        WindowOptions options;
        options.loaded.settings.context.model = QStringLiteral(TEST_DATA_DIR "/models/deit_tiny_cfg.json");
        options.loaded.settings.specs = {u"softmax"_s, u"lara:samples=4"_s};
        options.evaluation = coreEvaluation({});
        options.storePath = folder.filePath(u"results.sqlite"_s);
        Engine engine(coreWorkbench());
        MainWindow window(engine, options, screens(options));
        window.show();
        window.showScreen(u"batch"_s);
        BatchSession& batch = *window.session<BatchSession>();
        const auto state = [&](quint64 id) { return batch.queue().find(id)->state; };
        const quint64 first = batch.addFolder(folder.filePath(u"data"_s));
        QTRY_VERIFY2_WITH_TIMEOUT(state(first) == QueueState::Ready,
                                  qPrintable(batch.queue().find(first)->sentence), 30'000);
        QVERIFY(batch.queue().find(first)->check->estimate.secondsPerSample > 0);
        QCOMPARE(batch.queue().find(first)->check->estimate.unreadable.size(), size_t(1));
        batch.run();
        QTRY_VERIFY_WITH_TIMEOUT(batch.queue().find(first)->done() >= 32 || state(first) == QueueState::Finished,
                                 60'000);
        batch.pause(first);
        QTRY_VERIFY_WITH_TIMEOUT(!batch.isRunning(), 10'000);
        if (state(first) == QueueState::Paused)
            batch.run();
        QTRY_VERIFY2_WITH_TIMEOUT(state(first) == QueueState::Finished,
                                  qPrintable(batch.queue().find(first)->sentence), 60'000);
        const quint64 second = batch.addFolder(folder.filePath(u"data"_s));
        batch.run();  // where the first was through before it could be paused, the queue stands still
        QTRY_VERIFY_WITH_TIMEOUT(state(second) == QueueState::Finished, 60'000);
        ResultStore stored(options.storePath.toStdString(), ResultStore::Mode::Read);
        const StoredEvaluation whole = stored.evaluation(2);
        QCOMPARE(whole.unreadable, int64_t(1));
        QCOMPARE(stored.accuracy(whole.runs[0].id).samples, int64_t(139));
        QCOMPARE(attnscope::testing::withoutTimings(stored, 1), attnscope::testing::withoutTimings(stored, 2));
        QTRY_COMPARE_WITH_TIMEOUT(window.page<BatchPage>()->details()->tabs()->countOf(BatchDetails::Unreadable),
                                  u"1"_s, 10'000);
    }

    /// What it is made for: neighbours and a linear probe, trained on the folder `train` beside the evaluated one.
    void aNetworkWithoutAHeadIsEvaluatedByItsFeatures()
    {
        QTemporaryDir folder;
        for (const char* split : {"data/train", "data/val", "lonely"})
            for (const QString& name : {u"blue"_s, u"orange"_s})
                for (int i = 0; i < 12; ++i) {
                    const QString place = folder.filePath(QLatin1String(split) + QLatin1Char('/') + name);
                    QDir().mkpath(place);
                    QImage image(48, 40, QImage::Format_RGB888);
                    image.fill(name == "blue"_L1 ? QColor(30, 60, 100 + i) : QColor(230, 80 + i, 20));
                    QVERIFY(image.save(u"%1/%2.png"_s.arg(place).arg(i)));
                }
        QFile whole(QStringLiteral(TEST_DATA_DIR "/models/deit_tiny_cfg.json")),
            body(folder.filePath(u"body.json"_s));
        QVERIFY(whole.open(QIODevice::ReadOnly) && body.open(QIODevice::WriteOnly));
        QVERIFY(body.write(whole.readAll().replace("\"num_classes\": 10", "\"num_classes\": 0")) > 0);
        body.close();
        WindowOptions options;
        options.loaded.settings.context.model = body.fileName();
        options.loaded.settings.specs = {u"softmax"_s, u"elu"_s};
        options.evaluation = coreEvaluation({});
        options.storePath = folder.filePath(u"results.sqlite"_s);
        Engine engine(coreWorkbench());
        MainWindow window(engine, options, screens(options));
        window.show();
        window.showScreen(u"batch"_s);
        BatchSession& batch = *window.session<BatchSession>();
        const auto state = [&](quint64 id) { return batch.queue().find(id)->state; };
        const quint64 id = batch.addFolder(folder.filePath(u"data/val"_s));
        QTRY_VERIFY2_WITH_TIMEOUT(state(id) == QueueState::Ready, qPrintable(batch.queue().find(id)->sentence),
                                  30'000);
        QVERIFY(batch.queue().find(id)->check->features);
        QString said;  // once, though the estimate repeats it
        for (const MessageBar* bar : window.page<BatchPage>()->findChildren<MessageBar*>())
            said += bar->sentence();
        QCOMPARE(said.count("has no head"_L1), 1);
        QVERIFY2(batch.command(id).contains("--train-limit"_L1), qPrintable(batch.command(id)));
        batch.run();
        QTRY_VERIFY2_WITH_TIMEOUT(state(id) == QueueState::Finished, qPrintable(batch.queue().find(id)->sentence),
                                  60'000);
        const QueuedEvaluation& done = *batch.queue().find(id);
        QCOMPARE(done.progress.done, int64_t(24));
        QCOMPARE(done.progress.runs.size(), size_t(2));
        QCOMPARE(done.progress.runs[0].accuracy.samples, int64_t(24));
        QCOMPARE(done.progress.runs[0].accuracy.correct, int64_t(24));  // any network tells blue from orange
        QTRY_VERIFY_WITH_TIMEOUT(done.stored && done.stored->settings.model.ends_with("linear probe"), 10'000);
        ResultStore stored(options.storePath.toStdString(), ResultStore::Mode::Read);
        QCOMPARE(stored.evaluations().size(), size_t(3));  // 10 and 20 neighbours of 24, and the probe
        const quint64 alone = batch.addFolder(folder.filePath(u"lonely"_s));
        QTRY_VERIFY_WITH_TIMEOUT(state(alone) == QueueState::Refused, 30'000);
        const QString sentence = batch.queue().find(alone)->sentence;
        QVERIFY2(sentence.contains("`train`"_L1) && !sentence.contains("--"_L1), qPrintable(sentence));
    }

    void screensLookRight_data() { test::addLooks(); }
    /// No label is cut; images for people to look at where ATTNSCOPE_SHOTS says.
    void screensLookRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        BatchFixture fixture(theme, size);
        QTest::qWait(150);
        fixture.fixture.shot(u"batch-empty-"_s + tag);
        const quint64 first = fixture.ready();
        QTest::qWait(150);
        fixture.fixture.shot(u"batch-ready-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        fixture.session().run();
        QVERIFY(fixture.waitFor(first, QueueState::Finished));
        fixture.script->batchMs = 4;
        fixture.script->samples = 1000;
        const quint64 second = fixture.ready(u"imagenet/val"_s);
        fixture.session().run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().queue().find(second)->done() >= 600; }, 20'000));
        fixture.script->hold = true;
        fixture.page->select(second, 2);
        QTest::qWait(500);
        fixture.fixture.shot(u"batch-running-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        for (const auto& [tab, name] :
             {std::pair(BatchDetails::Classes, "classes"), std::pair(BatchDetails::Confusions, "confusion"),
              std::pair(BatchDetails::Pairs, "pairs"), std::pair(BatchDetails::Unreadable, "unreadable")}) {
            fixture.page->details()->showTab(tab);
            QTest::qWait(150);
            fixture.fixture.shot(u"batch-%1-"_s.arg(QLatin1String(name)) + tag);
            QCOMPARE(test::cutText(*fixture.page), QString());
        }
        fixture.script->hold = false;
        QVERIFY(fixture.waitFor(second, QueueState::Finished, 20'000));
    }
};

ATTNSCOPE_WINDOW_TEST(TestBatchLooks)
#include "tst_batch_looks.moc"
