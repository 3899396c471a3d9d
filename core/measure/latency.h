// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/measurements.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace attnscope {

/// Time spent between begin and end, summed over sections: a steady clock on the CPU, events on a GPU, which do not make the
/// host wait inside the forward pass.
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

/// The times of one alternative, collected lap by lap.
struct TimingSamples {
    std::vector<double> totalMs, attentionMs;

    /// Medians, 5th and 95th percentiles.
    Latency summary() const;
    double seconds() const;
    /// The product's rule: that many repetitions or that many seconds, whichever is more.
    bool enough(std::int64_t repetitions, double atLeastSeconds) const;
};

}  // namespace attnscope
