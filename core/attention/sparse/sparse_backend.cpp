#include "core/attention/sparse/sparse_backend.h"

#include "core/attention/fused/cpu_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

class PatternSets : public KeySets {
public:
    PatternSets(std::shared_ptr<const KeyPattern> pattern, int64_t keys)
        : m_pattern(std::move(pattern))
        , m_keys(keys)
    {}

    int64_t setOf(int64_t element, int64_t head) const override { return m_pattern->setOf(element, head); }

    at::Tensor rows(int64_t set, int64_t begin, int64_t end) const override
    {
        auto seen = at::zeros({end - begin, m_keys}, at::kFloat);
        KeyRow row(m_pattern->keys());
        for (int64_t query = begin; query < end; ++query) {
            row.clear();
            m_pattern->list(set, query, row);
            float* const weights = seen.mutable_data_ptr<float>() + (query - begin) * m_keys;
            if (row.all())
                std::fill_n(weights, m_keys, 1.0f);
            for (size_t i = 0; i < row.keys().size(); ++i)
                if (row.keys()[i] < m_keys)
                    weights[row.keys()[i]] = float(std::exp(row.weights()[i]));
        }
        return seen;
    }

private:
    std::shared_ptr<const KeyPattern> m_pattern;
    int64_t m_keys;
};

}

std::shared_ptr<const KeySets> keySetsOf(std::shared_ptr<const KeyPattern> pattern, int64_t keys)
{
    return std::make_shared<PatternSets>(std::move(pattern), keys);
}

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

std::shared_ptr<const KeySets> SparseAttention::groupSets(const AttentionInput& in, NoiseSource& noise) const
{
    return keySetsOf(pattern(in, placesIn(in), noise), in.k.size(2));
}

double SparseAttention::countMultiplyAdds(const AttentionShape& s) const
{
    // The number of allowed keys hardly depends on what is drawn; contents are not asked for.
    AttentionInput sizes;
    sizes.q = at::empty({1, s.heads, s.queries, s.width}, at::kMeta);
    sizes.k = at::empty({1, s.heads, s.keys / s.keyGroups, s.width}, at::kMeta);
    sizes.tokens = m_tokens;
    SeededNoise noise(spec().seedOr(0), 0);
    const double pairs = estimatedPairs(*pattern(sizes, placesIn(sizes), noise), s.heads);
    return pairs * double(s.keyGroups) * double(s.width + s.valueDim);
}

}
