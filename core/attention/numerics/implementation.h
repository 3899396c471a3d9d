#pragma once

#include "core/attention/attention_backend.h"
#include "core/base/error.h"

#include <cstdint>
#include <string>

/// Which code computes an attention on a GPU: kernels of Attnscope where they can, else LibTorch's operators.
namespace attnscope {

/// A GPU cannot launch a kernel of Attnscope's: it lacks shared memory, or does not support the launch. Nothing was computed, and LibTorch's
/// operators can do it.
class KernelRefused : public Unsupported {
public:
    /// `reason`: CUDA's text.
    explicit KernelRefused(const std::string& reason);
};

/// While it lives, this thread's attentions are left to LibTorch's operators.
class OperatorsOnly {
public:
    OperatorsOnly();
    ~OperatorsOnly();
    OperatorsOnly(const OperatorsOnly&) = delete;
    OperatorsOnly& operator=(const OperatorsOnly&) = delete;

    static bool isOn();
};

/// How many kernels of Attnscope's this thread has launched.
int64_t& launchedKernels();

enum class Implementation { Kernels, FusedSoftmax, Operators, RefusedKernels };

/// What a run's notes say of it on a GPU, behind "in 72 of 72 heads". `hasKernels`: whether this build has kernels for the GPU.
const char* clauseOf(Implementation implementation, at::ScalarType type, bool hasKernels);

/// Counts in this thread's FallbackTally, if there is one, what computed an attention on a GPU.
void countImplementation(const AttentionInput& in, Implementation implementation);

/// `compute()`; where a GPU refuses to launch a kernel, once more by operators. `operators`: what they are without a refusal.
template <typename Compute>
auto byKernelsOrOperators(const AttentionInput& in, Implementation operators, const Compute& compute)
{
    const int64_t before = launchedKernels();
    try {
        auto result = compute();
        countImplementation(in, launchedKernels() > before ? Implementation::Kernels : operators);
        return result;
    } catch (const KernelRefused&) {
        const OperatorsOnly only;
        auto result = compute();
        countImplementation(in, Implementation::RefusedKernels);
        return result;
    }
}

}
