#pragma once

#include "core/measure/measurements.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace attnscope {

/// Time spent between begin and end, summed over sections: measured by a steady clock on the CPU, by events on a GPU, which do not make the
/// host wait during the forward pass.
class SectionTimer {
public:
    explicit SectionTimer(at::Device device);

    void begin();
    void end();
    /// Milliseconds of all sections since the last call. Waits for the device.
    double take();

private:
    using Clock = std::chrono::steady_clock;

    c10::Event recorded() const;

    at::Device m_device;
    Clock::time_point m_begin;
    double m_sum = 0;
    std::vector<c10::Event> m_events;  // begin, end, begin, end …
};

/// The timings of one alternative, collected one by one.
struct TimingSamples {
    std::vector<double> totalMs, attentionMs;
    std::vector<double> roundsMs = {}, attentionRoundsMs = {};
    size_t rounded = 0;  ///< passes in `roundsMs`

    /// The passes since the last call become one time, their median. The first 1000 rounds are kept.
    void endRound();
    /// Medians, 5th and 95th percentiles.
    Latency summary() const;
    double seconds() const;
    /// The documented rule: this number of repetitions and at least this many seconds.
    bool enough(int64_t repetitions, double atLeastSeconds) const;
};

/// Passes per round, so that an alternative ten times as fast takes ten turns where the slow one takes one, and all of them have enough (see
/// `TimingSamples::enough`) after about the same number of rounds.
int64_t timingsPerRound(double passMs, int64_t repetitions, double atLeastSeconds);

/// Times alternatives by turns: calls timePass(i) for each of `turn` once a round, every round in another order, so that none always follows the
/// same neighbour's caches and what disturbs the machine disturbs all. After a round those for which done(i) holds leave, and
/// roundEnd(how many finished) is called.
template <std::invocable<size_t> TimePass, std::predicate<size_t> Done, std::invocable<size_t> RoundEnd>
void takeTurns(std::vector<size_t> turn, std::minstd_rand& order, const TimePass& timePass, const Done& done,
               const RoundEnd& roundEnd)
{
    while (!turn.empty()) {
        std::shuffle(turn.begin(), turn.end(), order);
        for (const size_t i : turn)
            timePass(i);
        roundEnd(std::erase_if(turn, done));
    }
}

template <std::invocable<size_t> TimePass, std::predicate<size_t> Done>
void takeTurns(std::vector<size_t> turn, std::minstd_rand& order, const TimePass& timePass, const Done& done)
{
    takeTurns(std::move(turn), order, timePass, done, [](size_t) {});
}

}
