// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace attnscope {

/// A forward pass that a GPU keeps as one piece of work (a CUDA graph): at small batches its kernels take less time than launching
/// them one by one. Random attentions repeat the draws of the pass that was recorded.
class CudaGraphPass {
public:
    /// Milliseconds of the whole pass, and inside attention, summed over layers.
    struct Lap {
        double totalMs = 0, attentionMs = 0;
    };
    virtual ~CudaGraphPass() = default;

    /// Runs it once more and waits for its end.
    virtual Lap run() = 0;
    /// What the last run answered.
    virtual at::Tensor logits() const = 0;
};

/// Records a pass over `input`. Throws Error or c10::Error where it cannot be recorded.
using PassRecorder = std::function<std::unique_ptr<CudaGraphPass>(const Classifier& classifier, const PreparedAttention& attention,
                                                                const at::Tensor& input, const std::stop_token& stop)>;

/// The recorder of a device; empty where passes cannot be recorded: on CPUs, and in builds without CUDA.
PassRecorder passRecorder(const at::Device& device);

struct Recording {
    std::unique_ptr<CudaGraphPass> pass;  ///< empty: there is none, and `note` says why
    std::string note;                    ///< a sentence's part for the run's notes
};

/// A recorded pass that was seen to answer what `classifier` answers without recording. Throws Cancelled.
Recording recorded(const PassRecorder& recorder, const Classifier& classifier, const PreparedAttention& attention,
                   const at::Tensor& input, const std::stop_token& stop);

}  // namespace attnscope
