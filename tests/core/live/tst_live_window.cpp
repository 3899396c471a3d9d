#include "core/live/clip_scheduler.h"
#include "core/live/live_window.h"
#include "core/live/player.h"
#include "tests/core/live/synthetic_source.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// Keeps the number that a frame carries, so that a clip says which frames it is made of.
LiveWindow::Recipe numbers(ClipWish wish)
{
    return {wish, 1, 1, [](const Clip& frame, float* planes) {
                std::fill_n(planes, 3, float(test::numberOf(frame.pixels.data())));
            }};
}

SourceInfo infoOf(double rate)
{
    SourceInfo info;
    info.rate = rate;
    return info;
}

/// Plays `frames` frames of a source into the window, as the decoder would.
void feed(LiveWindow& window, SourceHabits habits, uint64_t epoch = 1, int first = 0)
{
    SyntheticSource source(habits);
    window.begin(source.info(), epoch);
    Frame frame;
    frame.width = habits.width;
    frame.height = habits.height;
    frame.stride = habits.width * 3;
    frame.rgb.resize(size_t(frame.stride * frame.height));
    frame.epoch = epoch;
    for (int i = 0; source.advance(); ++i) {
        if (i < first || !window.wants(source.seconds()))
            continue;
        source.write(frame.rgb.data(), frame.stride);
        frame.seconds = source.seconds();
        window.take(frame);
    }
}

std::vector<int> framesOf(const std::optional<LiveClip>& clip)
{
    std::vector<int> frames;
    if (clip)
        for (size_t i = 0; i < clip->frameSeconds.size(); ++i)
            frames.push_back(int(clip->pixels.values[i]));
    return frames;
}

}

class TestLiveWindow : public QObject {
    Q_OBJECT
private slots:
    void clipHasTheFramesOfThePublishedProtocol()
    {
        LiveWindow window;
        window.setRecipe(numbers({4, 4, 1}));
        feed(window, {.frames = 48});
        QCOMPARE(framesOf(window.clipAt(1, 3)), (std::vector<int>{0, 5, 10, 15}));  // linspace(0, 15, 4)
        const auto clip = window.clipAt(1, 9);
        QCOMPARE(framesOf(clip), (std::vector<int>{30, 35, 40, 45}));
        QCOMPARE(clip->pixels.shape, (std::vector<int64_t>{3, 4, 1, 1}));
        QVERIFY(std::abs(clip->seconds - 1.5) < 1e-9);
        QVERIFY(!window.clipAt(1, 2));
        QVERIFY(!window.clipAt(2, 9));
    }

    void clipLastsAsLongAtAnyRate_data()
    {
        columns<double, QVector<int>>("rate", "frames");
        row("60", 60.0, QVector<int>{0, 10, 20, 31});
        row("25", 25.0, QVector<int>{0, 4, 8, 12});
        row("23.976", 24000 / 1001.0, QVector<int>{0, 3, 7, 11});
        row("5: repeated", 5.0, QVector<int>{0, 0, 1, 1});
    }
    void clipLastsAsLongAtAnyRate()
    {
        QFETCH(double, rate);
        QFETCH(QVector<int>, frames);
        LiveWindow window;
        window.setRecipe(numbers({4, 4, 1}));
        feed(window, {.frames = rate < 10 ? 4 : 40, .rate = rate});
        QCOMPARE(framesOf(window.clipAt(1, 3)), std::vector<int>(frames.begin(), frames.end()));
    }

    void timesRoundedByTheContainerHitTheSameFrames()
    {
        LiveWindow window;
        window.setRecipe(numbers({4, 4, 1}));
        SourceHabits habits{.frames = 36, .unit = 0.001};
        for (int i = 0; i < 36; ++i)
            habits.times.push_back(std::round(1000 * i / 30.0) / 1000);  // milliseconds, as Matroska has them
        feed(window, habits);
        QCOMPARE(framesOf(window.clipAt(1, 6)), (std::vector<int>{15, 20, 25, 30}));
    }

    void imageModelSeesTheNewestFrame()
    {
        LiveWindow window;
        window.setRecipe(numbers({1, 1, 1}));
        feed(window, {.frames = 12});
        const auto clip = window.clipAt(1, 11);
        QCOMPARE(framesOf(clip), std::vector<int>{11});
        QCOMPARE(clip->pixels.shape, (std::vector<int64_t>{3, 1, 1}));
        window.setRecipe(numbers({1, 1, 5}));
        feed(window, {.frames = 12}, 2);
        QCOMPARE(framesOf(window.clipAt(2, 2)), std::vector<int>{10});
    }

    void memoryStaysThatOfAFewClips()
    {
        LiveWindow window(8);
        LiveWindow::Recipe recipe = numbers({16, 4, 2});
        recipe.height = recipe.width = 32;
        window.setRecipe(recipe);
        feed(window, {.frames = 100});
        const auto bytes = window.bytes();
        QCOMPARE(bytes, int64_t{24} * 3 * 32 * 32 * 4);
        feed(window, {.frames = 5000}, 2);
        QCOMPARE(window.bytes(), bytes);
    }

    void framesBeforeASeekAreNotMixedIn()
    {
        LiveWindow window;
        window.setRecipe(numbers({4, 4, 1}));
        feed(window, {.frames = 40});
        feed(window, {.frames = 40}, 2, 20);
        QVERIFY(!window.clipAt(2, 6));
        QCOMPARE(framesOf(window.clipAt(2, 7)), (std::vector<int>{20, 25, 30, 35}));
        QCOMPARE(framesOf(window.clipAt(1, 7)),
                 (std::vector<int>{20, 25, 30, 35}));  // still there for one that is late
    }

    void shortVideoRepeatsItsLastFrame()
    {
        LiveWindow window;
        window.setRecipe(numbers({8, 4, 1}));
        feed(window, {.frames = 10});
        QCOMPARE(window.shortClip(1), -1);  // it might go on
        window.end();
        QCOMPARE(window.shortClip(1), 2);
        QCOMPARE(framesOf(window.clipAt(1, 2)),
                 (std::vector<int>{0, 4, 8, 8, 8, 8, 8, 8}));  // linspace(0, 31, 8): 4.43 apart
        feed(window, {.frames = 60}, 2);
        window.end();
        QCOMPARE(window.shortClip(2), -1);
    }

    void turnedVideosAreSeenUpright_data()
    {
        columns<int, QVector<int>>("degrees", "pixels");
        // 1 2 3 / 4 5 6, turned clockwise.
        row("0", 0, QVector<int>{1, 2, 3, 4, 5, 6});
        row("90", 90, QVector<int>{4, 1, 5, 2, 6, 3});
        row("180", 180, QVector<int>{6, 5, 4, 3, 2, 1});
        row("270", 270, QVector<int>{3, 6, 2, 5, 1, 4});
    }
    void turnedVideosAreSeenUpright()
    {
        QFETCH(int, degrees);
        QFETCH(QVector<int>, pixels);
        std::vector<int> seen;
        int64_t width = 0;
        LiveWindow window;
        window.setRecipe({{1, 1, 1}, 1, 1, [&](const Clip& frame, float*) {
                              width = frame.width;
                              for (size_t i = 0; i < frame.pixels.size(); i += 3)
                                  seen.push_back(frame.pixels[i]);
                          }});
        SourceInfo info = infoOf(30);
        info.rotation = degrees;
        window.begin(info, 1);
        Frame frame;
        frame.width = 3;
        frame.height = 2;
        frame.stride = 12;
        frame.rgb.resize(24);
        for (int i = 0; i < 6; ++i)
            std::fill_n(frame.rgb.begin() + (i / 3) * 12 + (i % 3) * 3, 3, uint8_t(i + 1));
        QVERIFY(window.wants(0));
        window.take(frame);
        QCOMPARE(seen, std::vector<int>(pixels.begin(), pixels.end()));
        QCOMPARE(width, degrees % 180 == 0 ? 3 : 2);
    }

    void withoutAModelNothingIsKept()
    {
        LiveWindow window;
        window.begin(infoOf(30), 1);
        QVERIFY(!window.wants(0));
        QCOMPARE(window.reach(), 0.0);
        QVERIFY(!window.clipAt(1, 0) || window.clipAt(1, 0)->pixels.values.empty());
    }

    void seekHasTheWholeClipBeforeItAtOnce()
    {
        LiveWindow window;
        window.setRecipe(numbers({8, 4, 2}));
        Player player(opens({.frames = 300}), &window);
        const auto shown = [&] {
            FrameRef frame;
            for (int i = 0; i < 500 && !(frame = player.frameToShow(Player::Clock::now())); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return frame;
        };
        QVERIFY(shown());
        player.seek(5.0);
        const FrameRef frame = shown();
        QVERIFY(frame);
        ClipScheduler schedule;
        schedule.setGrid(window.grid());
        QVERIFY(schedule.show(frame->epoch, frame->seconds));
        const auto request = schedule.take();
        const auto frames = framesOf(window.clipAt(request->epoch, request->tick));
        QCOMPARE(frames.size(), size_t(8));
        QVERIFY(frames.back() <= 150 && frames.back() >= 150 - 9);
        QCOMPARE(frames.front(), frames.back() - 31);
    }

    void newestIsPredictedAndTheOthersAreMissed()
    {
        ClipScheduler schedule;
        schedule.setGrid(ClipWish{4, 4, 2}.grid(30));  // a tick each 5 frames; due: 3, 5, 7, 9
        QVERIFY(!schedule.show(1, 14 / 30.0));
        QVERIFY(schedule.show(1, 15 / 30.0));
        QVERIFY(!schedule.show(1, 16 / 30.0));
        auto request = schedule.take();
        QCOMPARE(request->tick, 3);
        QCOMPARE(request->after, -1);
        for (int frame = 17; frame < 50; ++frame)
            schedule.show(1, frame / 30.0);
        schedule.predicted(*request);
        request = schedule.take();
        QCOMPARE(request->tick, 9);
        QCOMPARE(request->after, 3);
        schedule.predicted(*request);
        QVERIFY(!schedule.take());
        const ScheduleCounts counts = schedule.counts();
        QCOMPARE(counts.due, 4);
        QCOMPARE(counts.predicted, 2);
        QCOMPARE(counts.missed, 2);
        QCOMPARE(counts.fraction(), 0.5);
    }

    void everyClipIsPredictedInOrderWhilePlaybackWaits()
    {
        ClipScheduler schedule;
        schedule.setPolicy(ClipScheduler::Policy::Every);
        schedule.setGrid(ClipWish{1, 1, 2}.grid(30));
        std::vector<int64_t> ticks;
        int held = 0;
        for (int frame = 0; frame < 30;) {
            if (!schedule.mayShow(1, frame / 30.0)) {
                ++held;
                const auto request = schedule.take();
                QVERIFY(request);
                QVERIFY(!schedule.mayShow(1, frame / 30.0));  // also while it is predicted
                schedule.predicted(*request);
                ticks.push_back(request->tick);
                continue;
            }
            schedule.show(1, frame++ / 30.0);
        }
        QCOMPARE(held, 14);
        for (size_t i = 0; i < ticks.size(); ++i)
            QCOMPARE(ticks[i], static_cast<int64_t>(i));
        QCOMPARE(schedule.counts().missed, 0);
        QVERIFY(!schedule.mayShow(2, 0));  // the last of this lap before the next begins
    }

    void interruptedClipWaitsAgainUnlessANewerOneDoes()
    {
        ClipScheduler schedule;
        schedule.setGrid(ClipWish{1, 1, 1}.grid(30));
        schedule.show(1, 0);
        schedule.interrupted(*schedule.take());
        const auto again = schedule.take();
        QVERIFY(again);
        QCOMPARE(again->tick, 0);
        schedule.show(1, 1 / 30.0);
        schedule.interrupted(*again);
        QCOMPARE(schedule.take()->tick, 1);
        QCOMPARE(schedule.counts().missed, 1);
    }

    void seekMakesOneClipDueAndContinuesNothing()
    {
        ClipScheduler schedule;
        schedule.setGrid(ClipWish{1, 1, 1}.grid(30));
        schedule.show(1, 0);
        schedule.predicted(*schedule.take());
        QVERIFY(schedule.show(2, 10));
        QCOMPARE(schedule.counts().due, 2);
        const auto request = schedule.take();
        QCOMPARE(request->tick, 300);
        QCOMPARE(request->after, -1);
        schedule.gaveUp(*request);
        QCOMPARE(schedule.counts().missed, 1);
    }
};

ATTNSCOPE_EVENT_TEST(TestLiveWindow)
#include "tst_live_window.moc"
