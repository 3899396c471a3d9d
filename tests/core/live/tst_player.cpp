#include "core/base/error.h"
#include "core/live/player.h"
#include "tests/core/live/synthetic_source.h"
#include "tests/support/test_class.h"

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

using namespace attnscope;
using namespace attnscope::test;
using namespace std::chrono_literals;

namespace {

using Clock = Player::Clock;

int numberOf(const FrameRef& frame)
{
    return test::numberOf(frame->rgb.data());
}

/// Asks as a screen would, for `time`, until `enough` says so; the numbers of the frames in the order in which they were shown.
template <typename Enough>
std::vector<int> watch(Player& player, std::chrono::milliseconds time, Enough enough)
{
    std::vector<int> numbers;
    const auto until = Clock::now() + time;
    while (Clock::now() < until && !enough(numbers)) {
        if (const FrameRef frame = player.frameToShow(Clock::now()))
            numbers.push_back(numberOf(frame));
        std::this_thread::sleep_for(2ms);
    }
    return numbers;
}

std::vector<int> watch(Player& player, std::chrono::milliseconds time)
{
    return watch(player, time, [](const auto&) { return false; });
}

/// The next frame that is shown; −1 when none comes.
int next(Player& player)
{
    const auto numbers = watch(player, 3s, [](const auto& seen) { return !seen.empty(); });
    return numbers.empty() ? -1 : numbers.front();
}

bool isAscending(const std::vector<int>& numbers)
{
    return std::is_sorted(numbers.begin(), numbers.end(), [](int a, int b) { return a <= b; })
           || numbers.size() < 2;
}

/// Remembers what the decoding thread shows it.
struct Witness : FrameSink {
    std::mutex mutex;
    std::vector<double> seen;
    int begun = 0, ended = 0;
    double wanted = 0.5;  ///< seconds before a moment
    double reach() const override { return wanted; }
    void begin(const SourceInfo&, uint64_t) override
    {
        const std::lock_guard lock(mutex);
        ++begun;
        seen.clear();
    }
    bool wants(double) override { return true; }
    void take(const Frame& frame) override
    {
        const std::lock_guard lock(mutex);
        seen.push_back(frame.seconds);
    }
    void end() override
    {
        const std::lock_guard lock(mutex);
        ++ended;
    }
    std::vector<double> all()
    {
        const std::lock_guard lock(mutex);
        return seen;
    }
};

}

class TestPlayer : public QObject {
    Q_OBJECT
private slots:
    void firstFrameIsShownWithoutPlaying()
    {
        Player player(opens({}));
        QCOMPARE(next(player), 0);
        QCOMPARE(watch(player, 60ms).size(), size_t(0));
        QCOMPARE(player.state().phase, PlayerState::Phase::Ready);
        QCOMPARE(*player.state().length, 3.0);
    }

    void everyFrameIsShownOnceInOrderAtItsTime()
    {
        Player player(opens({.frames = 30}));
        QCOMPARE(next(player), 0);
        player.play();
        const auto begun = Clock::now();
        const auto numbers = watch(player, 5s, [&](const auto&) { return player.state().ended; });
        const double took = std::chrono::duration<double>(Clock::now() - begun).count();
        QVERIFY(isAscending(numbers));
        QCOMPARE(int(numbers.size()) + int(player.state().dropped), 29);
        QCOMPARE(numbers.back(), 29);
        QVERIFY2(std::abs(took - 1.0) < 0.15, qPrintable(QString::number(took)));  // 30 frames of a thirtieth
    }

    void speedChangesHowLongItTakes_data()
    {
        columns<double, double>("speed", "seconds");
        row("quarter", 0.25, 1.2);
        row("double", 2.0, 0.15);
        row("ten is taken for four", 10.0, 0.075);
    }
    void speedChangesHowLongItTakes()
    {
        QFETCH(double, speed);
        QFETCH(double, seconds);
        Player player(opens({.frames = 9}));
        QCOMPARE(next(player), 0);
        player.setSpeed(speed);
        player.play();
        const auto begun = Clock::now();
        watch(player, 5s, [&](const auto&) { return player.state().ended; });
        const double took = std::chrono::duration<double>(Clock::now() - begun).count();
        QVERIFY2(took > seconds - 0.02 && took < seconds * 1.25 + 0.12, qPrintable(QString::number(took)));
    }

    void pauseHoldsTheFrameAndPlayGoesOnWithTheNext()
    {
        Player player(opens({}));
        QCOMPARE(next(player), 0);
        player.play();
        const auto before = watch(player, 300ms);
        player.pause();
        const int last = before.back();
        QCOMPARE(watch(player, 150ms).size(), size_t(0));
        player.play();
        QCOMPARE(next(player), last + 1);
    }

    void seekIsExactAndStaysPaused()
    {
        Player player(opens({}));
        QCOMPARE(next(player), 0);
        for (const int wanted : {45, 44, 89, 0, 30}) {
            player.seek(wanted / 30.0 + 0.01);
            QCOMPARE(next(player), wanted);
            QVERIFY(!player.state().playing);
            QVERIFY(!player.state().seeking);
        }
        player.seek(1e6);
        QCOMPARE(next(player), 89);
        player.seek(-5);
        QCOMPARE(next(player), 0);
    }

    void seekFindsTheFrameThatLastsLong()
    {
        // Shown at 4.0 is the frame of 0.1, which lasts until 5: no frame lies near the target.
        SourceHabits habits{.frames = 5, .rate = 30};
        habits.times = {0, 0.05, 0.1, 5, 5.1};
        Witness sink;
        Player player(opens(habits), &sink);
        QCOMPARE(next(player), 0);
        player.seek(4);
        QCOMPARE(next(player), 2);
        player.setSpeed(4);
        player.play();
        QCOMPARE(next(player), 3);
    }

    void seekBeforeTheSourceIsOpenWaitsForIt()
    {
        Player player([](std::stop_token) -> std::unique_ptr<PlaySource> {
            std::this_thread::sleep_for(50ms);
            return std::make_unique<SyntheticSource>(SourceHabits{});
        });
        player.seek(1.0);
        QCOMPARE(watch(player, 300ms).back(), 30);
    }

    void newestOfManySeeksWins()
    {
        Player player(opens({.decodeMs = 1}));
        QCOMPARE(next(player), 0);
        for (int i = 0; i < 50; ++i)
            player.seek(i / 30.0 + 0.001, i % 2 == 0 ? Reach::Image : Reach::Sink);
        const auto numbers = watch(player, 300ms);
        QCOMPARE(numbers.back(), 49);
    }

    void seekDecodesWhatTheSinkNeedsBeforeIt()
    {
        Witness sink;
        Player player(opens({}), &sink);
        QCOMPARE(next(player), 0);
        player.seek(2.0);
        QCOMPARE(next(player), 60);
        const auto seen = sink.all();
        QVERIFY(seen.front() <= 1.5 && seen.front() > 1.4);
        for (size_t i = 1; i < seen.size(); ++i)
            QVERIFY(std::abs(seen[i] - seen[i - 1] - 1 / 30.0) < 1e-6);
        QVERIFY(seen.back() >= 2.0);
        player.seek(1.0, Reach::Image);
        QCOMPARE(next(player), 30);
        QVERIFY(sink.all().front() >= 1.0 - 1e-6);
    }

    void runUpConvertsOnlyWhatIsWanted()
    {
        struct Blind : Witness {
            bool wants(double) override { return false; }
        } sink;
        sink.wanted = 2.5;
        std::atomic<int> conversions{0};
        Player player(opens({}, &conversions), &sink, {.queue = 2});
        QCOMPARE(next(player), 0);
        QTRY_COMPARE(player.queued(), size_t(2));
        conversions = 0;
        player.seek(2.5);
        QCOMPARE(next(player), 75);
        QTRY_COMPARE(player.queued(), size_t(2));
        QCOMPARE_LE(conversions, 6);  // of 75 frames on the way
    }

    void stepsGoFrameByFrameBothWays()
    {
        Player player(opens({}));
        QCOMPARE(next(player), 0);
        player.seek(1.0);
        QCOMPARE(next(player), 30);
        player.step(1);
        QCOMPARE(next(player), 31);
        player.step(-1);
        QCOMPARE(next(player), 30);
        player.step(-1);
        QCOMPARE(next(player), 29);
        player.step(-3);
        QCOMPARE(watch(player, 300ms).back(), 26);
        player.step(4);
        QCOMPARE(watch(player, 200ms).back(), 30);
        player.seek(0);
        QCOMPARE(next(player), 0);
        player.step(-1);
        QCOMPARE(watch(player, 60ms).size(), size_t(0));
        player.seek(10);
        QCOMPARE(next(player), 89);
        player.step(3);
        QCOMPARE(watch(player, 60ms).size(), size_t(0));
        player.step(-1);
        QCOMPARE(next(player), 88);
    }

    void stepPausesPlayback()
    {
        Player player(opens({}));
        QCOMPARE(next(player), 0);
        player.play();
        watch(player, 200ms);
        player.step(1);
        watch(player, 50ms);
        QVERIFY(!player.state().playing);
        QCOMPARE(watch(player, 100ms).size(), size_t(0));
    }

    void loopGoesOnAtTheStart()
    {
        Player player(opens({.frames = 10}));
        player.setLoop(true);
        QCOMPARE(next(player), 0);
        player.setSpeed(4);
        player.play();
        const auto numbers = watch(player, 5s, [](const auto& seen) { return seen.size() >= 45; });
        QVERIFY(numbers.size() >= 45);
        int loops = 0;
        for (size_t i = 1; i < numbers.size(); ++i) {
            loops += numbers[i] < numbers[i - 1] ? 1 : 0;
            QVERIFY(numbers[i] > numbers[i - 1]
                    || numbers[i - 1] >= 7);  // at four times the speed a frame may be skipped
        }
        QVERIFY(loops >= 3);
        player.setLoop(false);
        watch(player, 3s, [&](const auto&) { return player.state().ended; });
        QVERIFY(player.state().ended);
        player.play();
        QCOMPARE(next(player), 0);
    }

    void endIsWhereTheSourceTurnsOutToEnd()
    {
        Player player(opens({.frames = 12, .knowsDuration = false}));
        QCOMPARE(next(player), 0);
        QVERIFY(!player.state().length);
        player.setSpeed(4);
        player.play();
        watch(player, 3s, [&](const auto&) { return player.state().ended; });
        QVERIFY(std::abs(*player.state().length - 0.4) < 1e-6);
    }

    void decodingStaysABoundedNumberOfFramesAhead()
    {
        std::atomic<int> conversions{0};
        Player player(opens({.frames = 10'000}, &conversions), nullptr, {.queue = 5, .shown = 2});
        QCOMPARE(next(player), 0);
        std::this_thread::sleep_for(100ms);
        QCOMPARE(player.queued(), size_t(5));
        QCOMPARE(conversions.load(), 6);
    }

    void framesHeldByTheScreenAreNotWrittenTo()
    {
        Player player(opens({}), nullptr, {.queue = 3, .shown = 3});
        std::vector<FrameRef> held;
        std::vector<std::vector<uint8_t>> copies;
        player.setSpeed(4);
        player.play();
        const auto until = Clock::now() + 500ms;
        while (Clock::now() < until) {
            if (FrameRef frame = player.frameToShow(Clock::now())) {
                if (held.size() == 2) {
                    QCOMPARE(held.front()->rgb, copies.front());
                    held.erase(held.begin());
                    copies.erase(copies.begin());
                }
                copies.push_back(frame->rgb);
                held.push_back(std::move(frame));
            }
            std::this_thread::sleep_for(1ms);
        }
        QVERIFY(player.state().shown > 20);
    }

    void slowDecodingSlowsPlaybackAndLosesNoFrame()
    {
        Player player(opens({.frames = 15, .decodeMs = 60}));
        QCOMPARE(next(player), 0);
        player.play();
        const auto numbers = watch(player, 5s, [&](const auto&) { return player.state().ended; });
        QCOMPARE(numbers.size(), size_t(14));
        QCOMPARE(player.state().dropped, 0);
    }

    void lateScreenDropsFramesAndSaysSo()
    {
        Player player(opens({}));
        QCOMPARE(next(player), 0);
        player.play();
        watch(player, 100ms);
        std::this_thread::sleep_for(200ms);
        watch(player, 50ms);
        QCOMPARE_GE(player.state().dropped, 3);
        QVERIFY(player.state().playing);
    }

    void gateHoldsPlaybackUntilItOpens()
    {
        Player player(opens({}));
        std::atomic<double> open{0.5};
        player.setGate([&](const Frame& frame) { return frame.seconds < open; });
        QCOMPARE(next(player), 0);
        player.play();
        QCOMPARE(watch(player, 900ms).back(), 14);
        QVERIFY(player.state().playing);
        open = 10;
        const auto after = watch(player, 200ms);
        QCOMPARE(after.front(), 15);
        QCOMPARE_LE(after.size(), 9);  // at its own speed, not all that was held at once
    }

    void cameraShowsTheNewestAndCannotSeek()
    {
        Player player(opens({.frames = 1'000'000, .decodeMs = 1, .live = true}), nullptr, {.queue = 3});
        player.play();
        QVERIFY(next(player) >= 0);
        std::this_thread::sleep_for(100ms);
        const int later = next(player);
        QCOMPARE_GT(later, 30);
        player.seek(0);
        QVERIFY(next(player) > later);
        player.pause();
        QCOMPARE(watch(player, 60ms).size(), size_t(0));
        player.play();
        QVERIFY(next(player) > later + 20);
    }

    void failureIsASentenceAndEndsPlaying()
    {
        Player opening([](std::stop_token) -> std::unique_ptr<PlaySource> {
            throw FileError("a.mp4", "is empty", "give a video");
        });
        QTRY_COMPARE(opening.state().phase, PlayerState::Phase::Failed);
        QCOMPARE(opening.problem(), "a.mp4: is empty; give a video.");
        Player player(opens({.failAt = 20}));
        player.play();
        const auto numbers = watch(
            player, 3s, [&](const auto&) { return player.state().phase == PlayerState::Phase::Failed; });
        QVERIFY(isAscending(numbers));
        QVERIFY(!player.problem().empty());
    }

    void destructionIsQuickAtAnyMoment()
    {
        std::mt19937 random(1);
        for (int i = 0; i < 60; ++i) {
            auto player = std::make_unique<Player>(opens({.decodeMs = i % 5}));
            if (i % 2 == 0)
                player->play();
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 12));
            player->frameToShow(Clock::now());
            if (i % 3 == 0)
                player->seek(double(random() % 3));
            const auto begun = Clock::now();
            player.reset();
            QVERIFY(Clock::now() - begun < 100ms);
        }
    }

    void fiveHundredRandomCommandsNeitherHangNorDisorder()
    {
        Witness sink;
        Player player(opens({.decodeMs = 1}), &sink);
        QCOMPARE(next(player), 0);
        std::mt19937 random(7);
        const auto many = [&](unsigned n) { return int(random() % n); };
        for (int i = 0; i < 500; ++i) {
            switch (many(8)) {
            case 0:
                player.play();
                break;
            case 1:
                player.pause();
                break;
            case 2:
                player.seek(many(40) / 10.0, many(2) == 0 ? Reach::Image : Reach::Sink);
                break;
            case 3:
                player.seekBy(many(20) / 10.0 - 1);
                break;
            case 4:
                player.step(many(5) - 2);
                break;
            case 5:
                player.setSpeed(many(40) / 10.0);
                break;
            case 6:
                player.setLoop(many(2) == 0);
                break;
            default:
                break;
            }
            const int asks = many(4);
            for (int ask = 0; ask < asks; ++ask) {
                if (const FrameRef frame = player.frameToShow(Clock::now()))
                    QCOMPARE(numberOf(frame), int(std::lround(frame->seconds * 30)));
                std::this_thread::sleep_for(std::chrono::milliseconds(many(4)));
            }
        }
        player.setLoop(false);
        player.pause();
        player.seek(1.0);
        const auto numbers = watch(player, 3s,
                                   [](const auto& seen) { return !seen.empty() && seen.back() == 30; });
        QCOMPARE(numbers.back(), 30);
        QCOMPARE(player.state().phase, PlayerState::Phase::Ready);
    }

    void commandsFromAnotherThreadAreSafe()
    {
        Player player(opens({}));
        player.setLoop(true);
        player.play();
        std::jthread other([&](std::stop_token stop) {
            std::mt19937 random(3);
            while (!stop.stop_requested()) {
                player.seek(double(random() % 3));
                player.setSpeed(1 + double(random() % 3));
                player.step(1);
                player.play();
                std::this_thread::sleep_for(3ms);
            }
        });
        watch(player, 700ms);
        other.request_stop();
        other.join();
        QVERIFY(player.state().shown > 20);
    }
};

ATTNSCOPE_EVENT_TEST(TestPlayer)
#include "tst_player.moc"
