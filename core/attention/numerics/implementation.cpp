#include "core/attention/numerics/implementation.h"

#include "core/attention/fused/cuda_attention.h"
#include "core/attention/numerics/fallbacks.h"

namespace attnscope {

namespace {

thread_local int64_t launched = 0;
thread_local int operatorsOnly = 0;

constexpr Fallback clauses[] = {
    {"Attnscope's CUDA kernels computed the attention"},
    {"LibTorch's fused softmax computed the attention"},
    {"LibTorch's operators computed the attention"},
    {"LibTorch's operators computed the attention, as the GPU could not launch Attnscope's kernels"},
    {"LibTorch's operators computed the attention (Attnscope's CUDA kernels take float32 and bfloat16)"},
    {"LibTorch's operators computed the attention (this build has no CUDA kernels of Attnscope's for this GPU)"}};

/// Whether there are any, whatever the attention.
bool hasKernels(const AttentionInput& in)
{
    const at::Tensor some = at::empty({1, 1, 1, 16}, in.q.options().dtype(at::kFloat));
    return cudaAttention({.q = some, .k = some, .v = some}) != nullptr;
}

}

KernelRefused::KernelRefused(const std::string& reason)
    : Unsupported("", "the GPU refused to compute the attention: " + reason,
                  "use kernel=plain for LibTorch operators")
{}

OperatorsOnly::OperatorsOnly()
{
    ++operatorsOnly;
}

OperatorsOnly::~OperatorsOnly()
{
    --operatorsOnly;
}

bool OperatorsOnly::isOn()
{
    return operatorsOnly > 0;
}

int64_t& launchedKernels()
{
    return launched;
}

const char* clauseOf(Implementation implementation, at::ScalarType type, bool hasKernels)
{
    const auto place = implementation != Implementation::Operators ? size_t(implementation)
                       : !hasKernels                               ? 5
                       : type == at::kHalf                         ? 4
                                                                   : 2;
    return clauses[place].clause;
}

void countImplementation(const AttentionInput& in, Implementation implementation)
{
    const bool byOperators = implementation == Implementation::Operators
                             || implementation == Implementation::FusedSoftmax;
    FallbackTally* const tally = FallbackTally::current();
    if (tally == nullptr || (byOperators && !in.q.is_cuda()))
        return;
    const char* const own = clauseOf(implementation, in.q.scalar_type(), byOperators && hasKernels(in));
    const int64_t heads = in.q.size(0) * in.q.size(1);
    for (const Fallback& each : clauses)  // so that heads are counted of all
        tally->add(each, each.clause == own ? heads : 0, heads);
}

}
