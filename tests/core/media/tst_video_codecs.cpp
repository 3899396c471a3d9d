// Videos of many codecs and containers, made here by the program ffmpeg: every
// frame and time is what ffmpeg says, and looking for a frame finds the one that reading from the beginning finds.
#include "core/base/error.h"
#include "tests/core/media/video_maker.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <random>

using namespace attnscope;
using namespace attnscope::test;

namespace {

struct Recipe {
    const char* file;
    const char* options;
    const char* source = "testsrc2=size=176x144:rate=25:duration=2.4";
};

constexpr Recipe recipes[] = {
    {"h264.mp4", "-c:v libx264 -g 12 -bf 3"},
    {"h264-open-gop.mkv", "-c:v libx264 -x264-params open-gop=1:keyint=12:bframes=3:b-pyramid=normal:scenecut=0"},
    {"h264-open-gop.mp4", "-c:v libx264 -x264-params open-gop=1:keyint=15:bframes=4:scenecut=0"},
    {"h264-refresh.mp4", "-c:v libx264 -x264-params intra-refresh=1:keyint=15:bframes=0"},
    {"h264-one-key.mp4", "-c:v libx264 -g 999 -sc_threshold 0"},
    {"h264-10bit.mkv", "-c:v libx264 -pix_fmt yuv420p10le -g 10"},
    {"h264-422-full.mp4", "-c:v libx264 -pix_fmt yuvj422p -g 10"},
    {"h264-709.mp4",
     "-vf scale=out_color_matrix=bt709:out_range=tv -colorspace bt709 -color_range tv -c:v libx264 -g 10"},
    {"h264-odd.mp4", "-c:v libx264 -pix_fmt yuv444p -g 10", "testsrc2=size=161x121:rate=24:duration=2"},
    {"h264-fragmented.mp4", "-c:v libx264 -g 10 -movflags frag_keyframe+empty_moov"},
    {"h264.ts", "-c:v libx264 -g 12 -bf 3 -f mpegts"},
    {"h264.m2ts", "-c:v libx264 -g 12 -bf 2 -f mpegts -mpegts_m2ts_mode 1"},
    {"h264-bframes.avi", "-c:v libx264 -g 12 -bf 3"},
    {"h264.flv", "-c:v libx264 -g 12 -bf 2"},
    {"h264-vfr.mkv", "-vf setpts=N*(N+4)/4/TB/25 -vsync passthrough -c:v libx264 -g 12 -bf 2"},
    {"h264-late.ts", "-c:v libx264 -g 12 -bf 2 -output_ts_offset 70 -f mpegts"},
    {"h264-late.mp4", "-c:v libx264 -g 12 -bf 2 -output_ts_offset 7"},
    {"h264-long-gop.mkv", "-c:v libx264 -g 90 -bf 3 -sc_threshold 0", "testsrc2=size=96x80:rate=25:duration=9"},
    {"h264-still.mkv",
     "-vf setpts=floor(N/8)*200/TB/25+mod(N\\,8)/TB/25 -vsync passthrough -c:v libx264 -g 99 -bf 3"},
    {"mpeg4-long-gop.avi", "-c:v mpeg4 -g 90 -bf 2", "testsrc2=size=96x80:rate=25:duration=9"},
    {"hevc-open-gop.mp4", "-c:v libx265 -x265-params keyint=12:open-gop=1:bframes=4:log-level=none"},
    {"vp8.webm", "-c:v libvpx -g 15 -deadline realtime -auto-alt-ref 1 -lag-in-frames 8 -b:v 300k"},
    {"vp9.webm",
     "-c:v libvpx-vp9 -g 15 -deadline realtime -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 8 -b:v 300k"},
    {"av1.mkv", "-c:v libaom-av1 -g 15 -cpu-used 8 -usage realtime -b:v 300k"},
    {"mpeg1.mpg", "-c:v mpeg1video -g 12 -bf 2"},
    {"mpeg2.mpg", "-c:v mpeg2video -g 12 -bf 2 -f vob"},
    {"mpeg2.ts", "-c:v mpeg2video -g 12 -bf 2 -f mpegts"},
    {"mpeg4-bframes.avi", "-c:v mpeg4 -g 12 -bf 2"},
    {"mpeg4.mp4", "-c:v mpeg4 -g 12 -bf 2"},
    {"msmpeg4.avi", "-c:v msmpeg4 -g 12"},
    {"wmv2.wmv", "-c:v wmv2 -g 12"},
    {"h263.3gp", "-c:v h263 -g 12"},
    {"flv1.flv", "-c:v flv -g 12"},
    {"theora.ogv", "-c:v libtheora -g 12 -q:v 5"},
    {"mjpeg.mov", "-c:v mjpeg -q:v 4"},
    {"prores.mov", "-c:v prores_ks -profile:v 2"},
    {"dnxhd.mov", "-c:v dnxhd -profile:v dnxhr_hq", "testsrc2=size=256x128:rate=25:duration=1"},
    {"ffv1-odd.mkv", "-c:v ffv1 -g 8", "testsrc2=size=161x121:rate=24:duration=2"},
    {"huffyuv.avi", "-c:v huffyuv"},
    {"raw.avi", "-c:v rawvideo -pix_fmt bgr24", "testsrc2=size=122x90:rate=24:duration=1"},
    {"png-alpha.mov", "-c:v png -pix_fmt rgba"},
    {"qtrle.mov", "-c:v qtrle -g 10"},
    {"animated.gif", "-r 20"},
};

const Recipe& recipe()
{
    return *std::find_if(std::begin(recipes), std::end(recipes),
                         [](const Recipe& r) { return std::string_view(r.file) == currentDataTag(); });
}

}

class TestVideoCodecs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!hasFfmpeg())
            QSKIP("the programs ffmpeg and ffprobe are not installed");
    }

    void framesAndTimesAreThoseOfFfmpeg_data() { addRecipes(); }
    void framesAndTimesAreThoseOfFfmpeg()
    {
        const fs::path file = path(recipe());
        VideoReader video(file);
        const std::vector<TimedFrame> frames = allFrames(video);
        QCOMPARE(video.damage(), std::string());

        const std::vector<std::optional<int64_t>> times = timesByFfprobe(file);
        const QByteArray rgb = rgbByFfmpeg(file);
        const auto bytes = static_cast<qsizetype>(video.size().width * video.size().height * 3);
        QCOMPARE(qsizetype(frames.size()), rgb.size() / bytes);
        QCOMPARE(frames.size(), times.size());
        QVERIFY(frames.size() > 20);
        for (size_t i = 0; i < frames.size(); ++i) {
            if (times[i])
                QCOMPARE(frames[i].pts, *times[i]);
            else
                QVERIFY(i > 0 && frames[i].pts > frames[i - 1].pts);
            QVERIFY2(std::memcmp(frames[i].rgb.data(), rgb.constData() + qsizetype(i) * bytes, size_t(bytes)) == 0,
                     qPrintable(QString("frame %1").arg(i)));
        }
    }

    void seekingFindsWhatReadingFinds_data() { addRecipes(); }
    /// In any order, between frames, before the first and behind the last; then some frames on from there.
    void seekingFindsWhatReadingFinds()
    {
        VideoReader video(path(recipe()));
        const std::vector<TimedFrame> frames = allFrames(video);
        const int64_t first = frames.front().pts, last = frames.back().pts;
        std::mt19937 random(7);
        std::uniform_int_distribution<int64_t> anywhere(first, last);
        std::vector<int64_t> targets{first - 1000, last + 1000, first, last, frames[frames.size() / 2].pts};
        for (int i = 0; i < 40; ++i)
            targets.push_back(anywhere(random));
        for (const int64_t target : targets) {
            video.seek(target);
            auto expected = std::find_if(frames.rbegin(), frames.rend(),
                                         [&](const TimedFrame& f) { return f.pts <= target; });
            size_t at = expected == frames.rend() ? 0 : size_t(frames.rend() - expected - 1);
            for (int step = 0; step < 4 && at < frames.size(); ++step, ++at) {
                QVERIFY(video.advance());
                QVERIFY2(frameOf(video) == frames[at],
                         qPrintable(QString("sought %1, step %2: frame at %3 in place of %4")
                                        .arg(target)
                                        .arg(step)
                                        .arg(video.pts())
                                        .arg(frames[at].pts)));
            }
            if (at == frames.size())
                QVERIFY(!video.advance());
        }
        QCOMPARE(video.damage(), std::string());
    }

    void widthsOfEveryRemainderAreConvertedAlike_data()
    {
        columns<int>("width");
        for (int width = 96; width < 128; width += 2)
            row(QString::number(width), width);
    }

    /// The scaler's vector code works on several pixels at once and must neither leave out the last nor write behind
    /// the image.
    void widthsOfEveryRemainderAreConvertedAlike()
    {
        QFETCH(int, width);
        const QString source = QString("testsrc2=size=%1x32:rate=5:duration=1").arg(width);
        const fs::path file = makeVideo(m_folder, QString("w%1.mkv").arg(width), "-c:v ffv1 -pix_fmt yuv420p",
                                        source);
        VideoReader video(file);
        const QByteArray rgb = rgbByFfmpeg(file);
        const auto row = size_t(width) * 3, stride = row + 13;
        for (int frame = 0; video.advance(); ++frame) {
            std::vector<uint8_t> image(stride * 32 + 64, 0xa5);
            video.writeRgb(image.data(), int64_t(stride));
            for (size_t y = 0; y < 32; ++y) {
                QVERIFY(
                    std::memcmp(image.data() + y * stride, rgb.constData() + (size_t(frame) * 32 + y) * row, row)
                    == 0);
                QVERIFY(std::all_of(image.begin() + ptrdiff_t(y * stride + row),
                                    image.begin() + ptrdiff_t((y + 1) * stride),
                                    [](uint8_t byte) { return byte == 0xa5; }));
            }
            QVERIFY(std::all_of(image.end() - 64, image.end(), [](uint8_t byte) { return byte == 0xa5; }));
        }
    }

    void turningIsWhatPlayersDo_data()
    {
        columns<int>("tag");
        for (const int tag : {0, 90, 180, 270})
            row(QString::number(tag), tag);
    }

    void turningIsWhatPlayersDo()
    {
        QFETCH(int, tag);
        const fs::path upright = makeVideo(m_folder, "upright.mp4", "-c:v libx264",
                                           "testsrc2=size=64x48:rate=5:duration=1");
        const QString turned = m_folder.filePath("turned.mp4");
        run("ffmpeg", {"-v", "error", "-y", "-i", QString::fromStdString(upright.string()), "-c", "copy",
                       "-metadata:s:v:0", QString("rotate=%1").arg(tag), turned});
        const QByteArray rgb = run("ffmpeg",
                                   {"-v", "error", "-i", turned, "-vsync", "passthrough", "-sws_flags", "bilinear",
                                    "-vf", "format=rgb24", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"});
        VideoReader video(turned.toStdString());
        Clip clip;
        QVERIFY(video.advance());
        video.appendTo(clip);
        turn(clip, video.rotation());
        QCOMPARE(clip.width, video.rotation() % 180 == 0 ? 64 : 48);
        // ffmpeg turns the frame before it makes RGB of it, so that rounding of colours differs a little.
        double difference = 0;
        for (size_t i = 0; i < clip.pixels.size(); ++i)
            difference += std::abs(int(clip.pixels[i]) - int(uint8_t(rgb[qsizetype(i)])));
        QCOMPARE_LT(difference / double(clip.pixels.size()), 3);
    }

    void framesAreScaledToTheSizeOfTheClip()
    {
        VideoReader video(path(recipes[0]));
        Clip clip;
        clip.frames = 1;
        clip.width = 88;
        clip.height = 72;
        clip.pixels.resize(88 * 72 * 3);
        QVERIFY(video.advance());
        video.appendTo(clip);
        QCOMPARE(clip.frames, 2);
        const QByteArray rgb = rgbByFfmpeg(path(recipes[0]),
                                           {"-frames:v", "1", "-vf", "scale=88:72:flags=bilinear,format=rgb24"});
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(clip.frame(1)), 88 * 72 * 3), rgb);
    }

    void sizeThatChangesOnTheWayIsScaledToTheFirst()
    {
        QByteArray both;
        for (const char* size : {"176x144", "96x80"}) {
            const QString name = QString("%1.ts").arg(size);
            makeVideo(m_folder, name, "-c:v mpeg2video -g 5 -f mpegts",
                      QString("testsrc2=size=%1:rate=25:duration=1").arg(size));
            QFile part(m_folder.filePath(name));
            QVERIFY(part.open(QIODevice::ReadOnly));
            both += part.readAll();
        }
        QFile joined(m_folder.filePath("joined.ts"));
        QVERIFY(joined.open(QIODevice::WriteOnly));
        joined.write(both);
        joined.close();
        VideoReader video(joined.fileName().toStdString());
        Clip clip;
        while (video.advance())
            video.appendTo(clip);
        QCOMPARE(clip.width, 176);
        QVERIFY(clip.frames > 40);
        QCOMPARE(clip.pixels.size(), size_t(clip.frames * clip.width * clip.height * 3));
        SAYS(video.damage(), "changes its frame size");
    }

    void threadsChangeNoPixel()
    {
        for (const int index : {0, 1, 17}) {
            std::vector<TimedFrame> first;
            for (const int threads : {1, 2, 5}) {
                VideoReadOptions options;
                options.threads = threads;
                VideoReader video(path(recipes[index]), options);
                const std::vector<TimedFrame> frames = allFrames(video);
                if (first.empty())
                    first = frames;
                QVERIFY(frames == first);
                SAYS(video.info().decoder, std::to_string(threads) + " thread");
            }
        }
    }

    void hardwareIsUsedOrItsAbsenceSaid()
    {
        VideoReadOptions options;
        options.hardware = true;
        VideoReader video(path(recipes[0]), options);
        const bool inSoftware = video.info().decoder.find("thread") != std::string::npos;
        const auto& notes = video.info().notes;
        const bool said = std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
            return note.rfind("decoded in software", 0) == 0;
        });
        QCOMPARE(said, inSoftware);
        QCOMPARE(allFrames(video).size(), size_t(60));
    }

    void notesSayWhatWasDecided()
    {
        const auto notesOf = [&](const char* name, const char* options) {
            const VideoReader video(makeVideo(m_folder, name, options, "testsrc2=size=64x48:rate=25:duration=1"));
            QStringList notes;
            for (const std::string& note : video.info().notes)
                notes << QString::fromStdString(note);
            return notes.join("; ");
        };
        QCOMPARE(notesOf("plain.mp4", "-c:v libx264"), "");
        QCOMPARE(notesOf("ten.mkv", "-c:v libx264 -pix_fmt yuv420p10le"), "10 bits per channel were reduced to 8");
        QCOMPARE(notesOf("alpha.mov", "-c:v png -pix_fmt rgba"), "transparency was dropped");
        QCOMPARE(notesOf("wide.mp4", "-c:v libx264 -vf setsar=4/3"),
                 "its pixels have an aspect ratio of 4:3 but are treated as square");
        QCOMPARE(notesOf("laced.mp4", "-c:v libx264 -flags +ildct -x264-params interlaced=1"),
                 "it is interlaced; both fields are used as one frame");
        QCOMPARE(notesOf("hdr.mkv",
                         "-c:v libx264 -pix_fmt yuv420p10le -color_trc smpte2084 -x264-params transfer=smpte2084"),
                 "10 bits per channel were reduced to 8; its high dynamic range was not tone-mapped");
    }

private:
    static void addRecipes();
    fs::path path(const Recipe& recipe);

    QTemporaryDir m_folder;
};

void TestVideoCodecs::addRecipes()
{
    columns<int>("nothing");
    for (const Recipe& recipe : recipes)
        row(recipe.file, 0);
}

fs::path TestVideoCodecs::path(const Recipe& recipe)
{
    const fs::path made = m_folder.filePath(recipe.file).toStdString();
    return fs::exists(made) ? made : makeVideo(m_folder, recipe.file, recipe.options, recipe.source);
}

ATTNSCOPE_EVENT_TEST(TestVideoCodecs)
#include "tst_video_codecs.moc"
