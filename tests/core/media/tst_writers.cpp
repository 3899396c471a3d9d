#include "core/base/error.h"
#include "core/media/image/image_reader.h"
#include "core/media/image/image_writer.h"
#include "core/media/video/video_reader.h"
#include "core/media/video/video_writer.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace attnscope;

namespace {

/// A smooth pattern that wanders to the right.
Clip pattern(int64_t frames, int64_t width, int64_t height)
{
    Clip clip{frames, height, width, {}, {}, {}};
    for (int64_t t = 0; t < frames; ++t)
        for (int64_t y = 0; y < height; ++y)
            for (int64_t x = 0; x < width; ++x)
                for (const double phase : {0.0, 1.0, 2.5})
                    clip.pixels.push_back(
                        uint8_t(128 + 90 * std::sin(double(x - 2 * t) / 9 + phase) * std::cos(double(y) / 11)));
    return clip;
}

double meanDifference(std::span<const uint8_t> a, std::span<const uint8_t> b)
{
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i)
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
        QCOMPARE(read.format, "JPEG");
        QCOMPARE(read.width, 101);
        QCOMPARE(read.height, 67);
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
        QCOMPARE(read.format, "PNG");
        QCOMPARE(read.width, 23);
        QVERIFY(std::equal(read.pixels.begin(), read.pixels.end(), clip.frame(1)));
        THROWS(UsageError, writePng(path, clip, 2));
    }

    void aVideoIsReadBackAsItWas()
    {
        const Clip clip = pattern(17, 96, 64);
        const fs::path path = file("video.mp4");
        writeVideo(path, clip, {{15, 2}, 12});
        const Clip read = readAll(path);
        QCOMPARE(read.frames, 17);
        QCOMPARE(read.width, 96);
        QCOMPARE(read.height, 64);
        for (int64_t t = 0; t < 17; ++t) {
            const size_t bytes = 96 * 64 * 3;
            QVERIFY(meanDifference({read.frame(t), bytes}, {clip.frame(t), bytes}) < 6);
        }
        const VideoInfo info = VideoReader(path).info();
        QCOMPARE(info.container, "mov");
        QCOMPARE(info.pixelFormat, "yuv420p");
        QCOMPARE(info.averageRate.value(), 7.5);
        QCOMPARE(info.frames.value_or(0), 17);
        QVERIFY(std::abs(double(info.duration.value()) * info.timeBase.value() - 17 / 7.5) < 0.01);
    }

    void coloursAreKept()
    {
        const std::array<std::array<int, 3>, 6> colours{
            {{250, 5, 5}, {5, 250, 5}, {5, 5, 250}, {250, 250, 250}, {3, 3, 3}, {200, 120, 40}}};
        for (const auto& colour : colours) {
            Clip clip{2, 32, 32, {}, {}, {}};
            for (int64_t i = 0; i < 2 * 32 * 32; ++i)
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
        QCOMPARE(readAll(file("one.mp4")).frames, 1);
    }

    void whatCannotBeWrittenIsRefused()
    {
        const Clip clip = pattern(2, 16, 16);
        THROWS(UsageError, encodeJpeg(clip, 2, 90));
        THROWS(UsageError, encodeJpeg(clip, 0, 0));
        THROWS(UsageError, encodeJpeg(Clip{}, 0, 90));
        THROWS(UsageError, encodeVideo(pattern(2, 15, 16), {}));
        THROWS(UsageError, encodeVideo(Clip{}, {}));
        THROWS(UsageError, encodeVideo(clip, {{0, 1}, 20}));
        THROWS(UsageError, encodeVideo(clip, {{30, 1}, 52}));
        Clip wrong = clip;
        wrong.pixels.pop_back();
        THROWS(UsageError, encodeVideo(wrong, {}));
    }

    void afterAFailureNothingLiesAround()
    {
        Folder folder;
        const fs::path place = folder.path();
        fs::create_directory(place / "taken.mp4");
        std::ofstream(place / "taken.mp4/inside") << "x";
        THROWS(FileError, writeVideo(place / "taken.mp4", pattern(2, 16, 16), {}));
        THROWS(FileError, writeJpeg(place / "none/picture.jpg", pattern(1, 16, 16), 0, 90));
        QCOMPARE(std::distance(fs::directory_iterator(place), {}), ptrdiff_t{1});
    }

private:
    fs::path file(const char* name) const { return m_folder / name; }

    Folder m_folder;
};

ATTNSCOPE_TEST(TestWriters)
#include "tst_writers.moc"
