#include "core/base/error.h"
#include "core/media/image/image_reader.h"
#include "core/media/image/image_writer.h"
#include "core/media/video/video_reader.h"
#include "core/media/video/video_writer.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace attnscope;
namespace fs = std::filesystem;

namespace {

/// A smooth pattern that wanders to the right.
Clip pattern(std::int64_t frames, std::int64_t width, std::int64_t height)
{
    Clip clip{frames, height, width, {}, {}, {}};
    for (std::int64_t t = 0; t < frames; ++t)
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                for (const double phase : {0.0, 1.0, 2.5})
                    clip.pixels.push_back(std::uint8_t(
                        128 + 90 * std::sin(double(x - 2 * t) / 9 + phase) * std::cos(double(y) / 11)));
    return clip;
}

double meanDifference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += std::abs(a[i] - b[i]);
    return sum / double(a.size());
}

Clip readAll(const fs::path& path)
{
    VideoReader reader(path);
    Clip clip;
    while (reader.advance())
        reader.appendTo(clip);
    return clip;
}

}

class TestWriters : public QObject {
    Q_OBJECT

private slots:
    void aJpegIsReadBackAsItWas()
    {
        const Clip clip = pattern(3, 101, 67);
        const fs::path path = file("picture.jpg");
        writeJpeg(path, clip, 2, 95);
        const Clip read = readImage(path);
        QCOMPARE(read.format, std::string("JPEG"));
        QCOMPARE(read.width, std::int64_t{101});
        QCOMPARE(read.height, std::int64_t{67});
        QVERIFY(meanDifference(read.pixels, {clip.frame(2), read.pixels.size()}) < 4);
        QVERIFY(meanDifference(read.pixels, {clip.frame(0), read.pixels.size()}) > 10);
        QVERIFY(encodeJpeg(clip, 0, 30).size() < encodeJpeg(clip, 0, 95).size());
    }

    void aPngIsReadBackToTheBit()
    {
        const Clip clip = pattern(2, 23, 17);
        const fs::path path = file("image.png");
        writePng(path, clip, 1);
        const Clip read = readImage(path);
        QCOMPARE(read.format, std::string("PNG"));
        QCOMPARE(read.width, std::int64_t{23});
        QVERIFY(std::equal(read.pixels.begin(), read.pixels.end(), clip.frame(1)));
        QVERIFY_EXCEPTION_THROWN(writePng(path, clip, 2), UsageError);
    }

    void aVideoIsReadBackAsItWas()
    {
        const Clip clip = pattern(17, 96, 64);
        const fs::path path = file("video.mp4");
        writeVideo(path, clip, {{15, 2}, 12});
        const Clip read = readAll(path);
        QCOMPARE(read.frames, std::int64_t{17});
        QCOMPARE(read.width, std::int64_t{96});
        QCOMPARE(read.height, std::int64_t{64});
        for (std::int64_t t = 0; t < 17; ++t) {
            const std::size_t bytes = 96 * 64 * 3;
            QVERIFY(meanDifference({read.frame(t), bytes}, {clip.frame(t), bytes}) < 6);
        }
        const VideoInfo info = VideoReader(path).info();
        QCOMPARE(info.container, std::string("mov"));
        QCOMPARE(info.pixelFormat, std::string("yuv420p"));
        QCOMPARE(info.averageRate.value(), 7.5);
        QCOMPARE(info.frames.value_or(0), std::int64_t{17});
        QVERIFY(std::abs(double(info.duration.value()) * info.timeBase.value() - 17 / 7.5) < 0.01);
    }

    void coloursAreKept()
    {
        const std::array<std::array<int, 3>, 6> colours{
            {{250, 5, 5}, {5, 250, 5}, {5, 5, 250}, {250, 250, 250}, {3, 3, 3}, {200, 120, 40}}};
        for (const auto& colour : colours) {
            Clip clip{2, 32, 32, {}, {}, {}};
            for (std::int64_t i = 0; i < 2 * 32 * 32; ++i)
                clip.pixels.insert(clip.pixels.end(), colour.begin(), colour.end());
            writeVideo(file("colour.mp4"), clip, {{25, 1}, 10});
            const Clip read = readAll(file("colour.mp4"));
            QVERIFY2(meanDifference(read.pixels, clip.pixels) < 3.5, qPrintable(QString::number(colour[0])));
        }
    }

    void theSameFramesGiveTheSameBytes()
    {
        const Clip clip = pattern(16, 128, 128);
        const auto bytes = encodeVideo(clip, {});
        QVERIFY(bytes == encodeVideo(clip, {}));
        QVERIFY(encodeJpeg(clip, 1, 90) == encodeJpeg(clip, 1, 90));
        QVERIFY(bytes.size() > encodeVideo(clip, {{30, 1}, 40}).size());
    }

    void oneFrameIsAVideoToo()
    {
        writeVideo(file("one.mp4"), pattern(1, 64, 64), {});
        QCOMPARE(readAll(file("one.mp4")).frames, std::int64_t{1});
    }

    void whatCannotBeWrittenIsRefused()
    {
        const Clip clip = pattern(2, 16, 16);
        QVERIFY_EXCEPTION_THROWN(encodeJpeg(clip, 2, 90), UsageError);
        QVERIFY_EXCEPTION_THROWN(encodeJpeg(clip, 0, 0), UsageError);
        QVERIFY_EXCEPTION_THROWN(encodeJpeg(Clip{}, 0, 90), UsageError);
        QVERIFY_EXCEPTION_THROWN(encodeVideo(pattern(2, 15, 16), {}), UsageError);
        QVERIFY_EXCEPTION_THROWN(encodeVideo(Clip{}, {}), UsageError);
        QVERIFY_EXCEPTION_THROWN(encodeVideo(clip, {{0, 1}, 20}), UsageError);
        QVERIFY_EXCEPTION_THROWN(encodeVideo(clip, {{30, 1}, 52}), UsageError);
        Clip wrong = clip;
        wrong.pixels.pop_back();
        QVERIFY_EXCEPTION_THROWN(encodeVideo(wrong, {}), UsageError);
    }

    void afterAFailureNothingLiesAround()
    {
        QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        fs::create_directory(place / "taken.mp4");
        std::ofstream(place / "taken.mp4/inside") << "x";
        QVERIFY_EXCEPTION_THROWN(writeVideo(place / "taken.mp4", pattern(2, 16, 16), {}), FileError);
        QVERIFY_EXCEPTION_THROWN(writeJpeg(place / "none/picture.jpg", pattern(1, 16, 16), 0, 90), FileError);
        QCOMPARE(std::distance(fs::directory_iterator(place), {}), std::ptrdiff_t{1});
    }

private:
    fs::path file(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

ATTNSCOPE_TEST(TestWriters)
#include "tst_writers.moc"
