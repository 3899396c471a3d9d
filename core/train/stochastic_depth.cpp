#include "core/train/stochastic_depth.h"

#include "core/base/error.h"
#include "core/base/random.h"

#include <algorithm>

namespace attnscope {

StochasticDepth::StochasticDepth(double rate, int64_t blocks, uint64_t seed, uint64_t step,
                                 std::vector<uint64_t> samples)
    : m_rate(rate)
    , m_blocks(blocks)
    , m_seed(seed)
    , m_step(step)
    , m_samples(std::move(samples))
{}

at::Tensor StochasticDepth::apply(const at::Tensor& residual, int64_t block, Branch branch) const
{
    const double drop = m_rate * double(block) / double(std::max<int64_t>(m_blocks - 1, 1));
    if (drop <= 0)
        return residual;
    if (residual.size(0) != int64_t(m_samples.size()))
        throw UsageError("", "stochastic depth has " + std::to_string(m_samples.size())
                                 + " samples for a batch of " + std::to_string(residual.size(0)));
    const auto kept = float(1 - drop);
    std::vector<float> factors(m_samples.size());
    const auto layer = uint32_t(2 * block + (branch == Branch::Mlp ? 1 : 0));
    for (size_t i = 0; i < factors.size(); ++i) {
        fillUniform({m_seed, layer, m_samples[i], streamPurpose("drop_path")}, m_step, {&factors[i], 1});
        factors[i] = factors[i] < kept ? 1 / kept : 0;
    }
    std::vector<int64_t> shape(size_t(residual.dim()), 1);
    shape[0] = residual.size(0);
    return residual * at::tensor(factors).reshape(shape).to(residual.options());
}

}
