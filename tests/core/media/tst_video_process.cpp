// Videos decoded in a process of their own: the same frames, and whatever happens to that process costs one video.
#include "core/media/process/decoder_connection.h"
#include "core/media/video/video_process.h"
#include "core/media/video/video_reader.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

using namespace attnscope;
using std::chrono::milliseconds;

namespace {

const fs::path videos = fs::path(TEST_DATA_DIR) / "preprocess/videos";
const fs::path someVideo = videos / "h264_ten_frames_200x150.mp4";

/// Environment variables as they were, afterwards.
class Variable {
public:
    Variable(const char* name, const std::string& value)
        : m_name(name)
        , m_before(qgetenv(name))
    {
        ::setenv(name, value.c_str(), 1);
    }
    ~Variable() { m_before.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_before); }

private:
    const char* m_name;
    QByteArray m_before;
};

/// All that a reader shows of a video, with every frame's pixels; the sentence instead where it was refused.
QStringList seen(const fs::path& path, bool isolated, const std::vector<int>& seeks = {})
{
    QStringList lines;
    try {
        VideoReader reader(path, {.isolated = isolated, .threads = 1});
        const VideoInfo& info = reader.info();
        lines << QString("%1 %2 %3 %4 %5×%6 %7")
                     .arg(info.container.c_str(), info.codec.c_str(), info.pixelFormat.c_str(),
                          info.decoder.c_str())
                     .arg(info.width)
                     .arg(info.height)
                     .arg(info.rotation);
        lines << QString("%1 %2 %3 %4")
                     .arg(info.averageRate.value())
                     .arg(info.timeBase.value())
                     .arg(info.start)
                     .arg(info.frames.value_or(-1));
        for (const std::string& note : info.notes)
            lines << QString::fromStdString(note);
        const FrameSize size = reader.size(), half{size.width / 2 + 1, size.height / 2 + 1};
        std::vector<uint8_t> rgb(size_t(size.width * size.height * 3));
        std::vector<int64_t> times;
        const auto look = [&] {
            for (const FrameSize& each : {size, half}) {
                std::fill(rgb.begin(), rgb.end(), 0);
                // Not of every frame, so that looking ahead meets each order of requests.
                if (times.size() % 3 != 1)
                    reader.writeRgb(rgb.data(), each.width * 3, each);
            }
            lines << QString("%1 %2 %3")
                         .arg(reader.pts())
                         .arg(qHash(QByteArrayView(rgb.data(), qsizetype(rgb.size()))))
                         .arg(reader.damage().c_str());
        };
        while (reader.advance()) {
            times.push_back(reader.pts());
            look();
        }
        lines << QString::fromStdString(reader.damage());
        for (const int seek : seeks) {
            reader.seek(times.at(size_t(seek) % times.size()));
            for (int i = 0; i < 3 && reader.advance(); ++i)
                look();
        }
    } catch (const Error& error) {
        lines << error.what();
    }
    return lines;
}

/// The process of the reader that was opened last.
pid_t decoderOfThisProcess()
{
    pid_t newest = -1;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        std::ifstream file(entry.path() / "stat");
        std::string pid, comm, state;
        pid_t parent = -1;
        if (std::isdigit(static_cast<unsigned char>(name[0])) && file >> pid >> comm >> state >> parent
            && parent == ::getpid() && comm == "(attnscope-video)" && state != "Z")
            newest = std::max(newest, pid_t(std::stoi(pid)));
    }
    return newest;
}

/// The sentence with which reading all frames ends; empty at the video's end.
std::string sentenceOf(const fs::path& path, VideoReadOptions options = {})
{
    try {
        VideoReader reader(path, options);
        std::vector<uint8_t> rgb(size_t(reader.size().width * reader.size().height * 3));
        for (int i = 0; i < 100 && reader.advance(); ++i)
            reader.writeRgb(rgb.data(), reader.size().width * 3);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

}

class TestVideoProcess : public QObject {
    Q_OBJECT

private slots:
    void framesAreThoseOfThisProcess_data()
    {
        columns<QString>("path");
        for (const auto& entry : fs::directory_iterator(videos))
            row(entry.path().filename().string(), entry.path().string());
        row("no video", (videos / "../images").string() + "/nonexistent");
    }

    void framesAreThoseOfThisProcess()
    {
        QFETCH(QString, path);
        const fs::path video = path.toStdString();
        const std::vector<int> seeks{7, 3, 0, 40, 41, 5};
        QCOMPARE(seen(video, true, seeks), seen(video, false, seeks));
    }

    void killCostsOneVideo()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 20; ++round) {
            VideoReader reader(someVideo);
            const pid_t pid = decoderOfThisProcess();
            QVERIFY(pid > 0);
            for (unsigned i = random() % 5; i > 0; --i)
                QVERIFY(reader.advance());
            ::kill(pid, SIGKILL);
            try {
                while (reader.advance()) {
                }
                QFAIL("a killed decoder went on");
            } catch (const DecoderFailure& failure) {
                QCOMPARE(failure.cause(), DecoderFailure::Cause::Killed);
                SAYS(failure.what(), "the video decoder crashed on it (signal 9)");
            }
            THROWS(FileError, reader.advance());
            QCOMPARE(sentenceOf(someVideo), std::string());
        }
    }

    void requestToStopEndsIt()
    {
        std::stop_source stop;
        VideoReader reader(someVideo, {}, stop.get_token());
        ::kill(decoderOfThisProcess(), SIGSTOP);
        QElapsedTimer timer;
        std::jthread asks([&] {
            std::this_thread::sleep_for(milliseconds(50));
            timer.start();
            stop.request_stop();
        });
        THROWS(Cancelled, while (reader.advance()){});
        const qint64 elapsed = timer.elapsed();
        QCOMPARE_LE(elapsed, 100);
        QCOMPARE(sentenceOf(someVideo), std::string());
    }

    void hangEndsAtTheDeadline()
    {
        VideoReadOptions options;
        options.limits.videoStallSeconds = 0.2;
        VideoReader reader(someVideo, options);
        ::kill(decoderOfThisProcess(), SIGSTOP);
        try {
            while (reader.advance()) {
            }
            QFAIL("a decoder that hangs went on");
        } catch (const DecoderFailure& failure) {
            QCOMPARE(failure.cause(), DecoderFailure::Cause::Slow);
            SAYS(failure.what(), "decoding it took longer than 5.2 s; convert the video");
        }
        QCOMPARE(sentenceOf(someVideo), std::string());
    }

    void misbehaviourIsOneSentence_data()
    {
        columns<QString>("says");
        for (const char* mode :
             {"bytes", "another number", "unknown outcome", "no information", "huge frames", "no frames",
              "no time", "odd rotation", "time stands still", "time overflows", "end of an opening"})
            row(mode,
                "the video decoder returned an invalid reply for it; convert the video with another program.");
        row("aborts", "the video decoder crashed on it (signal 6); convert");
        row("exits", "the video decoder crashed on it (exit code 4); convert");
        row("works for ever", "decoding it took longer than");
        row("shrinks the memory", "");
        row("", "");
    }

    void misbehaviourIsOneSentence()
    {
        QFETCH(QString, says);
        const Variable program("ATTNSCOPE_VIDEO_DECODER", ATTNSCOPE_VIDEO_DECODER_DOUBLE),
            mode("ATTNSCOPE_DOUBLE", currentDataTag());
        VideoReadOptions options;
        options.limits.videoPixels =
            37'000'000;  // more than those of the processes that are kept: a new one is started
        const std::string sentence = sentenceOf(someVideo, options);
        QVERIFY2(says.isEmpty() ? sentence.empty() : QString::fromStdString(sentence).contains(says),
                 sentence.c_str());
    }

    void forgedTextIsHarmless()
    {
        const Variable program("ATTNSCOPE_VIDEO_DECODER", ATTNSCOPE_VIDEO_DECODER_DOUBLE),
            mode("ATTNSCOPE_DOUBLE", "forged text");
        VideoReadOptions options;
        options.limits.videoPixels = 38'000'000;
        const std::string sentence = sentenceOf(someVideo, options);
        QVERIFY2(sentence.size() < 1500 && sentence.find('\n') == std::string::npos
                     && sentence.find('\x1b') == std::string::npos,
                 sentence.c_str());
    }

    void processesAreKept()
    {
        // Those of the doubles above have other limits, and are gone once somebody wants more.
        VideoReadOptions options;
        options.limits.videoPixels = 40'000'000;
        QCOMPARE(sentenceOf(someVideo, options), std::string());
        const pid_t first = decoderOfThisProcess();
        for (int i = 0; i < 5; ++i)
            QCOMPARE(sentenceOf(someVideo, options), std::string());
        QCOMPARE(decoderOfThisProcess(), first);
    }

    void protectionsHold()
    {
        const DecoderInfo info = videoDecoderInfo();
        QVERIFY(std::ranges::find(info.protections, "system call filter") != info.protections.end());
        QVERIFY(std::ranges::find(info.protections, "time and file limits") != info.protections.end());
    }
};

ATTNSCOPE_TEST(TestVideoProcess)
#include "tst_video_process.moc"
