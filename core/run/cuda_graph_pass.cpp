#include "core/run/cuda_graph_pass.h"

#include "core/base/error.h"
#include "core/device/torch_problem.h"
#include "core/run/observers.h"

namespace attnscope {

namespace {

/// Of logits, relative to their magnitude. Kernels may sum in another order; a pass that read stale memory is far outside.
constexpr double allowedDifference = 1e-2;

/// Whether two passes came to the same logits.
bool agree(const at::Tensor& expected, const at::Tensor& got)
{
    if (expected.sizes() != got.sizes())
        return false;
    const auto a = expected.to(at::kDouble), b = got.to(at::kDouble);
    const auto difference = (a - b).norm().item<double>(), size = a.norm().item<double>();
    return difference <= allowedDifference * size;  // false for NaN
}

Recording notRecorded(const std::string& why)
{
    return {nullptr, "the pass could not be recorded as a CUDA graph (" + why
                         + "), so its time includes launching kernels one by one"};
}

}

Recording recorded(const PassRecorder& recorder, const Classifier& classifier, const PreparedAttention& attention,
                   const at::Tensor& input, const std::stop_token& stop)
{
    StoppableObserver observer(stop);
    const auto expected = classifier.logits(input, attention, &observer).clone();
    try {
        std::unique_ptr<CudaGraphPass> pass = recorder(classifier, attention, input, stop);
        for (int run = 0; run < 2; ++run) {  // the second must not depend on what the first left behind
            pass->run();
            if (!agree(expected, pass->logits()))
                return notRecorded("its output differed");
        }
        return {std::move(pass), "timed as a CUDA graph, which is launched as a whole"};
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        return notRecorded(error.reason());
    } catch (const c10::Error& error) {
        return notRecorded(torchProblem(error));
    }
}

}
