#include <ATen/ATen.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/data/preprocess/clip_sampling.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <fstream>
#include <numeric>
#include <random>

using namespace attnscope;

namespace {

using Numbers = std::vector<int64_t>;

Json golden(const char* name)
{
    std::ifstream stream(std::string(TEST_DATA_DIR "/preprocess/") + name);
    return Json::parse(stream);
}

double fraction(const std::string& text)
{
    const auto slash = text.find('/');
    return slash == std::string::npos ? std::stod(text)
                                      : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

VideoTiming timingOfGolden(const Json& file)
{
    VideoTiming timing;
    timing.rate = fraction(file["average_rate"]);
    timing.secondsPerUnit = fraction(file["time_base"]);
    if (file["stream_frames"].get<int64_t>() > 0)
        timing.frames = file["stream_frames"].get<int64_t>();
    if (!file["stream_duration"].is_null())
        timing.duration = file["stream_duration"].get<int64_t>();
    timing.start = file["start_time"];
    return timing;
}

/// Files with a constant rate do not list their times.
Numbers times(const Json& file, const VideoTiming& timing)
{
    if (file.contains("pts"))
        return file["pts"];
    Numbers list;
    for (int64_t i = 0; i < file["decoded_frames"].get<int64_t>(); ++i)
        list.push_back(timing.start + std::llround(double(i) / timing.rate / timing.secondsPerUnit));
    return list;
}

ClipSampling samplingOf(const Json& config)
{
    ClipSampling sampling;
    sampling.frames = config["num_frames"];
    sampling.interval = config["sampling_rate"];
    sampling.startTime = StartTime::Official;
    return sampling;
}

VideoTiming steady(int64_t frames, int64_t start = 0)
{
    VideoTiming timing;
    timing.secondsPerUnit = 1.0 / 15360;
    timing.frames = frames;
    timing.duration = frames * 512;
    timing.start = start;
    return timing;
}

Numbers steadyTimes(int64_t frames, int64_t start = 0)
{
    Numbers list;
    for (int64_t i = 0; i < frames; ++i)
        list.push_back(start + i * 512);
    return list;
}

Numbers framesOfAll(const std::vector<SampledClip>& clips)
{
    Numbers all;
    for (const SampledClip& clip : clips)
        all.insert(all.end(), clip.frames.begin(), clip.frames.end());
    return all;
}

}

class TestClipSampling : public QObject {
    Q_OBJECT

private slots:
    void framesOfEveryClipEqualTheAuthorsLoader_data()
    {
        columns<QString, QString>("file", "config");
        const Json data = golden("videos.json");
        for (const auto& [file, info] : data["files"].items())
            if (info.contains("clips"))
                for (const auto& [config, clips] : info["clips"].items())
                    row(file + " " + config, file, config);
    }

    void framesOfEveryClipEqualTheAuthorsLoader()
    {
        FETCH_TEXT(file);
        FETCH_TEXT(config);
        static const Json data = golden("videos.json");
        const Json& info = data["files"][file];
        const VideoTiming timing = timingOfGolden(info);
        const auto clips = sampleClips(timing, times(info, timing), samplingOf(data["configs"][config]));
        const Json& expected = info["clips"][config];
        QCOMPARE(clips.size(), expected.size());
        QCOMPARE(clips.size(), 10);
        for (size_t i = 0; i < clips.size(); ++i) {
            QCOMPARE(clips[i].frames, expected[i]["frames"].get<Numbers>());
            QCOMPARE((Numbers{clips[i].first, clips[i].last}), expected[i]["decoded_in_range"].get<Numbers>());
        }
    }

    void segmentsEqualTheAuthorsRule()
    {
        const Json data = golden("ssv2_indices.json");
        QVERIFY(data["rows"].size() > 10);
        for (const Json& row : data["rows"]) {
            ClipSampling sampling;
            sampling.rule = SamplingRule::Segments;
            sampling.frames = row["T"];
            const int64_t count = row["n"];
            const auto clips = sampleClips(steady(count), steadyTimes(count), sampling);
            QCOMPARE(clips.size(), 1);
            QCOMPARE(clips.front().frames, row["frames"].get<Numbers>());
        }
    }

    void linspaceRoundsLikeTorch()
    {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> start(0, 100'000), length(-1, 4000);
        for (int trial = 0; trial < 20'000; ++trial) {
            const int64_t count = 1 + trial % 70;
            const double from = trial % 3 == 0 ? 0 : start(random), to = from + length(random);
            const auto ours = linspace(from, to, count);
            const auto torch = at::linspace(from, to, count, at::kFloat);
            QVERIFY2(std::equal(ours.begin(), ours.end(), torch.data_ptr<float>()),
                     qPrintable(QString("%1 to %2 in %3").arg(from, 0, 'g', 17).arg(to, 0, 'g', 17).arg(count)));
        }
    }

    void lateStartIsSubtractedUnlessTheOfficialRuleIsAsked()
    {
        ClipSampling sampling;
        const auto prompt = sampleClips(steady(90), steadyTimes(90), sampling);
        const auto late = sampleClips(steady(90, 30720), steadyTimes(90, 30720), sampling);
        QCOMPARE(framesOfAll(late), framesOfAll(prompt));
        sampling.startTime = StartTime::Official;
        const auto official = sampleClips(steady(90, 30720), steadyTimes(90, 30720), sampling);
        QCOMPARE(official.front().last, 4);  // the golden of that file: 60 of its 64 frames are missed
    }

    void officialRuleIgnoresNothingWhereVideosBeginAtZero()
    {
        ClipSampling sampling;
        const auto subtracted = sampleClips(steady(200), steadyTimes(200), sampling);
        sampling.startTime = StartTime::Official;
        QCOMPARE(framesOfAll(sampleClips(steady(200), steadyTimes(200), sampling)), framesOfAll(subtracted));
    }

    void brokenOffVideoIsSampledOverWhatThereIs()
    {
        const Numbers half = steadyTimes(150);
        QVERIFY(breaksOff(steady(300), 150, half.back()));
        QVERIFY(!breaksOff(steady(300), 300, steadyTimes(300).back()));
        const VideoTiming rest = part(steady(300), 150, half.front(), half.back() + 512);
        QCOMPARE(framesOfAll(sampleClips(rest, half, {})), framesOfAll(sampleClips(steady(150), half, {})));
    }

    void videoWithItsFramesButALongLastOneDoesNotBreakOff()
    {
        VideoTiming timing = steady(100);
        timing.duration = 100 * 512 + 30 * 512;
        QVERIFY(!breaksOff(timing, 100, 99 * 512));
        QVERIFY(breaksOff(timing, 90, 89 * 512));
    }

    void framesOutsideAllWindowsMayBeLeftOut()
    {
        const VideoTiming timing = steady(5000, 700);
        const Numbers all = steadyTimes(5000, 700);
        QCOMPARE(evenTimes(timing), all);
        Numbers kept;
        const auto windows = clipWindows(timing, {});
        for (const int64_t time : all)
            for (const ClipWindow& window : windows)
                if (time >= window.begin && time <= window.end + 512 && (kept.empty() || kept.back() != time))
                    kept.push_back(time);
        QVERIFY(kept.size() < 700);
        const auto dense = sampleClips(timing, all, {}), sparse = sampleClips(timing, kept, {});
        for (size_t clip = 0; clip < dense.size(); ++clip)
            for (size_t i = 0; i < dense[clip].frames.size(); ++i)
                QCOMPARE(kept[size_t(sparse[clip].frames[i])], all[size_t(dense[clip].frames[i])]);
    }

    void windowBehindTheLastFrameRepeatsIt()
    {
        VideoTiming timing = steady(300);
        timing.duration = *timing.duration
                          * 4;  // the container counts every frame, and says four times their duration
        const auto clips = sampleClips(timing, steadyTimes(300), {});
        QCOMPARE(clips.back().frames, Numbers(16, 299));
    }

    void lastClipOfTenEndsBeforeTheVideo()
    {
        const auto clips = sampleClips(steady(1000), steadyTimes(1000), {});
        QCOMPARE(clips.front().frames.front(), 0);
        // (1000 − 64) · 9 / 10 = 842.4: the first whole frame at or behind it, truncated in units of time
        QCOMPARE(clips.back().frames.front(), 843);
        QCOMPARE(clips.back().frames.back(), 906);
    }

    void oneClipBeginsWithTheVideo()
    {
        ClipSampling sampling;
        sampling.clips = 1;
        const auto clips = sampleClips(steady(1000), steadyTimes(1000), sampling);
        QCOMPARE(clips.size(), 1);
        QCOMPARE(clips.front().frames.front(), 0);
    }

    void singleFramesAreTheMiddlesOfEqualParts()
    {
        ClipSampling sampling;
        sampling.rule = SamplingRule::Even;
        sampling.frames = 1;
        sampling.clips = 4;
        QCOMPARE(framesOfAll(sampleClips(steady(100), steadyTimes(100), sampling)), (Numbers{12, 37, 62, 87}));
        QCOMPARE(framesOfAll(sampleClips(steady(1), steadyTimes(1), sampling)), (Numbers{0, 0, 0, 0}));
    }

    void anyRateAndLengthGivesFramesThatExist()
    {
        std::mt19937_64 random(11);
        for (int trial = 0; trial < 5000; ++trial) {
            const auto count = int64_t(1 + random() % 500);
            VideoTiming timing = steady(count);
            timing.rate = std::exp(double(random() % 1200) / 100 - 4);  // 0.02 to 3000 frames a second
            if (trial % 3 == 0)
                timing.frames.reset();
            if (trial % 5 == 0)
                timing.duration = int64_t(random() % 1'000'000);
            timing.start = int64_t(random() % 2000) - 1000;
            Numbers list{timing.start};
            while (int64_t(list.size()) < count)
                list.push_back(list.back() + 1 + int64_t(random() % 2000));
            ClipSampling sampling;
            sampling.frames = int64_t(1 + random() % 64);
            sampling.interval = int64_t(1 + random() % 16);
            sampling.clips = int64_t(1 + random() % 20);
            sampling.startTime = trial % 2 ? StartTime::Official : StartTime::Subtract;
            const auto clips = sampleClips(timing, list, sampling);
            QCOMPARE(int64_t(clips.size()), sampling.clips);
            for (const SampledClip& clip : clips) {
                QCOMPARE(int64_t(clip.frames.size()), sampling.frames);
                QVERIFY(sampling.length(timing.rate) < 1
                        || std::is_sorted(clip.frames.begin(), clip.frames.end()));
                QVERIFY(clip.frames.front() >= 0 && clip.frames.back() < count);
            }
        }
    }

    void gridsAreRead_data()
    {
        columns<QString, int, int>("text", "clips", "crops");
        row("published", "10x3", 10, 3);
        row("one view", "1x1", 1, 1);
        row("capital", "4X3", 4, 3);
    }

    void gridsAreRead()
    {
        QFETCH(QString, text);
        QFETCH(int, clips);
        QFETCH(int, crops);
        const ViewGrid grid = ViewGrid::parse(text.toStdString());
        QCOMPARE(grid, (ViewGrid{clips, crops}));
        QCOMPARE(QString::fromStdString(grid.name()), text.toLower());
    }

    void gridsThatAreNoneAreRefused_data()
    {
        rows("text", {"", "x", "10", "10x", "x3", "10x2", "0x3", "1001x3", "-1x3", "10x3x1", "10 x 3",
                      "99999999999999999999x3"});
    }

    void gridsThatAreNoneAreRefused()
    {
        FETCH_TEXT(text);
        THROWS(UsageError, ViewGrid::parse(text));
    }
};

ATTNSCOPE_TEST(TestClipSampling)
#include "tst_clip_sampling.moc"
