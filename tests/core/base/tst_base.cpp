#include "core/base/atomic_file.h"
#include "core/base/checked.h"
#include "core/base/countdown.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/format.h"
#include "core/base/json.h"
#include "core/base/json_path.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/process/process_limit.h"
#include "core/base/process/processors.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <vector>

using namespace attnscope;

namespace {

/// A file of a made-up /proc or /sys.
void writeBelow(const QTemporaryDir& root, const QString& path, const QByteArray& text)
{
    const QString name = root.filePath(path);
    QVERIFY(QDir().mkpath(QFileInfo(name).path()));
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

using Files = QList<QPair<QString, QByteArray>>;

}

class TestBase : public QObject {
    Q_OBJECT

private slots:
    void errorsAreOneSentence()
    {
        const FileError error("people.mp4", "no video stream (audio only)", "give a file with pictures");
        QCOMPARE(std::string(error.what()),
                 "people.mp4: no video stream (audio only); give a file with pictures.");
        QCOMPARE(error.reason(), "no video stream (audio only); give a file with pictures.");
        QCOMPARE(std::string(UsageError("", "no attention was specified").what()), "no attention was specified.");
        QCOMPARE(std::string(FileError("a\nb", "x").what()), "a\\nb: x.");
    }

    void hostileNamesArePrintedAsEscapes()
    {
        QCOMPARE(printable("plain ü 猫"), "plain ü 猫");
        QCOMPARE(printable("\x1b[31m"), "\\x1b[31m");
        QCOMPARE(printable("a\u202eb"), "a\\u202eb");
        QCOMPARE(printable("a\u061cb"), "a\\u061cb");
        QCOMPARE(printable("\xff\xfe"), "\\xff\\xfe");
        QCOMPARE(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
        QCOMPARE(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
        QCOMPARE(printable("\xe2\x82"), "\\xe2\\x82");           // cut off
    }

    void nearestWordsComeFirst()
    {
        QCOMPARE(nearestWords("laar", {"softmax", "lara", "rfa"}, 1), std::vector<std::string>{"lara"});
        // Not the short name of the same length, but the long one that begins like it.
        const std::vector<std::string> models{"evit_tiny_p8", "evit_tiny_p16", "deit_base_patch16_224",
                                              "deit_tiny_patch16_224", "pvt_v2_b0"};
        QCOMPARE(nearestWords("deit_tny", models, 1), std::vector<std::string>{"deit_tiny_patch16_224"});
        QCOMPARE(nearestWords("deit_tiny_patch16_244", models, 1),
                 std::vector<std::string>{"deit_tiny_patch16_224"});
        QCOMPARE(nearestWords("evit_tiny", models, 1), std::vector<std::string>{"evit_tiny_p8"});
        QCOMPARE(nearestWords("--sed", {"--seeds", "--seconds", "--seed"}, 1), std::vector<std::string>{"--seed"});
        QCOMPARE(joinWords({"a", "b", "c"}), "a, b or c");
        QCOMPARE(split("a,,b", ',').size(), 3);
    }

    void pathsInJsonAreReversible_data()
    {
        columns<QByteArray, QByteArray>("path", "json");
        row("plain", QByteArray("photos/cat.jpg"), QByteArray("\"photos/cat.jpg\""));
        row("umlaut", QByteArray("gr\xc3\xbc\xc3\x9f.jpg"), QByteArray("\"gr\xc3\xbc\xc3\x9f.jpg\""));
        row("newline", QByteArray("a\nb.jpg"), QByteArray("\"a\\nb.jpg\""));
        row("backslash and n", QByteArray("a\\nb.jpg"), QByteArray("\"a\\\\nb.jpg\""));
        row("Latin-1", QByteArray("caf\xe9.jpg"), QByteArray("\"caf\\u0000e9.jpg\""));
        row("what the escape of a byte looks like", QByteArray("caf\\u0000e9.jpg"),
            QByteArray("\"caf\\\\u0000e9.jpg\""));
        row("cut off", QByteArray("x\xe2\x82"), QByteArray("\"x\\u0000e2\\u000082\""));
        row("surrogate", QByteArray("\xed\xa0\x80"), QByteArray("\"\\u0000ed\\u0000a0\\u000080\""));
        row("right to left", QByteArray("a\xe2\x80\xae.gpj"), QByteArray("\"a\\u202e.gpj\""));
    }

    void pathsInJsonAreReversible()
    {
        QFETCH(const QByteArray, path);
        QFETCH(const QByteArray, json);
        const std::string text = printableJson(Json(jsonPath(path.toStdString())).dump());
        QCOMPARE(QByteArray::fromStdString(text), json);
        QCOMPARE(QByteArray::fromStdString(pathFromJson(Json::parse(text).get<std::string>())), path);
    }

    void pathsFromJsonContainNoZero()
    {
        using namespace std::string_view_literals;
        QCOMPARE(pathFromJson("cat.jpg\0.exe"sv), "cat.jpg\uFFFD.exe");
        QCOMPARE(pathFromJson("a\0"
                              "00b"sv),
                 "a\uFFFD"
                 "00b");  // only bytes that are not UTF-8 are ever escaped
        QCOMPARE(pathFromJson("a\0"
                              "2fb"sv),
                 "a\uFFFD"
                 "2fb");
        QCOMPARE(pathFromJson("a\0"
                              "e"sv),
                 "a\uFFFD"
                 "e");
    }

    void jsonForTerminalsEscapesWhatCouldForgeThem()
    {
        const Json json{{"label", "\x7f\u009b31m\u2028\u061c\ufeff"}, {"list", {1, 2}}};
        const std::string text = printableJson(json.dump(2));
        SAYS(text, "\\u007f\\u009b31m\\u2028\\u061c\\ufeff");
        QVERIFY(text.find("{\n  \"label\"") == 0);
        QVERIFY(Json::parse(text) == json);
    }

    void jsonOfAnyOriginIsReadInBoundedDepthAndTime()
    {
        const std::string usual = R"({"b":[1,-2.5,null,true,"\u00e9"],"a":{"b":{}}})";
        QCOMPARE(jsonFromText(usual), Json::parse(usual));
        QCOMPARE(jsonFromText(R"({"a":1,"b":2,"a":[3]})").dump(), std::string(R"({"a":[3],"b":2})"));
        for (const char* wrong : {"", "[1,", "{\"a\":1,}", "1e999", "\"\xff\"", "[]]"})
            QVERIFY2(jsonFromText(wrong).is_discarded(), wrong);
        const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
        QVERIFY(jsonFromText(nested(deepestJson)).is_array());
        QVERIFY(jsonFromText(nested(deepestJson + 1)).is_discarded());
        QVERIFY(jsonFromText(nested(8'000'000)).is_discarded());  // copying it would exhaust the stack
        std::string keys = "{\"0\":0";
        for (int i = 1; i < 200'000; ++i)
            keys += ",\"" + std::to_string(i) + "\":0";
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(jsonFromText(keys + "}").size(), 200'000);
        QVERIFY2(timer.elapsed() < 10'000, "comparing each key with all before it takes minutes");
    }

    void numbersAreReadAlikeInEveryLocale()
    {
        QCOMPARE(parseNumber<double>("1.5"), std::optional(1.5));
        QCOMPARE(parseNumber<double>("-2e-3"), std::optional(-2e-3));
        QCOMPARE(parseNumber<int64_t>("42"), std::optional(int64_t{42}));
        for (const char* other : {"", " 1", "1 ", "+1", "1,5", "1.5x", "x"})
            QVERIFY2(!parseNumber<double>(other), other);
        QVERIFY(!parseNumber<int64_t>("9223372036854775808"));
    }

    void threadsThatCannotStartAreCounted()
    {
        QCOMPARE(threadsThatStart(1), 1);
        QCOMPARE(threadsThatStart(4), 4);
        // Every thread takes a stack of the address space; the limit of processes does not hold for the root of a container.
        rlimit before{}, stack{};
        QVERIFY(::getrlimit(RLIMIT_AS, &before) == 0 && ::getrlimit(RLIMIT_STACK, &stack) == 0);
        QVERIFY(addressSpaceInUse() > (1u << 20));
        const rlim_t room = addressSpaceInUse() + (rlim_t{100} << 20);
        const rlimit little{room, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_AS, &little), 0);
        const int64_t started = threadsThatStart(1000);
        ::setrlimit(RLIMIT_AS, &before);
        QVERIFY2(started >= 1 && started < 1000, std::to_string(started).c_str());
        QCOMPARE(reachedLimit(EAGAIN)->problem, "no more processes or threads can be started");
        QVERIFY(!reachedLimit(ENOENT));
    }

    void theLeastCpuQuotaOfAProcessAndItsAncestorsCounts_data()
    {
        columns<Files, double>("files", "quota");
        const auto row = [](const char* name, const Files& files, double quota) {
            QTest::newRow(name) << files << quota;
        };
        const QPair<QString, QByteArray> own{"proc/self/cgroup", "0::/\n"},
            below{"proc/self/cgroup", "0::/a.slice/b\n"};
        row("nothing mounted", {}, 0);
        row("v2, a container with a namespace of its own", {own, {"sys/fs/cgroup/cpu.max", "250000 100000\n"}},
            2.5);
        row("v2, no limit", {own, {"sys/fs/cgroup/cpu.max", "max 100000\n"}}, 0);
        row("v2, its own group",
            {below,
             {"sys/fs/cgroup/a.slice/b/cpu.max", "100000 50000\n"},
             {"sys/fs/cgroup/a.slice/cpu.max", "max 100000\n"}},
            2);
        row("v2, an ancestor allows less",
            {below,
             {"sys/fs/cgroup/a.slice/b/cpu.max", "400000 100000\n"},
             {"sys/fs/cgroup/a.slice/cpu.max", "150000 100000\n"}},
            1.5);
        row("v2, another group's", {below, {"sys/fs/cgroup/c/cpu.max", "100000 100000\n"}}, 0);
        row("v2, a group outside its namespace",
            {{"proc/self/cgroup", "0::/../../c\n"}, {"sys/fs/cgroup/cpu.max", "300000 100000\n"}}, 3);
        row("v2, beside v1", {own, {"sys/fs/cgroup/unified/cpu.max", "100000 100000\n"}}, 1);
        row("v1",
            {{"proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/d\n0::/\n"},
             {"sys/fs/cgroup/cpu,cpuacct/d/cpu.cfs_quota_us", "350000\n"},
             {"sys/fs/cgroup/cpu,cpuacct/d/cpu.cfs_period_us", "100000\n"}},
            3.5);
        row("v1, no limit",
            {{"proc/self/cgroup", "2:cpu:/\n"},
             {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
             {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
            0);
        row("v1, only the container's group is mounted",
            {{"proc/self/cgroup", "4:cpuacct,cpu:/docker/0123\n"},
             {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n"},
             {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
            2);
        row("not numbers", {{"proc/self/cgroup", "0\n0::\n"}, {"sys/fs/cgroup/cpu.max", "lots 0\n"}}, 0);
    }

    void theLeastCpuQuotaOfAProcessAndItsAncestorsCounts()
    {
        QFETCH(const Files, files);
        const QTemporaryDir root;
        for (const auto& [path, text] : files)
            writeBelow(root, path, text);
        QTEST(cpuQuota(root.path().toStdString()).value_or(0), "quota");
        QVERIFY(usableProcessors() >= 1);
    }

    void aQuotaThatStopsWhatIsTimedIsNotedOnce()
    {
        const QTemporaryDir root;
        writeBelow(root, "proc/self/cgroup", "0::/a\n");
        writeBelow(root, "sys/fs/cgroup/a/cpu.stat", "usage_usec 7\nnr_periods 40\nnr_throttled 3\n");
        writeBelow(root, "sys/fs/cgroup/cpu.stat", "nr_throttled 10\n");
        QCOMPARE(timesThrottled(root.path().toStdString()), 13);
        std::vector<std::string> notes{"another"};
        noteThrottling(13, notes, root.path().toStdString());
        QCOMPARE(notes.size(), 1U);
        writeBelow(root, "sys/fs/cgroup/cpu.stat", "nr_throttled 11\n");
        noteThrottling(13, notes, root.path().toStdString());
        noteThrottling(13, notes, root.path().toStdString());
        QCOMPARE(notes.size(), 2U);
        SAYS(notes.back(), "CPU quota");
    }

    void figuresReadAsPeopleWriteThem()
    {
        QCOMPARE(counted(1, "layer") + ", " + counted(0, "head") + ", " + counted(12, "token"),
                 "1 layer, 0 heads, 12 tokens");
        QCOMPARE(counted(1, "class", "classes") + ", " + counted(12, "class", "classes"), "1 class, 12 classes");
        QCOMPARE(formatCounted(1, "file") + ", " + formatCounted(3680, "file"), "1 file, 3\u202f680 files");
        QCOMPARE(nounFor(1, "is", "are") + " " + nounFor(0, "is", "are"), "is are");
        QCOMPARE(formatMilliseconds(62.13).text(), "62.1 ms");
        QCOMPARE(formatMilliseconds(0.532).text(), "532 µs");
        QCOMPARE(formatMilliseconds(12'345).text(), "12.3 s");
        QCOMPARE(formatMilliseconds(0.99961).text(), "1.00 ms");  // not 1000 µs
        QCOMPARE(formatMilliseconds(9'999.8).text(), "10.0 s");
        QCOMPARE(formatMilliseconds(std::nan("")).text(), "not finite");
        QCOMPARE(formatBytes(24'536'678).text(), "23.4 MiB");
        QCOMPARE(formatBytes(512).text(), "512 B");
        QCOMPARE(formatBytes(1024 * 1024 - 1).text(), "1.00 MiB");
        QCOMPARE(formatProbability(0.714), "0.71");
        QCOMPARE(formatProbability(0.001), "<0.01");
        QCOMPARE(formatProbability(0), "0.00");
        QCOMPARE(formatError(0), "0");
        QCOMPARE(formatError(0.833), "0.83");
        QCOMPARE(formatError(0.00083), "8.3e\u22124");
        QCOMPARE(formatError(INFINITY), "not finite");
        QCOMPARE(formatError(0.00999), "1.0e\u22122");
        QCOMPARE(formatError(1336), "1.3e3");
        QCOMPARE(formatError(900'271), "9.0e5");
        QCOMPARE(formatError(-5), "\u22125.00");
        QCOMPARE(formatCount(5'717'416), "5\u202f717\u202f416");
        QCOMPARE(formatQuantity(1.2537e9).text(), "1.25 G");
        QCOMPARE(formatChange(100, 88), "\u221212 %");
        QCOMPARE(formatPercentage(0), "0 %");
        QCOMPARE(formatPercentage(0.0004), "<0.1 %");
        QCOMPARE(formatPercentage(0.0432), "4.3 %");
        QCOMPARE(formatPercentage(0.0999), "10 %");
        QCOMPARE(formatPercentage(0.124), "12 %");
        QCOMPARE(formatPercentage(0.9999), ">99 %");
        QCOMPARE(formatPercentage(1), "100 %");
        QCOMPARE(formatPercentage(std::nan("")), "not finite");
        QCOMPARE(formatRatio(1.13), "1.1×");
        QCOMPARE(formatRatio(std::nan("")), "not finite");
        QCOMPARE(formatRemaining(480), "about 8 min");
        QCOMPARE(formatRemaining(59.7), "about 1 min");
        QCOMPARE(formatRemaining(3'599), "about 1 h 0 min");
    }

    void arithmeticOnSizesNoticesOverflow()
    {
        QCOMPARE(checkedMultiply(3, 4), std::optional<int64_t>(12));
        QVERIFY(!checkedMultiply(INT64_MAX, 2));
        QVERIFY(!checkedMultiply(-1, 2));
        QVERIFY(!checkedAdd(INT64_MAX, 1));
        const std::vector<int64_t> huge{1LL << 40, 1LL << 40};
        QVERIFY(!checkedProduct(huge));
        QCOMPARE(checkedProduct({}), std::optional<int64_t>(1));
    }

    void uniformNumbersDependOnKeyAndPositionAlone()
    {
        const StreamKey key{7, 3, 5, streamPurpose("eps")};
        std::vector<float> whole(1001);
        fillUniform(key, 0, whole);
        for (const size_t first : {1u, 3u, 4u, 63u, 64u, 65u, 500u}) {
            for (const size_t count : {1u, 2u, 5u, 67u, 300u}) {
                std::vector<float> part(count);
                fillUniform(key, first, part);
                for (size_t i = 0; i < count; ++i)
                    QCOMPARE(part[i], whole[first + i]);
            }
        }
    }

    void uniformNumbersAreUniformAndInsideTheInterval()
    {
        std::vector<float> numbers(1'000'000);
        fillUniform({1, 0, 0, 0}, 0, numbers);
        std::vector<double> bins(64);
        double sum = 0;
        for (const float x : numbers) {
            QVERIFY(x > 0 && x < 1);
            sum += x;
            bins[size_t(x * 64)] += 1;
        }
        const double expected = double(numbers.size()) / 64;
        double chiSquare = 0;
        for (const double bin : bins)
            chiSquare += (bin - expected) * (bin - expected) / expected;
        QCOMPARE_LT(chiSquare, 63 + 5 * std::sqrt(2.0 * 63));
        QVERIFY(std::abs(sum / double(numbers.size()) - 0.5) < 5 * std::sqrt(1.0 / 12 / 1e6));
    }

    void streamsOfDifferentKeysAreUncorrelated()
    {
        const StreamKey base{1, 2, 3, streamPurpose("u")};
        std::vector<float> a(100'000), b(a.size());
        fillUniform(base, 0, a);
        for (const StreamKey& other :
             {StreamKey{2, 2, 3, base.purpose}, StreamKey{1, 3, 3, base.purpose}, StreamKey{1, 2, 4, base.purpose},
              StreamKey{1, 2, 3, streamPurpose("eps")}}) {
            fillUniform(other, 0, b);
            double covariance = 0;
            for (size_t i = 0; i < a.size(); ++i)
                covariance += (a[i] - 0.5) * (b[i] - 0.5);
            QVERIFY(std::abs(covariance / double(a.size()) * 12) < 5 / std::sqrt(double(a.size())));
        }
    }

    /// Estimates that go to and fro between 40 and 80 s, ten a second.
    void aCountdownDoesNotJump()
    {
        using namespace std::chrono_literals;
        Countdown countdown;
        const Countdown::Clock::time_point begin{};
        double last = 0;
        for (int i = 0; i < 200; ++i) {
            const double truth = 60 - 0.1 * i,
                         said = countdown.follow(i % 2 == 0 ? truth - 20 : truth + 20, begin + i * 100ms);
            if (i > 0)
                QVERIFY2(std::abs(said - last) < 1.6, qPrintable(QString("%1 after %2").arg(said).arg(last)));
            if (i > 100)
                QVERIFY2(std::abs(said - truth) < 3, qPrintable(QString("%1 instead of %2").arg(said).arg(truth)));
            last = said;
        }
        QVERIFY(countdown.follow(0, begin + 1h) < 1);
    }

    void whereNothingCanBeWrittenIsFoundOutBefore()
    {
        QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        requireWritable(place / "result.json");
        QVERIFY2(fs::is_empty(place), "asking leaves nothing behind");
        THROWS(FileError, requireWritable(place));
        THROWS(FileError, requireWritable(place / "none" / "result.json"));
        writeFileAtomically(place / "result.json", "kept");
        requireWritable(place / "result.json");
        QCOMPARE(fs::file_size(place / "result.json"), std::uintmax_t{4});
    }

    /// /proc/kmsg is a regular file without a size whose reading waits for the kernel's next message: a folder that holds it is looked into.
    void firstBytesAreReadOfRegularFilesAlone()
    {
        QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        writeFileAtomically(place / "file", "abc");
        QCOMPARE(firstBytes(place / "file", 2), (std::vector<uint8_t>{'a', 'b'}));
        QCOMPARE(firstBytes(place / "file", 9).size(), 3);
        QCOMPARE(::mkfifo((place / "pipe").c_str(), 0600), 0);
        for (const fs::path& none : {place / "pipe", place, place / "missing", fs::path("/proc/kmsg")})
            QVERIFY2(firstBytes(none, 9).empty(), none.c_str());
    }
};

ATTNSCOPE_TEST(TestBase)
#include "tst_base.moc"
