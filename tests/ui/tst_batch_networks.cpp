// The Batch screen with two networks: one evaluation reads every image once for both.
#include "tests/support/sanitizer.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/batch/batch_session.h"

#include <QFile>
#include <QTemporaryDir>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

const QString demo = QStringLiteral(RESOURCE_DIR "/demo/");
const QString softmaxNetwork = demo + u"models/deit.safetensors"_s,
              laraNetwork = demo + u"models/deit_lara.safetensors"_s,
              videoNetwork = demo + u"models/motionformer.safetensors"_s;

/// Photographs of the demo in folders of their classes.
void writeFolder(const QString& folder)
{
    for (const QString& name : {u"cat"_s, u"astronaut"_s, u"coins"_s, u"rocket"_s}) {
        QDir().mkpath(folder + u'/' + name);
        for (int copy = 0; copy < 3; ++copy)
            QFile::copy(demo + u"photos/"_s + name + u".jpg"_s, u"%1/%2/%3.jpg"_s.arg(folder, name).arg(copy));
    }
}

struct BatchNetworksFixture {
    BatchNetworksFixture()
    {
        writeFolder(folder.filePath(u"val"_s));
        WindowOptions options;
        options.loaded.settings.specs = {u"softmax"_s, u"lara:samples=16"_s};
        options.loaded.settings.context.weights = softmaxNetwork;
        options.evaluation = coreEvaluation((demo + u"photos"_s).toStdString());
        options.storePath = store;
        window = std::make_unique<MainWindow>(engine, options, screens(options));
    }
    BatchSession& session() { return *window->session<BatchSession>(); }
    BackendList& backends() { return window->workspace().backends(); }
    void add(const QString& weights, const char* attention)
    {
        backends().addCheckpoint({weights, {}, 0}, AttentionSpec::parse(attention));
    }
    /// The evaluation at its end.
    const QueuedEvaluation& evaluated()
    {
        const quint64 id = session().addFolder(folder.filePath(u"val"_s));
        session().run();
        const auto isOver = [&] {
            const QueuedEvaluation* each = session().queue().find(id);
            return each->state == QueueState::Refused || each->state == QueueState::Failed
                   || (each->state == QueueState::Finished && each->stored && each->stored->done == 12);
        };
        if (!QTest::qWaitFor(isOver, 120'000 * slowdown))
            qFatal("the evaluation did not end");
        return *session().queue().find(id);
    }

    QTemporaryDir folder;
    QString store = folder.filePath(u"runs.sqlite"_s);
    Engine engine{coreWorkbench()};
    std::unique_ptr<MainWindow> window;
};

}

class TestBatchNetworks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void everyColumnIsEvaluatedInItsNetwork()
    {
        BatchNetworksFixture fixture;
        fixture.add(laraNetwork, "lara:proposal=mixed,beta=2;checkpoint=2");
        const QueuedEvaluation& evaluated = fixture.evaluated();
        QVERIFY2(evaluated.state == QueueState::Finished, qPrintable(evaluated.sentence));
        QCOMPARE(evaluated.progress.runs.size(), 3);
        QCOMPARE(evaluated.stored->runs.size(), 3);
        const char* names[]{"softmax", "lara:samples=16", "lara:proposal=mixed,beta=2;checkpoint=2"};
        for (size_t run = 0; run < 3; ++run) {
            QCOMPARE(evaluated.stored->runs[run].attention, names[run]);
            QVERIFY(evaluated.stored->runs[run].failure.empty());
        }
        const auto row = [&](int run, int role) {
            const QueueModel& queue = fixture.session().queue();
            return queue.index(run, QueueModel::RunColumn).data(role).toString();
        };
        QVERIFY2(row(1, QueueModel::SecondLineRole).startsWith(u"deit · "_s),
                 qPrintable(row(1, QueueModel::SecondLineRole)));
        QVERIFY2(row(2, QueueModel::SecondLineRole).startsWith(u"deit_lara · "_s),
                 qPrintable(row(2, QueueModel::SecondLineRole)));
        QVERIFY(!row(2, QueueModel::SamplesRole).contains(u"network"_s));
        QCOMPARE(evaluated.stored->runs[1].weights, WeightsKind::Swapped);
        QCOMPARE(evaluated.stored->runs[2].weights, WeightsKind::Trained);
        const ResultStore store(fixture.store.toStdString(), ResultStore::Mode::Read);
        const std::vector<StoredEvaluation> all = store.evaluations();
        QCOMPARE(all.size(), 2);
        for (const StoredEvaluation& each : all)
            QCOMPARE(each.state, EvaluationState::Finished);
        QCOMPARE(all.back().settings.weights, laraNetwork.toStdString());
        // Between networks, too.
        const RunPair pair = store.pair(evaluated.stored->runs[0].id, evaluated.stored->runs[2].id);
        QCOMPARE(pair.bothRight + pair.onlyA + pair.onlyB + pair.bothWrong, 12);
        const QString command = fixture.session().command(evaluated.id);
        QVERIFY2(command.count(u"--weights "_s) == 2 && command.contains(u"softmax;checkpoint=1"_s),
                 qPrintable(command));
    }

    void aNetworkThatCannotBeEvaluatedIsLeftOutWithASentence()
    {
        BatchNetworksFixture fixture;
        fixture.add(videoNetwork, "softmax;checkpoint=2");
        QSignalSpy problems(&fixture.session(), &Session::problem);
        const QueuedEvaluation& evaluated = fixture.evaluated();
        QVERIFY2(evaluated.state == QueueState::Finished, qPrintable(evaluated.sentence));
        QCOMPARE(evaluated.stored->runs.size(), 2);
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems.front().front().toString().contains(u"takes clips"_s),
                 qPrintable(problems.front().front().toString()));
    }
};

ATTNSCOPE_WINDOW_TEST(TestBatchNetworks)
#include "tst_batch_networks.moc"
