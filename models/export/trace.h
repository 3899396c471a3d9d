#pragma once

#include "core/run/classifier.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>

/// What a network computes, as LibTorch's own graph of operators: recorded while it computes.
namespace attnscope {

/// The operators of one forward pass in their order. A node's scope says which part of the network it belongs to: "block.3.attn".
struct Trace {
    std::shared_ptr<torch::jit::Graph> graph;
    at::Tensor input, output;
};

/// Records a pass over `input` (B,3,H,W), by the operators that are also used for training: none of our kernels, which LibTorch doesn't
/// see. `prepared` must have been used before, so that what is computed once is a constant.
Trace traced(const Classifier& network, const PreparedAttention& prepared, const at::Tensor& input);

/// The same operators on another input of the same shape.
at::Tensor replayed(const Trace& trace, const at::Tensor& input);

/// The pass that is recorded: the network's output for `input`.
at::Tensor differentiablePass(const Classifier& network, const PreparedAttention& prepared,
                              const at::Tensor& input, ForwardObserver* observer = nullptr);

}
