// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/run/classifier.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// Aborts a forward pass at the next layer when the user requests a stop.
class StoppableObserver : public ForwardObserver {
public:
    explicit StoppableObserver(std::stop_token stop);
    void beforeAttention(std::int64_t layer) override;

private:
    std::stop_token m_stop;
};

/// Counts denominators that nearly cancel, in all layers.
class CancellationObserver : public StoppableObserver {
public:
    CancellationObserver(std::stop_token stop, const PreparedAttention& attention, Cancellation& total);
    void afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output) override;

private:
    const PreparedAttention& m_attention;
    Cancellation& m_total;
};

/// Sums the time spent in attention.
class LatencyObserver : public StoppableObserver {
public:
    LatencyObserver(std::stop_token stop, at::Device device);
    void beforeAttention(std::int64_t layer) override;
    void afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output) override;
    double takeAttentionMs() { return m_timer.take(); }

private:
    SectionTimer m_timer;
};

/// The largest peak within one layer's attention, above the level at its entry.
class MemoryObserver : public StoppableObserver {
public:
    MemoryObserver(std::stop_token stop, AllocationMeter& meter);
    void beforeAttention(std::int64_t layer) override;
    void afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output) override;
    std::int64_t attentionPeak() const { return m_peak; }

private:
    AllocationMeter& m_meter;
    std::int64_t m_peak = 0;
};

/// Runs within a softmax forward pass ("teacher-forced"): passes the q, k, v of each layer to another backend, for several seeds.
class TeacherForcedObserver : public StoppableObserver {
public:
    /// `alternatives` is one prepared attention per seed.
    TeacherForcedObserver(std::stop_token stop, const std::vector<PreparedAttention>& alternatives, ErrorCollector& errors);
    void afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output) override;

private:
    const std::vector<PreparedAttention>& m_alternatives;
    ErrorCollector& m_errors;
};

/// Stores the output of every block, or compares it with that of another pass.
class BlockObserver : public StoppableObserver {
public:
    BlockObserver(std::stop_token stop, const std::vector<at::Tensor>* reference);
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override;

    const std::vector<at::Tensor>& blocks() const { return m_blocks; }
    /// ‖x − reference‖_F / ‖reference‖_F of each block's output.
    const std::vector<double>& drift() const { return m_drift; }

private:
    const std::vector<at::Tensor>* m_reference;
    std::vector<at::Tensor> m_blocks;
    std::vector<double> m_drift;
};

}  // namespace attnscope
