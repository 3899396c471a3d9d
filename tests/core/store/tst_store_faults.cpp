// What may happen to a store: kills, full disks, other processes, other people's files.
#include "tests/core/store/failing_vfs.h"
#include "tests/core/store/raw_database.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/signal_process.h"
#include "tests/support/stored_results.h"
#include "tests/support/test_class.h"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

using namespace attnscope;
using namespace attnscope::testing;
using attnscope::test::signalProcess;
using namespace std::chrono_literals;

namespace {

std::string bytesOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Everything that must hold whatever happened: a sound file, and as many predictions as the stored batches have.
void verify(const fs::path& file)
{
    QCOMPARE(askSql(file, "PRAGMA integrity_check"), "ok");
    QCOMPARE(
        askSql(file, "SELECT count(*) FROM run r WHERE samples <> (SELECT count(*) FROM answer WHERE run = r.id)"),
        "0");
    QCOMPARE(askSql(file, "SELECT count(*) FROM run r WHERE samples <> (SELECT coalesce(sum(samples), 0) FROM "
                          "class_count WHERE run = r.id)"),
             "0");
    QCOMPARE(askSql(file, "SELECT count(*) FROM evaluation e WHERE done <> unreadable + (SELECT samples FROM run "
                          "WHERE evaluation = e.id AND "
                          "position = 0)"),
             "0");
    QCOMPARE(askSql(file, "SELECT count(*) FROM evaluation e WHERE (done + 15) / 16 <> (SELECT count(*) FROM "
                          "batch WHERE evaluation = e.id)"),
             "0");
}

const auto data = madeUpData(320, 10);
const auto settings = madeUpSettings(16);
const auto runs = madeUpRuns(3);

std::string uninterrupted()
{
    Folder folder;
    ResultStore store(folder / "whole", ResultStore::Mode::Write);
    return withoutTimings(store, evaluateMadeUp(store, settings, data, runs));
}

/// A child that evaluates; its exit code is 0 when it finished.
pid_t startEvaluating(const fs::path& file, const EvaluationSettings& with)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    try {
        ResultStore store(file, ResultStore::Mode::Write);
        evaluateMadeUp(store, with, data, runs);
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        _exit(1);
    }
}

}

class TestStoreFaults : public QObject {
    Q_OBJECT

private slots:
    /// ATTNSCOPE_KILLS=150 for the long proof.
    void killedWritersLeaveWholeBatchesAndGoOn()
    {
        const int kills = std::max(12, qEnvironmentVariableIntValue("ATTNSCOPE_KILLS"));
        const std::string expected = uninterrupted();
        std::mt19937 draw(1);
        int killed = 0, rounds = 0, partial = 0;
        while (killed < kills) {
            Folder folder;
            const auto file = folder / "runs.sqlite";
            for (bool finished = false; !finished; ++rounds) {
                const pid_t child = startEvaluating(file, settings);
                std::this_thread::sleep_for(std::chrono::microseconds(draw() % 60'000));
                signalProcess(child, SIGKILL);
                int status = 0;
                waitpid(child, &status, 0);
                finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
                killed += WIFSIGNALED(status) ? 1 : 0;
                if (fs::exists(file) && askSql(file, "SELECT count(*) FROM evaluation") == "1") {
                    verify(file);
                    partial += askSql(file, "SELECT done BETWEEN 1 AND 319 FROM evaluation") == "1" ? 1 : 0;
                }
            }
            ResultStore store(file, ResultStore::Mode::Read);
            QCOMPARE(store.evaluations().size(), size_t(1));
            QVERIFY(withoutTimings(store, 1) == expected);
        }
        qInfo("%d kills in %d starts, %d of them in the middle", killed, rounds, partial);
        QVERIFY(partial > 0);
    }

    void everyWriteMayFailAndNothingIsLost_data()
    {
        columns<int>("code");
        row("full disk", SQLITE_FULL);
        row("broken disk", SQLITE_IOERR_WRITE);
    }

    /// From the n-th write on, for every n until an evaluation needs no more; then there is space again, and the same call is repeated.
    void everyWriteMayFailAndNothingIsLost()
    {
        QFETCH(int, code);
        const FailingVfs vfs;
        FailingVfs::failFrom(0);
        const auto few = madeUpData(64, 4);
        std::string expected;
        {
            Folder folder;
            ResultStore store(folder / "whole", ResultStore::Mode::Write);
            expected = withoutTimings(store, evaluateMadeUp(store, settings, few, runs));
        }
        int n = 1, refused = 0;
        for (bool failed = true; failed && n < 1000; ++n) {
            Folder folder;
            const auto file = folder / "runs.sqlite";
            FailingVfs::failFrom(n, code);
            std::optional<ResultStore> store;
            const std::string opening = refusal([&] { store.emplace(file, ResultStore::Mode::Write); });
            bool spaceIsTheReason = opening.empty() || code != SQLITE_FULL
                                    || contains(opening, "no space is left");
            for (int attempt = 0; attempt < 2; ++attempt) {
                try {
                    if (!store)
                        store.emplace(file, ResultStore::Mode::Write);
                    evaluateMadeUp(*store, settings, few, runs);
                    break;
                } catch (const StoreError& error) {
                    QVERIFY2(attempt == 0, error.what());
                    spaceIsTheReason = spaceIsTheReason
                                       && (code != SQLITE_FULL || dynamic_cast<const NoSpace*>(&error) != nullptr);
                    ++refused;
                    FailingVfs::failFrom(0);
                    if (fs::exists(file) && askSql(file, "SELECT count(*) FROM evaluation") == "1")
                        verify(file);
                    if (store && !store->evaluations().empty())
                        store->setState(1, EvaluationState::Paused);
                }
            }
            failed = FailingVfs::failed() || !opening.empty() || refused == n;
            FailingVfs::failFrom(0);
            QVERIFY2(spaceIsTheReason, qPrintable(QString("write %1").arg(n)));
            QVERIFY2(withoutTimings(*store, 1) == expected, qPrintable(QString("write %1").arg(n)));
            verify(file);
        }
        qInfo("%d writes failed one after the other", n - 2);
        QVERIFY(n > 40 && n < 1000);
    }

    void fileSizeLimitIsNoSpace()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite";
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        signal(SIGXFSZ, SIG_IGN);
        ResultStore store(file, ResultStore::Mode::Write);
        const auto id = store.begin(settings, data, runs, false);
        rlimit small = before;
        small.rlim_cur = 300'000;
        setrlimit(RLIMIT_FSIZE, &small);
        int64_t stored = 0;
        bool full = false;
        try {
            for (; stored < 20; ++stored)
                store.add(id, madeUpBatch(stored, settings, data, 3));
        } catch (const NoSpace&) {
            full = true;
        } catch (const Error& error) {
            qWarning("%s", error.what());
        }
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(full && stored > 0);
        verify(file);
        QCOMPARE(int64_t(store.finishedBatches(id).size()), stored);
        for (; stored < 20; ++stored)
            store.add(id, madeUpBatch(stored, settings, data, 3));
        QVERIFY(withoutTimings(store, id) == uninterrupted());
    }

    void fullFileSystemPausesAndGoesOn()
    {
        Folder folder;
        const auto disk = folder / "disk";
        fs::create_directory(disk);
        if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=4m") != 0)
            QSKIP("a file system of 4 MiB cannot be mounted here (needs root)");
        const auto unmount = qScopeGuard([&] { umount2(disk.c_str(), MNT_DETACH); });
        const auto large = madeUpData(20'000, 10);
        const auto ballast = disk / "ballast";
        std::ofstream(ballast) << std::string(1 << 20, 'x');
        ResultStore store(disk / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = store.begin(settings, large, runs, false);
        int64_t stored = 0;
        std::string message;
        try {
            for (;; ++stored)
                store.add(id, madeUpBatch(stored, settings, large, 3));
        } catch (const NoSpace& error) {
            message = error.what();
        }
        SAYS(message, "no space is left for results; free some space and try again");
        QVERIFY(stored > 20);
        QVERIFY(refusal([&] { store.add(id, madeUpBatch(stored, settings, large, 3)); }) == message);
        verify(disk / "runs.sqlite");
        fs::remove(ballast);
        store.add(id, madeUpBatch(stored, settings, large, 3));
        QCOMPARE(int64_t(store.finishedBatches(id).size()), stored + 1);
        verify(disk / "runs.sqlite");
    }

    /// Two write evaluations of their own, the third reads all the time.
    void severalProcessesShareAStore()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite";
        auto other = settings;
        other.seed = 1;
        const std::array<pid_t, 2> writers{startEvaluating(file, settings), startEvaluating(file, other)};
        int reads = 0, running = 2;
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (running > 0 && std::chrono::steady_clock::now() < end) {
            if (fs::exists(file) && std::stoi("0" + askSql(file, "PRAGMA user_version")) > 0) {
                ResultStore store(file, ResultStore::Mode::Read);
                for (const StoredEvaluation& evaluation : store.evaluations())
                    for (const StoredRun& run : evaluation.runs)
                        reads += store.accuracy(run.id).samples >= 0 && store.classAccuracies(run.id).size() <= 10;
            }
            for (const pid_t writer : writers) {
                int status = 0;
                if (waitpid(writer, &status, WNOHANG) == writer) {
                    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
                    --running;
                }
            }
        }
        QCOMPARE(running, 0);
        QVERIFY(reads > 10);
        verify(file);
        ResultStore store(file, ResultStore::Mode::Read);
        QCOMPARE(store.evaluations().size(), size_t(2));
        for (const StoredEvaluation& evaluation : store.evaluations())
            QCOMPARE(evaluation.state, EvaluationState::Finished);
    }

    void foreignFilesAreRefused_data()
    {
        columns<QString, QString>("kind", "expected");
        row("missing", "missing", "results store not found");
        row("name too long", "long",
            "cannot be reached: File name too long; give a results store that this user may read");
        row("folder", "folder", "is not a regular file");
        row("fifo", "fifo", "is not a regular file");
        row("text", "text", "is not a results store");
        row("empty", "empty", "is empty; no evaluation was started");
        row("other program's", "other", "not a results store of Attnscope");
        row("header only", "header", "a");
    }

    void foreignFilesAreRefused()
    {
        FETCH_TEXT(kind);
        FETCH_TEXT(expected);
        Folder folder;
        const auto file = folder / (kind == "long" ? std::string(300, 'x') : "file.sqlite");
        if (kind == "folder")
            fs::create_directory(file);
        else if (kind == "fifo")
            QCOMPARE(mkfifo(file.c_str(), 0600), 0);
        else if (kind == "text")
            std::ofstream(file) << std::string(5000, 'x');
        else if (kind == "empty")
            std::ofstream(file) << "";
        else if (kind == "header")
            std::ofstream(file, std::ios::binary) << std::string("SQLite format 3\0", 16) << std::string(84, '\1');
        else if (kind == "other")
            runSql(file, "CREATE TABLE bookmarks(url); PRAGMA application_id = 77");
        const std::string message = refusal([&] { ResultStore store(file, ResultStore::Mode::Read); });
        QVERIFY2(contains(message, expected) && message.starts_with(file.string() + ": "), message.c_str());
        if (kind != "missing" && kind != "empty")
            THROWS(Error, ResultStore store(file, ResultStore::Mode::Write));
    }

    void storesChangedByOthersAreRefused_data()
    {
        columns<QString, QString>("sql", "expected");
        row("trigger", "CREATE TRIGGER t AFTER INSERT ON batch BEGIN DELETE FROM answer; END", "has `t`");
        row("view in place of a table", "DROP TABLE part; CREATE VIEW part AS SELECT * FROM file", "has `part`");
        row("further table", "CREATE TABLE more(x)", "has `more`");
        row("further index with a function", "CREATE INDEX i ON answer(abs(rank))", "has `i`");
        row("missing table", "DROP TABLE confusion", "lacks the table `confusion`");
        row("other columns", "ALTER TABLE answer ADD COLUMN more INTEGER", "has `answer`");
        row("newer version", "PRAGMA user_version = 99", "was written by a newer Attnscope (store version 99");
        row("version that never was", "PRAGMA user_version = -3", "version -3, which never existed");
    }

    void storesChangedByOthersAreRefused()
    {
        FETCH_TEXT(sql);
        FETCH_TEXT(expected);
        Folder folder;
        const auto file = folder / "runs.sqlite";
        {
            ResultStore store(file, ResultStore::Mode::Write);
            evaluateMadeUp(store, settings, data, runs, 2);
        }
        runSql(file, sql);
        for (const auto mode : {ResultStore::Mode::Read, ResultStore::Mode::Write}) {
            const std::string before = bytesOf(file);
            REFUSES(Error, ResultStore store(file, mode), expected);
            QVERIFY(bytesOf(file) == before);
        }
    }

    void valuesOfOthersAreNotBelieved()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite";
        {
            ResultStore store(file, ResultStore::Mode::Write);
            evaluateMadeUp(store, settings, data, runs);
            store.addEpoch(store.beginTraining({.model = "deit"}, false), {.epoch = 1, .loss = 2});
        }
        const auto opened = [&] { return ResultStore(file, ResultStore::Mode::Read); };
        for (const std::string facts :
             {"[1]", "5", "\"x\"", "null", "{\"validation\": [2], \"error\": 3, \"empty_rows\": {}}"}) {
            for (const std::string table : {"evaluation", "run", "training", "epoch"})
                runSql(file, "UPDATE " + table + " SET facts = '" + facts + "'");
            QCOMPARE(opened().evaluations().size(), size_t(1));
            QVERIFY(!opened().evaluation(1).runs.at(0).error && !opened().evaluation(1).runs.at(0).emptyRows);
            QVERIFY(opened().trainings().at(0).model.empty()
                    && !opened().trainings().at(0).history.at(0).validation);
        }
        runSql(file, "UPDATE evaluation SET state = 99, facts = '" + std::string(100'000, '[')
                         + "', owner = 'x y', data_root = '../..'");
        QCOMPARE(opened().evaluation(1).state, EvaluationState::Interrupted);
        QCOMPARE(opened().evaluation(1).settings.model, std::string());
        for (const char* number : {"-1", "4", "99"}) {
            runSql(file, "UPDATE evaluation SET state = " + std::string(number)
                             + "; UPDATE data_set SET layout = " + number);
            QCOMPARE(opened().evaluation(1).state, EvaluationState::Interrupted);
            QCOMPARE(opened().evaluation(1).layout, FolderLayout::Auto);
        }
        runSql(file, "DELETE FROM class WHERE label > 3; UPDATE class_count SET label = -1 WHERE label = 0");
        for (const ClassAccuracy& one : opened().classAccuracies(1))
            QCOMPARE(one.name,
                     one.label < 0 || one.label > 3 ? std::string() : "class " + std::to_string(one.label));
        runSql(file,
               "UPDATE run SET facts = '{\"latency_ms\": [1], \"memory_bytes\": {\"peak\": \"x\"}, \"notes\": "
               "[1, \"a\"], \"backend\": 5}'");
        const StoredRun run = opened().evaluation(1).runs.at(0);
        QVERIFY(!run.latency && run.memory->peakBytes == 0 && run.backend.empty());
        QCOMPARE(run.notes, std::vector<std::string>{"a"});
        SampleQuery all{run.id};
        all.predictions = PredictionsShown::All;
        runSql(file, "UPDATE answer SET rest = x'00' WHERE sample = 3");
        REFUSES(Error, all.count = 1000; opened().samples(all), "damaged");
        runSql(file, "UPDATE answer SET rest = zeroblob(40000000) WHERE sample = 3");
        REFUSES(Error, opened().samples(all), "larger than any that Attnscope writes");
        REFUSES(Error, ResultStore other(folder / "merged", ResultStore::Mode::Write);
                other.merge(file), file.string());
    }

    /// At every length in steps of half a page: a sentence or a working store, never anything else.
    void truncatedStoresAreASentence()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite";
        {
            ResultStore store(file, ResultStore::Mode::Write);
            evaluateMadeUp(store, settings, madeUpData(64, 4), runs);
        }
        const std::string whole = bytesOf(file);
        int refused = 0, all = 0;
        for (size_t length = 0; length < whole.size(); length += 2048, ++all) {
            std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, length);
            const std::string message = refusal([&] {
                ResultStore store(file, ResultStore::Mode::Read);
                for (const StoredEvaluation& evaluation : store.evaluations())
                    (void)withoutTimings(store, evaluation.id);
            });
            refused += message.empty() ? 0 : 1;
        }
        QCOMPARE(refused, all);
        std::mt19937 draw(7);
        for (int i = 0; i < 200; ++i) {
            std::string damaged = whole;
            for (int k = 0; k < 20; ++k)
                damaged[100 + draw() % (damaged.size() - 100)] = char(draw());
            std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
            refusal([&] {
                ResultStore store(file, ResultStore::Mode::Read);
                for (const StoredEvaluation& evaluation : store.evaluations())
                    (void)withoutTimings(store, evaluation.id);
            });
        }
    }

    void readingChangesNothing()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite";
        {
            ResultStore store(file, ResultStore::Mode::Write);
            evaluateMadeUp(store, settings, data, runs, 5);
        }
        const std::string before = bytesOf(file);
        ResultStore store(file, ResultStore::Mode::Read);
        (void)withoutTimings(store, 1);
        REFUSES(Error, store.setNote(1, "x"), "was opened read-only");
        REFUSES(Error, store.begin(settings, data, runs, true), "was opened read-only");
        QVERIFY(bytesOf(file) == before);
    }

    void readOnlyFolderCanBeRead()
    {
        Folder folder;
        const auto place = folder / "medium";
        fs::create_directory(place);
        const auto file = place / "runs 1%20?#&ü.sqlite";  // which a URI would read as something else
        {
            ResultStore store(file, ResultStore::Mode::Write);
            evaluateMadeUp(store, settings, data, runs);
        }
        chmod(file.c_str(), 0444);
        chmod(place.c_str(), 0555);
        chmod((folder / "").parent_path().c_str(), 0755);
        const bool root = geteuid() == 0;  // which may write anywhere: another user reads
        if (root && setresuid(65534, 65534, 0) != 0)
            QSKIP("cannot become another user here");
        size_t found = 0;
        const std::string message = refusal(
            [&] { found = ResultStore(file, ResultStore::Mode::Read).evaluations().size(); });
        if (root)
            QCOMPARE(setresuid(0, 0, 0), 0);
        chmod(place.c_str(), 0755);
        QVERIFY2(message.empty() && found == 1, message.c_str());
    }

    void aStoreThatWasDeletedIsNoticed()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite";
        ResultStore store(file, ResultStore::Mode::Write);
        const auto id = store.begin(settings, data, runs, false);
        store.add(id, madeUpBatch(0, settings, data, 3));
        fs::remove(file);
        REFUSES(Error, store.add(id, madeUpBatch(1, settings, data, 3)),
                "was moved or deleted while it was being written");
    }
};

ATTNSCOPE_EVENT_TEST(TestStoreFaults)
#include "tst_store_faults.moc"
