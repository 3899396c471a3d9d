#pragma once

#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace attnscope {

/// A forward pass recorded as one unit of work for the GPU (a CUDA graph): at small batch sizes its kernels take less time than launching
/// them one by one. Random attentions repeat the random numbers of the recorded pass.
class CudaGraphPass {
public:
    /// Milliseconds of the whole pass, and of attention, summed over layers.
    struct PassTiming {
        double totalMs = 0, attentionMs = 0;
    };
    virtual ~CudaGraphPass() = default;

    /// Runs the pass again and waits for it.
    virtual PassTiming run() = 0;
    /// The output of the last run.
    virtual at::Tensor logits() const = 0;
};

/// Records a pass over `input`. Throws Error or c10::Error if it can't be recorded.
using PassRecorder =
    std::function<std::unique_ptr<CudaGraphPass>(const Classifier& classifier, const PreparedAttention& attention,
                                                 const at::Tensor& input, const std::stop_token& stop)>;

/// The recorder of a device; empty if passes can't be recorded: on CPUs, and without libattnscope-cuda.so.
PassRecorder passRecorder(const at::Device& device);

struct Recording {
    std::unique_ptr<CudaGraphPass> pass;  ///< empty: not recorded, for the reason in `note`
    std::string note;                     ///< a clause for the run's notes
};

/// Records a pass and checks that its output equals that of `classifier` without recording. Throws Cancelled.
Recording recorded(const PassRecorder& recorder, const Classifier& classifier, const PreparedAttention& attention,
                   const at::Tensor& input, const std::stop_token& stop);

}
