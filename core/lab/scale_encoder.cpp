// SPDX-License-Identifier: Apache-2.0
#include "core/lab/scale_encoder.h"

#include "core/attention/backend_info.h"
#include "core/attention/landmarks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attnscope {

TokenLayout squarest(std::int64_t count)
{
    std::int64_t rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
    while (rows > 1 && count % rows != 0)
        --rows;
    if (rows < 2 || count / rows > 4 * rows)
        return {};
    return {0, 1, rows, count / rows};
}

ScaleEncoder::ScaleEncoder(const ScaleRequest& request, at::Device device, at::ScalarType type)
    : m_width(request.width)
    , m_heads(request.heads)
    , m_seed(request.seed)
    , m_options(at::TensorOptions(device).dtype(type))
{
    const std::int64_t c = m_width;
    for (std::int64_t layer = 0; layer < request.layers; ++layer) {
        SeededNoise noise(request.seed, layer);
        const auto matrix = [&](const char* name, std::int64_t out, std::int64_t in) {
            const auto wide = noise.sharedNormal(name, {1, out, in}, at::TensorOptions(at::kFloat)).squeeze(0);
            return (wide / std::sqrt(static_cast<double>(in))).to(m_options);
        };
        const auto zeros = [&](std::int64_t n) { return at::zeros({n}, m_options); };
        const auto ones = [&](std::int64_t n) { return at::ones({n}, m_options); };
        m_blocks.push_back({ones(c), zeros(c), matrix("qkv", 3 * c, c), zeros(3 * c), matrix("proj", c, c),
                            zeros(c), ones(c), zeros(c), matrix("fc1", 4 * c, c), zeros(4 * c),
                            matrix("fc2", c, 4 * c), zeros(c)});
    }
}

std::vector<std::shared_ptr<AttentionBackend>> ScaleEncoder::prepare(const AttentionSpec& spec,
                                                                     std::int64_t tokens) const
{
    const BackendContext context{m_heads, m_width / m_heads, squarest(tokens), {}};
    const AttentionSpec resolved = spec.resolved(AttentionSpec::parse("softmax:form=explicit"),
                                                 static_cast<std::int64_t>(m_blocks.size()));
    std::vector<std::shared_ptr<AttentionBackend>> layers;
    for (std::size_t layer = 0; layer < m_blocks.size(); ++layer)
        layers.push_back(makeBackend(resolved.layer(static_cast<std::int64_t>(layer)), context));
    return layers;
}

at::Tensor ScaleEncoder::tokens(std::int64_t count) const
{
    SeededNoise noise(m_seed, 1 << 20);
    return noise.sharedNormal("tokens", {1, count, m_width}, at::TensorOptions(at::kFloat)).to(m_options);
}

void ScaleEncoder::requireGradients(bool wanted)
{
    for (Block& b : m_blocks)
        for (at::Tensor* x : {&b.norm1, &b.norm1Bias, &b.qkv, &b.qkvBias, &b.projection, &b.projectionBias,
                              &b.norm2, &b.norm2Bias, &b.fc1, &b.fc1Bias, &b.fc2, &b.fc2Bias})
            x->requires_grad_(wanted);
}

void ScaleEncoder::clearGradients()
{
    for (Block& b : m_blocks)
        for (at::Tensor* x : {&b.norm1, &b.norm1Bias, &b.qkv, &b.qkvBias, &b.projection, &b.projectionBias,
                              &b.norm2, &b.norm2Bias, &b.fc1, &b.fc1Bias, &b.fc2, &b.fc2Bias})
            x->mutable_grad() = at::Tensor();
}

at::Tensor ScaleEncoder::attention(const Block& block, const at::Tensor& x, const AttentionBackend& backend,
                                   std::int64_t layer, Meters& meters) const
{
    const std::int64_t count = x.size(1), width = m_width / m_heads;
    const auto qkv =
        at::linear(x, block.qkv, block.qkvBias).reshape({1, count, 3, m_heads, width}).permute({2, 0, 3, 1, 4});
    const AttentionInput in{.q = qkv[0],
                            .k = qkv[1],
                            .v = qkv[2],
                            .scale = 1 / std::sqrt(static_cast<double>(width)),
                            .tokens = squarest(count)};
    SeededNoise noise(backend.spec().seedOr(m_seed), layer);
    if (meters.attention != nullptr)
        meters.attention->begin();
    if (meters.memory != nullptr)
        meters.memory->beginSection();
    const auto out = backend.attend(in, noise);  // (1,H,N,D)
    if (meters.attention != nullptr)
        meters.attention->end();
    if (meters.memory != nullptr)
        meters.attentionPeak = std::max(meters.attentionPeak, meters.memory->sectionPeak());
    return at::linear(out.transpose(1, 2).reshape({1, count, m_width}), block.projection, block.projectionBias);
}

at::Tensor ScaleEncoder::forward(const at::Tensor& tokens,
                                 const std::vector<std::shared_ptr<AttentionBackend>>& layers,
                                 Meters& meters) const
{
    auto x = tokens;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const Block& b = m_blocks[i];
        const auto layer = static_cast<std::int64_t>(i);
        x = x + attention(b, at::layer_norm(x, {m_width}, b.norm1, b.norm1Bias, 1e-6), *layers[i], layer, meters);
        const auto hidden = at::gelu(
            at::linear(at::layer_norm(x, {m_width}, b.norm2, b.norm2Bias, 1e-6), b.fc1, b.fc1Bias));
        x = x + at::linear(hidden, b.fc2, b.fc2Bias);
    }
    return x;
}

}  // namespace attnscope
