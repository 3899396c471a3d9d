// Folders of images as videos, and what is said of files by their first bytes alone.
#include "core/base/error.h"
#include "core/media/container/frame_clock.h"
#include "core/media/container/natural_order.h"
#include "core/media/container/video_validator.h"
#include "core/media/video/video_reader.h"
#include "core/media/video/video_support.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QDir>

#include <algorithm>
#include <fstream>

using namespace attnscope;

namespace {

const fs::path data = fs::path(TEST_DATA_DIR) / "preprocess";

/// A PPM of one colour.
void writeImage(const Folder& folder, const char* name, int grey, int width = 8, int height = 6)
{
    std::ofstream file(folder / name, std::ios::binary);
    file << "P6\n" << width << ' ' << height << "\n255\n" << std::string(size_t(width * height * 3), char(grey));
}

void writeText(const Folder& folder, const char* name, const std::string& text)
{
    std::ofstream(folder / name, std::ios::binary) << text;
}

std::vector<int> greysOf(VideoReader& video)
{
    std::vector<int> greys;
    while (video.advance()) {
        Clip clip;
        video.appendTo(clip);
        greys.push_back(clip.pixels[0]);
    }
    return greys;
}

std::string textOf(const std::vector<int>& numbers)
{
    std::string text;
    for (const int number : numbers)
        text += std::to_string(number) + " ";
    return text;
}

}

class TestFrameFolder : public QObject {
    Q_OBJECT

private slots:
    void picturesComeInTheOrderOfTheirNumbers()
    {
        Folder folder;
        for (const int number : {1, 2, 9, 10, 11, 100})
            writeImage(folder, qPrintable(QString("frame_%1.ppm").arg(number)), number);
        VideoReader video(folder.path());
        const VideoInfo& info = video.info();
        QCOMPARE(info.container, "frames");
        QCOMPARE(info.codec, "PNM");
        QCOMPARE(info.width, 8);
        QCOMPARE(info.height, 6);
        QCOMPARE(info.frames.value_or(0), 6);
        QCOMPARE(info.averageRate.value(), 30.0);
        QCOMPARE(textOf(greysOf(video)), "1 2 9 10 11 100 ");
        QCOMPARE(video.damage(), "");
    }

    void seekingShowsThePictureOfThatTime()
    {
        Folder folder;
        for (int number = 0; number < 40; ++number)
            writeImage(folder, qPrintable(QString("%1.ppm").arg(number)), number);
        VideoReader video(folder.path());
        for (const int target : {7, 39, 0, 22, 100, -5}) {
            video.seek(target);
            QVERIFY(video.advance());
            Clip clip;
            video.appendTo(clip);
            QCOMPARE(int(clip.pixels[0]), std::clamp(target, 0, 39));
            QCOMPARE(video.pts(), std::clamp(target, 0, 39));
        }
        video.seek(15);
        video.advance();
        QCOMPARE(video.seconds(), 0.5);
    }

    void damagedPictureIsLeftOutAndSaid()
    {
        Folder folder;
        for (int number = 0; number < 6; ++number)
            writeImage(folder, qPrintable(QString("f%1.ppm").arg(number)), number);
        writeText(folder, "f3.ppm", "P6\n8 6\n255\nshort");
        VideoReader video(folder.path());
        std::vector<int64_t> times;
        while (video.advance())
            times.push_back(video.pts());
        QVERIFY((times == std::vector<int64_t>{0, 1, 2, 4, 5}));
        SAYS(video.damage(), "has 1 damaged section that could not be decoded");
        video.seek(3);
        QVERIFY(video.advance());
        QCOMPARE(video.pts(), 2);  // what is still shown at that time
    }

    void otherFilesBesideTheFramesAreNoFrames()
    {
        Folder folder;
        for (int number = 1; number < 4; ++number)
            writeImage(folder, qPrintable(QString("img_%1.ppm").arg(number)), number);
        writeImage(folder, "thumbnail.ppm", 99);
        writeImage(folder, ".img_0.ppm", 98);
        writeText(folder, "img_list.txt", "img_1.ppm\n");
        QDir(folder.path()).mkdir("img_5.ppm");
        VideoReader video(folder.path());
        QCOMPARE(textOf(greysOf(video)), "1 2 3 ");
    }

    void pictureOfAnotherSizeIsScaled()
    {
        Folder folder;
        writeImage(folder, "a1.ppm", 10);
        writeImage(folder, "a2.ppm", 20, 31, 17);
        VideoReader video(folder.path());
        Clip clip;
        while (video.advance())
            video.appendTo(clip);
        QCOMPARE(clip.frames, 2);
        QCOMPARE(clip.pixels.size(), size_t(2 * 8 * 6 * 3));
        QVERIFY(std::all_of(clip.frame(1), clip.frame(1) + 8 * 6 * 3,
                            [](int value) { return std::abs(value - 20) <= 1; }));
        SAYS(video.damage(), "changes its frame size");
    }

    void folderWithoutPicturesIsRefused()
    {
        Folder folder;
        THROWS(FileError, VideoReader(folder.path()));
        writeText(folder, "1.ppm", "no picture");
        writeText(folder, "2.ppm", "no picture");
        THROWS(FileError, VideoReader(folder.path()));
    }

    void folderLooksLikeAVideoWhenItsPicturesAreNumbered()
    {
        Folder numbered, named, classFolder;
        for (int number = 0; number < 5; ++number) {
            writeImage(numbered, qPrintable(QString("frame%1.ppm").arg(number)), number);
            writeImage(named, qPrintable(QString("%1 of the class.ppm").arg(QChar('a' + number))), number);
        }
        QVERIFY(looksLikeVideo(numbered.path()));
        QVERIFY(!looksLikeVideo(named.path()));
        for (const char* name : {"val_00000293.ppm", "val_00002138.ppm", "val_00003014.ppm", "val_00046252.ppm"})
            writeImage(classFolder, name, 1);
        QVERIFY(!looksLikeVideo(classFolder.path()));
        QVERIFY(!looksLikeVideo(data));
        QVERIFY(!looksLikeVideo(data / "images"));
    }

    void fileLooksLikeAVideoByItsContent_data()
    {
        columns<QString, bool>("file", "isVideo");
        row("MP4", "videos/h264_ten_frames_200x150.mp4", true);
        row("Matroska", "videos/h264_30fps_96f.mkv", true);
        row("AVI", "videos/mjpeg_15fps_45f_160x120.avi", true);
        row("text", "videos/broken_text.mp4", false);
        row("picture", "images/square_224.png", false);
        row("missing", "videos/none.mp4", false);
    }

    void fileLooksLikeAVideoByItsContent()
    {
        FETCH_TEXT(file);
        QFETCH(bool, isVideo);
        QCOMPARE(looksLikeVideo(data / file), isVideo);
    }

    void containersAreKnownByTheirFirstBytes_data()
    {
        columns<QByteArray, QString>("start", "container");
        QByteArray transport(188 * 6, 'x'), recorded(192 * 6, 'x');
        for (int packet = 0; packet < 6; ++packet)
            transport[packet * 188 + 40] = recorded[packet * 192 + 4] = 'G';
        row("transport stream from its middle", transport, "mpegts");
        row("transport stream of a recorder", recorded, "mpegts");
        transport[3 * 188 + 40] = 'H';
        row("no transport stream", transport, "");
        row("programme stream", QByteArray("\0\0\x01\xba\x44", 5), "mpeg");
        row("QuickTime without ftyp", QByteArray("\0\0\0\x08wide", 8), "mov");
        row("WebP", QByteArray("RIFF\0\0\0\0WEBP", 12), "");
        row("WAVE", QByteArray("RIFF\0\0\0\0WAVE", 12), "");
        row("GIF", QByteArray("GIF87a"), "gif");
        row("three bytes", QByteArray("GIF"), "");
        row("nothing", QByteArray(), "");
    }

    void containersAreKnownByTheirFirstBytes()
    {
        QFETCH(QByteArray, start);
        QFETCH(QString, container);
        const VideoContainer* found = sniffVideo(
            {reinterpret_cast<const uint8_t*>(start.constData()), size_t(start.size())});
        QCOMPARE(found ? QString::fromUtf8(found->name.data(), qsizetype(found->name.size())) : QString(),
                 container);
    }

    void digitsCountAsNumbers()
    {
        std::vector<std::string> names{
            "f10", "f9",  "f1", "f01", "f1a", "f", "g0", "f123456789012345678901", "f99999999999999999999",
            "F2",  "f1.5"};
        std::sort(names.begin(), names.end(), naturallyBefore);
        QString sorted;
        for (const std::string& name : names)
            sorted += QString::fromStdString(name) + " ";
        QCOMPARE(sorted, "F2 f f01 f1 f1.5 f1a f9 f10 f99999999999999999999 f123456789012345678901 g0 ");
        for (const std::string& a : names)
            for (const std::string& b : names)
                QVERIFY(a == b ? !naturallyBefore(a, b) : naturallyBefore(a, b) != naturallyBefore(b, a));
        QCOMPARE(std::string(withoutNumber("frame_0012.png")), "frame_");
        QCOMPARE(std::string(withoutNumber("0012.png")), "");
        QCOMPARE(std::string(withoutNumber("cat.png")), "cat.png");
        QCOMPARE(numberOf("frame_0012.png"), 12.0);
        QCOMPARE(numberOf("cat.png"), 0.0);
    }

    void timesGrowWhateverAFileSays()
    {
        FrameClock clock(40);
        QCOMPARE(clock.place(100, 0), 100);
        QCOMPARE(clock.place(std::nullopt, 0), 140);
        QCOMPARE(clock.place(std::nullopt, 25), 180);
        QCOMPARE(clock.place(std::nullopt, 0), 205);
        QVERIFY(!clock.moved());
        QCOMPARE(clock.place(205, 0), 206);
        QCOMPARE(clock.place(-7, 0), 207);
        QVERIFY(clock.moved());
        QCOMPARE(clock.place(INT64_MAX, 0), INT64_MAX);
        QCOMPARE(clock.place(std::nullopt, 0), INT64_MAX);
        clock.restart();
        QCOMPARE(clock.place(std::nullopt, 0), 0);
    }

    void clipCanBeTurned()
    {
        Clip clip;
        clip.frames = 1;
        clip.width = 2;
        clip.height = 1;
        clip.pixels = {1, 1, 1, 2, 2, 2};
        turn(clip, 90);
        QCOMPARE(clip.height, 2);
        QCOMPARE(int(clip.pixels[0]), 1);
        turn(clip, 90);
        QCOMPARE(clip.width, 2);
        QCOMPARE(int(clip.pixels[0]), 2);
        turn(clip, -180);
        QCOMPARE(int(clip.pixels[0]), 1);
        turn(clip, 270);
        QCOMPARE(int(clip.pixels[0]), 2);
        THROWS(UsageError, turn(clip, 45));
    }

    void supportNamesLibrariesAndCodecs()
    {
        const VideoSupport support = videoSupport();
        QVERIFY(!support.version.empty());
        QCOMPARE(support.libraries.size(), size_t(4));
        for (const char* codec : {"h264", "vp9", "mjpeg", "gif", "rawvideo"})
            QVERIFY2(std::count(support.codecs.begin(), support.codecs.end(), codec) == 1, codec);
        QCOMPARE(support.containers.size(), videoContainers().size());
    }
};

ATTNSCOPE_EVENT_TEST(TestFrameFolder)
#include "tst_frame_folder.moc"
