#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/training_free/token_merging.h"
#include "core/lab/scale/scale.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/nn/layers.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace attnscope {

/// A stack of encoder blocks (attention and an MLP of four times the width, each after a norm) with random weights, on tokens in a grid as
/// square as their number allows. The attention is a parameter: one encoder serves all. Its layers are optimized unless a backward pass is
/// requested.
class ScaleEncoder {
public:
    ScaleEncoder(const ScaleRequest& request, at::Device device, at::ScalarType type);

    struct Block {
        LayerWeights norm1, qkv, projection, norm2, fc1, fc2;
    };
    /// One attention per layer, created for `tokens` tokens, how many of them merge behind each, and the weights around it.
    struct Layers {
        std::vector<std::shared_ptr<AttentionBackend>> attention;
        MergePlan merging;
        std::vector<Block> blocks;
    };
    /// Throws UsageError if its options do not fit `tokens` tokens.
    Layers prepare(const AttentionSpec& spec, int64_t tokens) const;

    struct Meters {
        SectionTimer* attention = nullptr;
        AllocationMeter* memory = nullptr;
        int64_t attentionPeak = 0;
    };

    /// x (1,N,C) → (1,N,C), or where tokens merge fewer.
    at::Tensor forward(const at::Tensor& x, const Layers& layers, Meters& meters) const;
    /// Input tokens: normal random numbers.
    at::Tensor tokens(int64_t count) const;
    /// Whether a backward pass reaches the weights; only for encoders created with backward.
    void requireGradients(bool wanted);
    void clearGradients();

private:
    /// Visits every tensor of every block.
    template <typename Visit>
    void visitWeights(const Visit& visit);
    struct Attended {
        at::Tensor out;   ///< (1,N,C), before its projection
        at::Tensor keys;  ///< (1,H,N,D)
    };
    /// A layer's attention for tokens before their norm, which `merger` knows.
    Attended attention(const Block& block, const at::Tensor& x, const AttentionBackend& backend, int64_t layer,
                       const TokenMerger& merger, Meters& meters) const;

    int64_t m_width, m_heads;
    uint64_t m_seed;
    std::vector<Block> m_blocks;
    at::TensorOptions m_options;
    Execution m_execution;
};

/// rows × columns = count with sides as equal as possible; no grid (a line) if one side would be more than four times the other.
TokenLayout squarest(int64_t count);

}
