// What models see of a playing video is what evaluation shows them of the file.
#include "core/live/live_predictor.h"
#include "core/live/video_play_source.h"
#include "core/media/views/open_views.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace attnscope;
using namespace Qt::StringLiterals;

namespace {

const fs::path videos = TEST_DATA_DIR "/preprocess/videos";

ModelSummary motionformer()
{
    ModelSummary model;
    model.input = {3, 16, 112, 112};
    model.frameInterval = 4;
    return model;
}

Transform transform()
{
    Transform out;
    out.resize = out.cropHeight = out.cropWidth = 112;
    out.filter = ResizeFilter::Bilinear;
    out.mean.fill(0.5f);
    out.stddev.fill(0.5f);
    return out;
}

/// The first clip of a video as it plays.
std::optional<LiveClip> firstClip(const fs::path& path, LiveWindow& window)
{
    const auto source = playVideo(path, {}, {});
    window.setRecipe(liveRecipe(motionformer(), transform(), 2));
    window.begin(source->info(), 1);
    Frame frame;
    frame.width = source->info().width;
    frame.height = source->info().height;
    frame.stride = (frame.width * 3 + 3) / 4 * 4;
    frame.rgb.resize(size_t(frame.stride * frame.height));
    frame.epoch = 1;
    const int64_t last = window.grid().frames - 1;
    while (source->advance()) {
        frame.seconds = source->seconds();
        if (!window.wants(frame.seconds))
            continue;
        source->write(frame.rgb.data(), frame.stride);
        window.take(frame);
        if (window.grid().tickOf(frame.seconds) >= last)
            break;
    }
    return window.clipAt(1, last);
}

}

class TestLiveClips : public QObject {
    Q_OBJECT
private slots:
    void firstClipIsThatOfThePublishedProtocol_data()
    {
        rows("video",
             {"h264_30fps_300f_320x240.mp4", "h264_23976fps_144f_320x180.mp4", "h264_60fps_180f_256x144.mp4",
              "vp9_30fps_150f_242x182.webm", "h264_30fps_96f.mkv", "h264_25fps_100f_portrait_180x320.mp4"});
    }
    void firstClipIsThatOfThePublishedProtocol()
    {
        FETCH_TEXT(video);
        const auto path = videos / video;
        LiveWindow window;
        const auto clip = firstClip(path, window);
        QVERIFY(clip);
        ViewRequest request;
        request.frames = 16;
        request.interval = 4;
        request.grid = {10, 1};
        request.transform = transform();
        const VideoViews views = openVideoViews(path, {}, request);
        for (size_t i = 0; i < 16; ++i)
            QVERIFY2(
                std::abs(clip->frameSeconds[i] - views.views[0].seconds[i]) < 1e-6,
                qPrintable(
                    u"frame %1: %2 s, not %3"_s.arg(i).arg(clip->frameSeconds[i]).arg(views.views[0].seconds[i])));
        const FloatArray expected = views.view(0);
        QCOMPARE(clip->pixels.shape, expected.shape);
        QVERIFY(clip->pixels.values == expected.values);
    }
};

ATTNSCOPE_EVENT_TEST(TestLiveClips)
#include "tst_live_clips.moc"
