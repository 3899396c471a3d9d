// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/leaderboard/leaderboard.h"
#include "core/run/classifier.h"
#include "core/run/observers.h"

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope {

/// What the attentions of a leaderboard are measured on: a network with its inputs, or one set of q, k and v.
class LeaderboardSubject {
public:
    virtual ~LeaderboardSubject() = default;

    /// Fills in what the report says of it: model or source, inputs, unreadable ones.
    virtual void describe(LeaderboardReport& report) const = 0;
    /// What errors and times are relative to.
    [[nodiscard]] virtual AttentionSpec exact() const = 0;
    /// The specification over the keys that exact attention has here.
    [[nodiscard]] virtual AttentionSpec overItsKeys(const AttentionSpec& spec) const { return spec; }
    /// Throws UsageError if it does not fit. Tensors have a single layer here, whose batch are the layers of the file.
    [[nodiscard]] virtual PreparedAttention prepare(const AttentionSpec& spec) const = 0;
    [[nodiscard]] virtual std::size_t inputs() const { return 1; }
    /// A pass of exact attention on one input: `visit` sees q, k, v and output of every layer. The output is the network's, undefined for tensors.
    virtual at::Tensor exactPass(std::size_t input, PreparedAttention& exact, const LayerVisitor::Visit& visit,
                                 const std::stop_token& stop) const = 0;
    /// The network's output on one input with another attention in all layers; undefined for tensors.
    [[nodiscard]] virtual at::Tensor pass(std::size_t input, PreparedAttention& attention, const std::stop_token& stop) const = 0;
    /// Null for tensors.
    [[nodiscard]] virtual const Classifier* network() const { return nullptr; }
    [[nodiscard]] virtual at::Device device() const = 0;
    /// For the random numbers of an input.
    virtual void drawFor(std::size_t input, PreparedAttention& attention) const = 0;
};

/// Opens all inputs. Throws UsageError if none can be read.
[[nodiscard]] std::unique_ptr<LeaderboardSubject> networkSubject(const Classifier& classifier, const std::vector<InputSource>& inputs,
                                                                 std::uint64_t seed);
/// q, k and v, each (layers,heads,tokens,channels).
[[nodiscard]] std::unique_ptr<LeaderboardSubject> tensorSubject(AttentionInput input, std::string source, double temperature, std::uint64_t seed);

}  // namespace attnscope
