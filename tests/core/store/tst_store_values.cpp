// What a store writes besides predictions: paths and hashes of data, marks of owners, settings as JSON.
#include "core/store/data_identity.h"
#include "core/store/ownership.h"
#include "core/store/store_json.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/test_class.h"

#include <QDateTime>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <set>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Every field differs from its default.
EvaluationSettings fullSettings()
{
    EvaluationSettings settings = madeUpSettings(48);
    settings.modelDescription = R"({"family":"deit"})";
    settings.transform = "resize 256, crop 224";
    settings.views = "10x3";
    settings.threads = 6;
    settings.limit = 500;
    settings.seed = std::numeric_limits<uint64_t>::max();
    settings.draws = drawsByContent;
    settings.sampling = wholeVideoSampling;
    settings.reading = "--rotation apply";
    settings.shard = {2, 3};
    settings.decoder = "libjpeg 8";
    settings.environment.torch = "2.11.0";
    settings.environment.compiler = "gcc 12";
    settings.notes = {"first", "second"};
    settings.issues = {{"missing", 2000, {"a.jpg", "b.jpg"}}, {"system", 1, {"@eaDir"}}};
    return settings;
}

StoredRun fullRun()
{
    StoredRun run = madeUpRuns(2)[1];
    run.resolved = "performer:samples=64";
    run.notes = {"a note"};
    run.latency = Latency{62.5, 61, 64, 4.9, 4.8, 5, 20, {62, 63}, {4.5, 5.5}, 7};
    run.memory = Memory{1 << 20, 2 << 20, 3000};
    run.error = ErrorValue{1e-3, 1e-4, 0.25, 0.125};
    run.emptyRows = 0.12;
    run.failure = "no memory was left";
    return run;
}

}

class TestStoreValues : public QObject {
    Q_OBJECT

private slots:
    void pathsAreRelativeToTheirData_data()
    {
        columns<QString, FolderLayout, QString, QString, QString>("root", "layout", "path", "stored", "opened");
        const auto row = [](const char* name, const char* root, FolderLayout layout, const char* path,
                            const char* stored, const char* opened = nullptr) {
            QTest::newRow(name) << root << layout << path << stored << (opened != nullptr ? opened : path);
        };
        row("in a folder", "/data/val", FolderLayout::ImageNet, "/data/val/cat/1.jpg", "cat/1.jpg");
        row("in a folder with a slash", "/data/val/", FolderLayout::ImageNet, "/data/val/cat/1.jpg", "cat/1.jpg");
        row("in the root", "/", FolderLayout::ImageNet, "/cat/1.jpg", "cat/1.jpg");
        row("next to a list", "/data/list.txt", FolderLayout::List, "/data/cat/1.jpg", "cat/1.jpg");
        row("beyond the folder", "/data/val", FolderLayout::ImageNet, "/data/validation/1.jpg",
            "/data/validation/1.jpg");
        row("longer way", "/data/./val", FolderLayout::ImageNet, "/data/val/dog/../cat/1.jpg", "cat/1.jpg",
            "/data/val/cat/1.jpg");
        row("current folder", ".", FolderLayout::ImageNet, "cat/1.jpg", "cat/1.jpg");
        row("current folder, by name", "./", FolderLayout::ImageNet, "./cat/1.jpg", "cat/1.jpg", "cat/1.jpg");
        row("list in the current folder", "list.txt", FolderLayout::List, "cat/1.jpg", "cat/1.jpg");
        row("elsewhere than a list in the current folder", "list.txt", FolderLayout::List, "/data/cat/1.jpg",
            "/data/cat/1.jpg");
        row("relative folder", "val", FolderLayout::ImageNet, "val/cat/1.jpg", "cat/1.jpg");
    }

    void pathsAreRelativeToTheirData()
    {
        FETCH_TEXT(root);
        QFETCH(FolderLayout, layout);
        FETCH_TEXT(path);
        FETCH_TEXT(stored);
        FETCH_TEXT(opened);
        const auto base = baseFolder(root, layout);
        QCOMPARE(storedPath(path, base), stored);
        QCOMPARE(openedPath(stored, base), opened);
    }

    void dataIsKnownByNamesLabelsAndOrder()
    {
        const auto hashOf = [](std::vector<LabelledFile> files, const char* root = "/data") {
            LabelledSet data;
            data.root = root;
            data.layout = FolderLayout::ImageNet;
            data.files = std::move(files);
            return dataHash(data);
        };
        const std::string hash = hashOf({{"/data/a", 1}, {"/data/b", 2}});
        QCOMPARE(hashOf({{"/mnt/a", 1}, {"/mnt/b", 2}}, "/mnt"), hash);
        QVERIFY(hashOf({{"/data/b", 2}, {"/data/a", 1}}) != hash);
        QVERIFY(hashOf({{"/data/a", 1}, {"/data/b", 3}}) != hash);
        QVERIFY(hashOf({{"/data/a", 1}, {"/data/c", 2}}) != hash);
        QVERIFY(hashOf({{"/data/a", 1}}) != hash);
        QVERIFY(hashOf({{"/data/a11", 2}}) != hashOf({{"/data/a1", 12}}));  // a name does not go on in the label
    }

    void classesAreKnownByNamesAndOrder()
    {
        const auto hashOf = [](std::vector<std::string> classes) {
            LabelledSet data;
            data.classes = std::move(classes);
            return classHash(data);
        };
        // Any two of these lists differ, wherever their names begin and end.
        const std::vector<std::vector<std::string>> lists{
            {},      {""},      {"", ""},      {"ab", "c"},   {"a", "bc"},          {"bc", "a"},
            {"abc"}, {"ab1:c"}, {"ab", "1:c"}, {"ab1", ":c"}, {"1", "11111111111"}, {"11111111111", "1"},
            {"a:b"}, {"a", "b"}};
        std::set<std::string> hashes;
        for (const auto& list : lists)
            hashes.insert(hashOf(list));
        QCOMPARE(hashes.size(), lists.size());
        QCOMPARE(hashOf({"ab", "c"}), hashOf({"ab", "c"}));
    }

    /// Counted one by one. What a file of others may say (no shards, batches of no sample) counts as one.
    void shardsShareAllSamples()
    {
        for (int64_t files = 0; files <= 25; ++files) {
            for (const int64_t limit : {0, 1, 10, 100}) {
                for (int64_t batch = 0; batch <= 5; ++batch) {
                    for (int64_t count = 0; count <= 4; ++count) {
                        for (int64_t index = 1; index <= std::max<int64_t>(1, count); ++index) {
                            EvaluationSettings settings = madeUpSettings(batch);
                            settings.limit = limit;
                            settings.shard = {index, count};
                            int64_t expected = 0;
                            for (int64_t sample = 0; sample < files && (limit == 0 || sample < limit); ++sample)
                                if (sample / std::max<int64_t>(1, batch) % std::max<int64_t>(1, count)
                                    == index - 1)
                                    ++expected;
                            QCOMPARE(samplesOf(settings, files), expected);
                        }
                    }
                }
            }
        }
    }

    void ownersAreKnownByTheirProcess()
    {
        const std::string mark = newOwnerMark();
        QVERIFY(newOwnerMark() != mark);  // another connection
        const int64_t now = secondsSince1970();
        QVERIFY(ownerLives(mark, now, now));
        QVERIFY(ownerLives(mark, now - heartbeatSeconds, now));
        QVERIFY(!ownerLives(mark, now - heartbeatSeconds - 1, now));
        QVERIFY(ownerLives(mark, now + heartbeatSeconds, now));  // of a clock that is ahead
        QVERIFY(!ownerLives(mark, now + heartbeatSeconds + 1, now));
        for (const char* nobody : {"", "x", "x y", "a b c", "a b c d e"})
            QVERIFY2(!ownerLives(nobody, now, now), nobody);
        const std::string pid = std::to_string(getpid());
        QCOMPARE(describeOwner(mark), "process " + pid);
        QCOMPARE(describeOwner("x y"), "another process");
        // On another machine only its heartbeat is known.
        const std::string elsewhere = "other/pid:[1] 1 1 1";
        QVERIFY(ownerLives(elsewhere, now, now) && !ownerLives(elsewhere, now - heartbeatSeconds - 1, now));
        QCOMPARE(describeOwner(elsewhere), "process 1 on another machine");
        // The same number may be given to a later process.
        const std::string machine = mark.substr(0, mark.find(' '));
        QVERIFY(!ownerLives(machine + " " + pid + " 1 1", now, now));
        QVERIFY(!ownerLives(machine + " 0 1 1", now, now));
        QVERIFY(!ownerLives(machine + " 0  1", now, now));  // there is no such process, and it began at no time
        // A name that looks like what comes behind it.
        prctl(PR_SET_NAME, "x) Z 1 2 (");
        QVERIFY(ownerLives(mark, now, now));
        QCOMPARE(newOwnerMark().substr(0, mark.rfind(' ')), mark.substr(0, mark.rfind(' ')));
        prctl(PR_SET_NAME, "tests_store");
    }

    void endedProcessesOwnNothing()
    {
        int marks[2];
        QCOMPARE(pipe(marks), 0);
        const pid_t child = fork();
        if (child == 0) {
            const std::string mark = newOwnerMark();
            _exit(write(marks[1], mark.data(), mark.size()) == std::ssize(mark) ? 0 : 1);
        }
        std::string mark(500, '\0');
        mark.resize(size_t(read(marks[0], mark.data(), mark.size())));
        siginfo_t ended{};
        waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);  // it stays a zombie
        const int64_t now = secondsSince1970();
        QVERIFY(!ownerLives(mark, now, now));
        waitpid(child, nullptr, 0);
        QVERIFY(!ownerLives(mark, now, now));
        QCOMPARE(describeOwner(mark), "process " + std::to_string(child));
        close(marks[0]);
        close(marks[1]);
    }

    void timesAndIdsAreWritten()
    {
        const QString now = QString::fromStdString(timeNow());
        QVERIFY(QRegularExpression(R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$)").match(now).hasMatch());
        QVERIFY(std::abs(QDateTime::fromString(now, Qt::ISODateWithMs).msecsTo(QDateTime::currentDateTimeUtc()))
                < 5000);
        QVERIFY(std::abs(secondsSince1970() - QDateTime::currentSecsSinceEpoch()) < 5);
        const QString id = QString::fromStdString(newUniqueId());
        QVERIFY(QRegularExpression("^[0-9a-f]{32}$").match(id).hasMatch());
        QVERIFY(QString::fromStdString(newUniqueId()) != id);
    }

    void settingsAreReadAsTheyWereWritten()
    {
        const EvaluationSettings settings = fullSettings(),
                                 read = settingsFromJson(parseJson(dumpJson(toJson(settings))));
        const auto fields = [](const EvaluationSettings& each) {
            return std::tie(each.model, each.modelDescription, each.weights, each.weightsHash, each.transform,
                            each.views, each.dtype, each.device, each.threads, each.batch, each.limit, each.seed,
                            each.draws, each.sampling, each.reading, each.shard.index, each.shard.count,
                            each.decoder, each.environment.torch, each.environment.compiler, each.command,
                            each.notes);
        };
        QVERIFY(fields(read) == fields(settings));
        for (const char* key : {"draws", "sampling", "reading"})  // as versions wrote it that did not know them
            QVERIFY(!toJson(EvaluationSettings()).contains(key));
    }

    void runsAreReadAsTheyWereWritten()
    {
        const StoredRun run = fullRun(), read = runFromJson(parseJson(dumpJson(toJson(run))));
        const auto fields = [](const StoredRun& each) {
            return std::tie(each.resolved, each.backend, each.weights, each.notes, each.latency->medianMs,
                            each.latency->p05Ms, each.latency->p95Ms, each.latency->attentionMedianMs,
                            each.latency->attentionP05Ms, each.latency->attentionP95Ms, each.latency->repetitions,
                            each.latency->roundsMs, each.latency->attentionRoundsMs, each.latency->session,
                            each.memory->peakBytes, each.memory->weightsBytes, each.memory->attentionPeakBytes,
                            each.error->mse, each.error->mseStddev, each.error->relative,
                            each.error->relativeStddev, each.emptyRows, each.failure);
        };
        QVERIFY(fields(read) == fields(run));
        const StoredRun nothing = runFromJson(parseJson(dumpJson(toJson(StoredRun()))));
        QVERIFY(!nothing.latency && !nothing.memory && !nothing.error && !nothing.emptyRows
                && nothing.failure.empty());
        for (const WeightsKind kind : {WeightsKind::Untrained, WeightsKind::Trained, WeightsKind::Swapped}) {
            StoredRun of;
            of.weights = kind;
            QCOMPARE(runFromJson(toJson(of)).weights, kind);
        }
    }

    void errorsNeedNotBeFinite()
    {
        StoredRun run;
        run.error = ErrorValue{infinity, -infinity, std::nan(""), 0.5};
        const ErrorValue read = runFromJson(parseJson(dumpJson(toJson(run)))).error.value();
        QCOMPARE(read.mse, infinity);
        QCOMPARE(read.mseStddev, -infinity);
        QVERIFY(std::isnan(read.relative));
        QCOMPARE(read.relativeStddev, 0.5);
    }

    void valuesOfAnotherTypeAreDefaults()
    {
        for (const char* text : {"", "[1]", "5", "\"x\"", "{", "null"})
            QVERIFY2(parseJson(text) == Json::object(), text);
        QCOMPARE(dumpJson(Json{{"text", "\xff"}}), "{\"text\":\"\xef\xbf\xbd\"}");
        const StoredRun run = runFromJson(
            parseJson(R"({"weights": 5, "error": [1], "empty_rows": "x", "latency_ms": 1, "failure": {}})"));
        QCOMPARE(run.weights, WeightsKind::Untrained);
        QVERIFY(!run.error && !run.emptyRows && !run.latency && run.failure.empty());
        const Latency odd =
            runFromJson(
                parseJson(
                    R"({"latency_ms": {"median": 5, "rounds": {"a": 1}, "attention_rounds": [1, "x", null], "session": 1.5}})"))
                .latency.value();
        QVERIFY(odd.roundsMs.empty() && odd.attentionRoundsMs.size() == 3 && odd.session == 0);
        const ErrorValue error = runFromJson(
                                     parseJson(R"({"error": {"mse": "x", "mse_deviation": {}, "relative": "2"}})"))
                                     .error.value();
        QVERIFY(error.mse == 0 && error.mseStddev == 0 && error.relative == 0 && error.relativeStddev == 0);
        QCOMPARE(settingsFromJson(parseJson(R"({"batch": "x", "shard": [2, 3], "notes": 1})")).shard, Shard());
    }

    void identityIsWhatPredictionsDependOn()
    {
        using Change = void (*)(EvaluationSettings&);
        const std::vector<Change> same{
            [](EvaluationSettings& each) { each.weights = "elsewhere/weights.safetensors"; },
            [](EvaluationSettings& each) { each.device = "cuda"; },
            [](EvaluationSettings& each) { each.threads = 1; },
            [](EvaluationSettings& each) { each.decoder = "another"; },
            [](EvaluationSettings& each) { each.environment = {}; },
            [](EvaluationSettings& each) { each.command = "another"; },
            [](EvaluationSettings& each) { each.notes.clear(); }};
        const std::vector<Change> other{[](EvaluationSettings& each) { each.model = "another"; },
                                        [](EvaluationSettings& each) { each.modelDescription = "{}"; },
                                        [](EvaluationSettings& each) { each.weightsHash = "abd"; },
                                        [](EvaluationSettings& each) { each.transform = "another"; },
                                        [](EvaluationSettings& each) { each.views = "1x1"; },
                                        [](EvaluationSettings& each) { each.dtype = "bfloat16"; },
                                        [](EvaluationSettings& each) { ++each.batch; },
                                        [](EvaluationSettings& each) { ++each.limit; },
                                        [](EvaluationSettings& each) { --each.seed; },
                                        [](EvaluationSettings& each) { each.draws.clear(); },
                                        [](EvaluationSettings& each) { each.sampling = publishedSampling; },
                                        [](EvaluationSettings& each) { each.reading.clear(); }};
        const Json identity = identityOf(fullSettings(), true), whole = identityOf(fullSettings(), false);
        const auto changed = [](Change change, bool withShard) {
            EvaluationSettings settings = fullSettings();
            change(settings);
            return identityOf(settings, withShard);
        };
        for (const Change change : same)
            QVERIFY(changed(change, true) == identity && changed(change, false) == whole);
        for (const Change change : other)
            QVERIFY(changed(change, true) != identity && changed(change, false) != whole);
        QVERIFY(identity != whole);
        for (const Change shard : std::vector<Change>{[](EvaluationSettings& each) { each.shard.index = 1; },
                                                      [](EvaluationSettings& each) { each.shard.count = 2; }})
            QVERIFY(changed(shard, true) != identity && changed(shard, false) == whole);
        QVERIFY(changed([](EvaluationSettings& each) { each.shard = {}; }, true) == whole);
        // Older versions sampled as published, and did not say so.
        QVERIFY(changed([](EvaluationSettings& each) { each.sampling = publishedSampling; }, true)
                == changed([](EvaluationSettings& each) { each.sampling.clear(); }, true));
        // As versions hashed it that did not know them.
        QVERIFY(!identityOf(EvaluationSettings(), true).contains("draws")
                && !identityOf(EvaluationSettings(), true).contains("shard"));
    }
};

ATTNSCOPE_EVENT_TEST(TestStoreValues)
#include "tst_store_values.moc"
