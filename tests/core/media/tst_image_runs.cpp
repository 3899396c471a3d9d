// Folders with hostile images in them, through the program that users run:
// nothing that an image holds ends a run, and nothing is lost or counted twice.
#include "core/base/error.h"
#include "core/media/format/image_validator.h"
#include "core/media/image/image_reader.h"
#include "tests/cli/cli_process.h"
#include "tests/core/media/image_mutator.h"
#include "tests/core/media/tiff_maker.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QHash>
#include <QSet>
#include <QTemporaryDir>

#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

using namespace attnscope;
using namespace attnscope::test;
using namespace image;

namespace {

const fs::path images = fs::path(TEST_DATA_DIR) / "preprocess/images";

QString write(const QTemporaryDir& folder, const QString& name, const Bytes& bytes)
{
    QFile file(folder.filePath(name));
    const auto size = qint64(bytes.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(reinterpret_cast<const char*>(bytes.data()), size) != size)
        qFatal("%s cannot be written", qPrintable(file.fileName()));
    return file.fileName();
}

/// Sends SIGKILL to the decoders of a command, each once and some milliseconds after it got ready, 50 times.
class DecoderKiller {
public:
    void strike(qint64 command)
    {
        const int pid = m_kills < 50 ? readyChildOf(command) : 0;
        if (pid == 0 || pid == m_last)
            return;
        std::this_thread::sleep_for(std::chrono::microseconds(m_random() % 6000));
        signalProcess(pid, SIGKILL);
        ++m_kills;
        m_last = pid;
    }
    int kills() const { return m_kills; }

private:
    /// Ready is who has its filter of system calls; 0 when there is none.
    static int readyChildOf(qint64 parent)
    {
        for (const QString& name : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QFile status("/proc/" + name + "/status");
            if (!name[0].isDigit() || !status.open(QIODevice::ReadOnly))
                continue;
            const QByteArray text = status.readAll();
            if (text.contains("\nPPid:\t" + QByteArray::number(parent) + "\n") && text.contains("\nSeccomp:\t2\n"))
                return name.toInt();
        }
        return 0;
    }

    std::mt19937 m_random{11};
    int m_kills = 0, m_last = 0;
};

QHash<QString, QJsonArray> logits(const QJsonObject& report)
{
    QHash<QString, QJsonArray> found;
    for (const auto& entry : report["inputs"].toArray())
        found.insert(entry.toObject()["path"].toString(),
                     entry.toObject()["runs"].toArray().first().toObject()["logits"].toArray());
    return found;
}

QStringList classification(const QString& folder)
{
    return {"classify", folder, "--weights", "untrained", "--model", testData("models/deit_tiny_cfg.json"),
            "--device", "cpu",  "--threads", "1",         "--quiet", "--logits",
            "--json",   "-"};
}

Outcome classify(const QString& folder, const QStringList& more = {})
{
    return runCli(classification(folder) + more);
}

Outcome classifyUnder(DecoderKiller& killer, const QString& folder)
{
    QProcess process;
    process.start(ATTNSCOPE_CLI, classification(folder));
    while (!process.waitForFinished(1) && process.state() != QProcess::NotRunning)
        killer.strike(process.processId());
    return {process.exitCode(), process.exitStatus() != QProcess::NormalExit, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

Bytes plainTiff(bool bigEndian)
{
    Tiff tiff;
    tiff.bigEndian = bigEndian;
    tiff.width = 20, tiff.height = 10;
    for (int i = 0; i < 600; ++i)
        tiff.pixels.push_back(uint8_t(i * 7));
    return tiff.bytes();
}

/// Small images of all six formats and of the kinds within them.
std::vector<Bytes> originals()
{
    std::vector<Bytes> all;
    for (const char* name :
         {"exif_orientation_6_300x200.jpg", "gray_300x222.jpg", "jpeg_progressive_300x400.jpg",
          "jpeg_420_399x299.jpg", "webp_333x250.webp", "palette_transparent_240x310.png", "gray_alpha_260x300.png",
          "bilevel_280x250.png", "small_upscale_90x61.png", "tiny_1x1.png"})
        all.push_back(file(images / name));
    all.push_back(plainTiff(false));
    all.push_back(plainTiff(true));
    for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_JPEG})
        all.push_back(TiffMaker{
            .width = 20, .height = 16, .compression = compression, .rowsPerStrip = 8, .pixels = Bytes(960, 0x61)}
                          .bytes());
    all.push_back(animatedWebp(all[4], 333, 250, 0, 0, 333, 250));
    all.push_back(Bmp{.width = 6,
                      .height = 2,
                      .bits = 8,
                      .compression = 1,
                      .palette = Bytes(12, 0x70),
                      .rows = {6, 1, 0, 0, 0, 6, 1, 2, 0, 1, 2, 1, 0, 1},
                      .colours = 3}
                      .bytes());
    all.push_back(bmp(31, 20, 24, Bytes(20 * 96, 0x35)));
    all.push_back(bmp(16, -16, 32, Bytes(16 * 64, 0x71)));
    all.push_back(joined({text("P6\n# made here\n20 10\n255\n"), Bytes(600, 0x42)}));
    all.push_back(text("P3 2 2 15\n1 2 3 4 5 6 7 8 9 10 11 12\n"));
    all.push_back(text("P1 3 2\n1 0 1 0 1 1\n"));
    return all;
}

struct Files {
    QSet<QString> good;  ///< that must be read
    QSet<QString> all;
};

QSet<QString> paths(const QJsonArray& entries)
{
    QSet<QString> found;
    for (const auto& entry : entries)
        found.insert(entry.toObject()["path"].toString());
    return found;
}

bool isSentence(const QString& reason)
{
    return reason.size() > 10 && reason.endsWith('.') && !reason.contains('\n') && !reason.contains("OpenCV")
           && !reason.contains("cv::");
}

/// Every file is in exactly one of the two lists, every good one in the first, every reason is a sentence.
QString complaint(const QJsonObject& report, const Files& files)
{
    const QJsonArray read = report["inputs"].toArray(), refused = report["unreadable"].toArray();
    const QSet<QString> readPaths = paths(read), refusedPaths = paths(refused);
    if (readPaths.size() != read.size() || refusedPaths.size() != refused.size()
        || readPaths.intersects(refusedPaths))
        return "a file is listed twice";
    if (readPaths + refusedPaths != files.all)
        return QString("%1 were read and %2 refused of %3")
            .arg(read.size())
            .arg(refused.size())
            .arg(files.all.size());
    if (!readPaths.contains(files.good))
        return QString("good pictures were lost: %1").arg((files.good - readPaths).values().first());
    for (const auto& entry : refused)
        if (!isSentence(entry.toObject()["reason"].toString()))
            return entry.toObject()["path"].toString() + ": " + entry.toObject()["reason"].toString();
    for (const auto& entry : read)
        if (entry.toObject()["runs"].toArray().first().toObject()["top"].toArray().isEmpty())
            return entry.toObject()["path"].toString() + ": no prediction";
    return {};
}

long peakMebibytesOfChildren()
{
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_maxrss / 1024;
}

/// 20,000 × 20,000 pixels in 1.2 MB: a decoder that begins to inflate it asks for 1.12 GiB.
Bytes pngBomb()
{
    const QByteArray zeros = qCompress(QByteArray(60'001 * 400, '\0'), 9);
    Bytes data(zeros.begin() + 4, zeros.end());  // Qt writes the length before it
    data.resize(1'200'000);
    return joined({pngStart(20'000, 20'000), pngChunk("IDAT", data), pngChunk("IEND", {})});
}

Bytes firstHalf(const char* name)
{
    Bytes bytes = file(images / name);
    bytes.resize(bytes.size() / 2);
    return bytes;
}

Bytes loopingTiff()
{
    Tiff tiff;
    tiff.width = 1000;
    tiff.pixels = {1, 2, 3, 4};
    tiff.next = 12;
    return tiff.bytes();
}

std::vector<std::pair<QString, Bytes>> bombs()
{
    return {{"dicom.jpg", dicom({})},
            {"dicom-webp.webp", dicom(joined({text("RIFF"), little32(125), text("WEBPVP8 ")}))},
            {"dicom-gif.png", dicom(text("GIF89a"))},
            {"dicom-jpeg.jpg", dicom({0xff, 0xd8, 0xff, 0xe0})},
            {"dicom-tiff.tif", dicom({'I', 'I', 42, 0})},
            {"bomb.png", pngBomb()},
            {"truncated.jpg", firstHalf("jpeg_420_399x299.jpg")},
            {"truncated-progressive.jpg", firstHalf("jpeg_progressive_300x400.jpg")},
            {"truncated.webp", firstHalf("webp_333x250.webp")},
            {"wide.webp", extendedWebp(1'000'000, 1'000, 0)},
            {"huge.jpg", jpegHeader(65'535, 65'535)},
            {"loop.tif", loopingTiff()},
            {"huge.bmp", bmp(0x7fffffff, 0x7fffffff, 24, {})},
            {"huge.pgm", text("P5 999999999 999999999 255\n")},
            {"empty.jpg", {}},
            {"page.png", text("<html>\n")}};
}

}

class TestImageRuns : public QObject {
    Q_OBJECT

private slots:
    // First, while no child of this process has needed much memory: that peak never falls again.
    void bombsAmongGoodPicturesCostNothing()
    {
        const QTemporaryDir folder;
        Files files;
        for (const char* name :
             {"jpeg_420_399x299.jpg", "webp_333x250.webp", "rgba_320x260.png", "bmp_251x260.bmp"})
            files.good.insert(write(folder, name, file(images / name)));
        files.all = files.good;
        QElapsedTimer timer;
        const auto timed = [&](QString& problem, int exitCode) {
            timer.restart();
            const Outcome outcome = classify(folder.path());
            const qint64 milliseconds = timer.elapsed();
            problem = complaint(outcome.json(), files);
            if (outcome.exitCode != exitCode)
                problem += QString("exit code %1: %2").arg(outcome.exitCode).arg(QString(outcome.messages));
            return milliseconds;
        };
        QString problem;
        timed(problem, 0);  // reads the libraries from the disk
        const qint64 without = timed(problem, 0);
        QCOMPARE(problem, QString());
        const long peak = peakMebibytesOfChildren();
        for (const auto& [name, bytes] : bombs())
            files.all.insert(write(folder, name, bytes));
        const qint64 with = timed(problem, 3);
        QCOMPARE(problem, QString());
        const auto count = qint64(bombs().size());
        qInfo("%lld bombs took %lld ms longer and %ld MiB more", count, with - without,
              peakMebibytesOfChildren() - peak);
        QVERIFY2((with - without) / count < 200,
                 qPrintable(QString("%1 ms without, %2 ms with").arg(without).arg(with)));
        QVERIFY(peakMebibytesOfChildren() - peak < 50);
    }

    void mutatorReachesEveryFormat()
    {
        const std::vector<Bytes> good = originals();
        for (const Bytes& bytes : good)
            QVERIFY2(!readImage(bytes, "original").pixels.empty(), "an original cannot be read");
        ImageMutator one(5, good), same(5, good);
        std::vector<int> refused(good.size()), read(good.size());
        for (int i = 0; i < 1000; ++i) {
            const ImageMutator::Mutant mutant = one.next();
            QVERIFY(mutant.bytes == same.next().bytes);
            QVERIFY(mutant.bytes != good[mutant.original]);
            try {
                inspectImage(mutant.bytes, "mutant", {});
                ++read[mutant.original];
            } catch (const FileError&) {
                ++refused[mutant.original];
            }
        }
        // Both sides of the gate are met: a mutator whose images all die at the signature would test nothing behind
        // it.
        for (size_t i = 0; i < good.size(); ++i)
            QVERIFY2(refused[i] > 0 && read[i] > 0,
                     qPrintable(QString("original %1: %2 refused, %3 read").arg(i).arg(refused[i]).arg(read[i])));
    }

    // ATTNSCOPE_MUTATION_ROUNDS=52 makes 100,000 of them, as for a release.
    void twoThousandMutatedPicturesEndNoRun_data()
    {
        columns<quint64>("seed");
        const int rounds = std::max(1, qEnvironmentVariableIntValue("ATTNSCOPE_MUTATION_ROUNDS"));
        for (int round = 0; round < rounds; ++round)
            addRow("seed %d", 20'000 + round) << quint64(20'000 + round);
    }

    void twoThousandMutatedPicturesEndNoRun()
    {
        QFETCH(quint64, seed);
        constexpr int count = 2000;
        const QTemporaryDir folder;
        ImageMutator mutator(seed, originals());
        const std::vector<Bytes> good = originals();
        Files files;
        for (int i = 0; i < count; ++i) {
            const bool isGood = i % 40 == 0;
            const QString path = write(folder, QString("%1.jpg").arg(i, 4, 10, QChar('0')),
                                       isGood ? good[size_t(i / 40) % good.size()] : mutator.next().bytes);
            files.all.insert(path);
            if (isGood)
                files.good.insert(path);
        }
        const Outcome outcome = classify(folder.path());
        QVERIFY(!outcome.crashed);
        QVERIFY2(outcome.exitCode == 3, outcome.messages.left(2000));
        const QJsonObject report = outcome.json();
        QCOMPARE(complaint(report, files), QString());
        qInfo("%lld read, %lld refused", report["inputs"].toArray().size(), report["unreadable"].toArray().size());
        // Said once each, and nothing else: decoders print nothing of their own.
        for (const QByteArray& line : outcome.messages.split('\n'))
            QVERIFY2(line.isEmpty() || line.startsWith("attnscope-cli: " + folder.path().toUtf8()), line);
        QCOMPARE(outcome.linesAbout(folder.path().toUtf8()), int(report["unreadable"].toArray().size()));
    }

    void fiftyKillsChangeNoOtherPicture()
    {
        constexpr int count = 1500;
        if (!QFile::exists("/proc/sys/kernel/seccomp/actions_avail"))
            QSKIP("without a filter of system calls, nothing shows when a decoder is ready");
        const QTemporaryDir folder;
        Files files;
        const std::vector<Bytes> good = originals();
        for (int i = 0; i < count; ++i)
            files.all.insert(
                write(folder, QString("%1.jpg").arg(i, 4, 10, QChar('0')), good[size_t(i) % good.size()]));
        QSet<QString> dicoms;
        for (int i = 0; i < 3; ++i)
            dicoms.insert(
                write(folder, QString("%1-dicom.jpg").arg(i * 200, 4, 10, QChar('0')), bombs()[size_t(i)].second));
        files.all += dicoms;
        const Outcome calm = classify(folder.path());
        QCOMPARE(calm.exitCode, 3);
        QCOMPARE(paths(calm.json()["unreadable"].toArray()), dicoms);
        const auto expected = logits(calm.json());

        DecoderKiller killer;
        const Outcome killed = classifyUnder(killer, folder.path());
        QVERIFY2(killer.kills() == 50, qPrintable(QString("%1 kills").arg(killer.kills())));
        QCOMPARE(killed.exitCode, 3);
        QCOMPARE(complaint(killed.json(), files), QString());
        QSet<QString> lost;
        for (const auto& entry : killed.json()["unreadable"].toArray()) {
            const QString path = entry.toObject()["path"].toString(),
                          reason = entry.toObject()["reason"].toString();
            if (dicoms.contains(path))
                continue;
            QVERIFY2(reason.startsWith("the image decoder") && reason.contains("(signal 9)"), qPrintable(reason));
            lost.insert(path);
        }
        qInfo("50 kills cost %lld of %d pictures", lost.size(), count);
        QVERIFY(lost.size() <= 50);
        const auto others = logits(killed.json());
        QCOMPARE(others.size(), expected.size() - lost.size());
        for (auto entry = others.begin(); entry != others.end(); ++entry)
            QVERIFY2(entry.value() == expected.value(entry.key()), qPrintable(entry.key()));
    }

    void decoderThatCannotBeStartedEndsTheCommand()
    {
        const QByteArray before = qgetenv("ATTNSCOPE_DECODER");
        qputenv("ATTNSCOPE_DECODER", "/nonexistent/decoder");
        const Outcome refused = classify(QString::fromStdString(images.string()));
        const Outcome here = classify(QString::fromStdString((images / "tiny_1x1.png").string()),
                                      {"--decoder", "inline"});
        qputenv("ATTNSCOPE_DECODER", before);
        QCOMPARE(refused.exitCode, 1);
        QCOMPARE(refused.messages,
                 QByteArray("attnscope-cli: /nonexistent/decoder: ATTNSCOPE_DECODER specifies it as "
                            "the image decoder, but it is not an executable "
                            "program; unset the variable, or set it to an attnscope-decoder.\n"));
        QCOMPARE(here.exitCode, 0);
    }

    void crashingDecoderListsEveryPicture()
    {
        const QByteArray before = qgetenv("ATTNSCOPE_DECODER");
        qputenv("ATTNSCOPE_DECODER", ATTNSCOPE_DECODER_DOUBLE);
        qputenv("ATTNSCOPE_DOUBLE", "aborts");
        const QTemporaryDir folder;
        const QString jpeg = write(folder, "a.jpg", file(images / "gray_300x222.jpg"));
        const QString plain = write(folder, "b.ppm",
                                    joined({text("P6 2 2 255\n"), Bytes(12, 9)}));  // needs no decoder
        const Outcome outcome = classify(folder.path());
        qunsetenv("ATTNSCOPE_DOUBLE");
        qputenv("ATTNSCOPE_DECODER", before);
        QCOMPARE(outcome.exitCode, 3);
        QCOMPARE(complaint(outcome.json(), {{plain}, {plain, jpeg}}), QString());
        QCOMPARE(outcome.messages,
                 ("attnscope-cli: " + jpeg
                  + ": the image decoder crashed on it (signal 6); export the image again with another program.\n")
                     .toUtf8());
    }
};

ATTNSCOPE_EVENT_TEST(TestImageRuns)
#include "tst_image_runs.moc"
