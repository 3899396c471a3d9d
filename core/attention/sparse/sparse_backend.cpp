// SPDX-License-Identifier: Apache-2.0
#include "core/attention/sparse/sparse_backend.h"

#include "core/attention/fused/cpu_attention.h"

namespace attnscope {

SparseAttention::SparseAttention(const AttentionSpec& spec, const BackendContext& context)
    : AttentionBackend(spec)
    , m_tokens(context.tokens)
    , m_kernel(spec.choice("kernel") == "auto" ? SparseKernel::Auto : SparseKernel::Plain)
{}

bool SparseAttention::takesHalf(const AttentionInput& in) const
{
    return m_kernel == SparseKernel::Auto && fitsPairKernels(in);
}

SparsePlaces SparseAttention::placesIn(const AttentionInput& in)
{
    return {in.q.size(2), in.k.size(2), in.tokens, in.keyTokens};
}

at::Tensor SparseAttention::compute(const AttentionInput& in, NoiseSource& noise) const
{
    return sparseSoftmax(in, pattern(in, placesIn(in), noise), m_kernel);
}

AllowedPairs SparseAttention::countAllowed(const AttentionInput& in, NoiseSource& noise) const
{
    return countPairs(*pattern(in, placesIn(in), noise), in.q.size(0), in.q.size(1));
}

double SparseAttention::multiplyAdds(const AttentionShape& s) const
{
    // The number of allowed keys hardly depends on what is drawn; contents are not asked for.
    AttentionInput sizes;
    sizes.q = at::empty({1, s.heads, s.queries, s.width}, at::kMeta);
    sizes.k = at::empty({1, s.heads, s.keys / s.keyGroups, s.width}, at::kMeta);
    sizes.tokens = m_tokens;
    SeededNoise noise(spec().seedOr(0), 0);
    const double pairs = estimatedPairs(*pattern(sizes, placesIn(sizes), noise), s.heads);
    return pairs * static_cast<double>(s.keyGroups) * static_cast<double>(s.width + s.valueDim);
}

}  // namespace attnscope
