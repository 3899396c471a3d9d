#include "core/lab/scale/scale_encoder.h"

#include "core/attention/backend_info.h"
#include "core/attention/landmarks.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double normEps = 1e-6;

}

TokenLayout squarest(int64_t count)
{
    auto rows = int64_t(std::sqrt(double(count)));
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
    , m_execution(request.backward ? Execution::Reference : Execution::Optimized)
{
    const int64_t c = m_width;
    for (int64_t layer = 0; layer < request.layers; ++layer) {
        SeededNoise noise(request.seed, layer);
        const auto matrix = [&](const char* name, int64_t out, int64_t in) {
            const auto wide = noise.sharedNormal(name, {1, out, in}, at::TensorOptions(at::kFloat)).squeeze(0);
            return (wide / std::sqrt(double(in))).to(m_options);
        };
        const auto linearLayer = [&](const char* name, int64_t out, int64_t in) {
            return LayerWeights{.weight = matrix(name, out, in), .bias = at::zeros({out}, m_options)};
        };
        const auto normLayer = [&] {
            return LayerWeights{.weight = at::ones({c}, m_options), .bias = at::zeros({c}, m_options)};
        };
        m_blocks.push_back({normLayer(), linearLayer("qkv", 3 * c, c), linearLayer("proj", c, c), normLayer(),
                            linearLayer("fc1", 4 * c, c), linearLayer("fc2", c, 4 * c)});
        if (m_execution == Execution::Reference)
            continue;
        Block& block = m_blocks.back();
        for (LayerWeights* one : {&block.qkv, &block.projection, &block.fc1, &block.fc2})
            packLinear(*one, request.lengths.empty() ? 1 : request.lengths.front());
        for (LayerWeights* norm : {&block.norm1, &block.norm2})
            packNorm(*norm);
    }
}

ScaleEncoder::Layers ScaleEncoder::prepare(const AttentionSpec& spec, int64_t tokens) const
{
    const BackendContext context{m_heads, m_width / m_heads, squarest(tokens), {}},
        line{m_heads, m_width / m_heads, {}, {}};
    const AttentionSpec resolved = spec.resolved(AttentionSpec::explicitReference(), int64_t(m_blocks.size()));
    requireMergeable(resolved, tokens, 0);
    Layers layers{.blocks = m_blocks};
    if (resolved.weights() != WeightStorage::Own) {
        if (m_execution == Execution::Reference)
            throw UsageError(spec.canonical(),
                             "a backward pass needs weights that can change, and those in 8 bits can't",
                             "leave out `;weights=`, or --backward");
        for (Block& block : layers.blocks)
            for (LayerWeights* layer : {&block.qkv, &block.projection, &block.fc1, &block.fc2})
                *layer = int8Layer(*layer, m_execution);
    }
    if (resolved.tokens().merges())
        layers.merging = {resolved.tokens().schedule(std::ssize(m_blocks)), resolved.tokens().order()};
    for (int64_t layer = 0; layer < std::ssize(m_blocks); ++layer)
        layers.attention.push_back(layers.merging.mergesBefore(layer)
                                       ? makeBehindMerging(resolved.layer(layer), line, resolved)
                                       : makeBackend(resolved.layer(layer), context));
    return layers;
}

at::Tensor ScaleEncoder::tokens(int64_t count) const
{
    SeededNoise noise(m_seed, 1 << 20);
    return noise.sharedNormal("tokens", {1, count, m_width}, at::TensorOptions(at::kFloat)).to(m_options);
}

template <typename Visit>
void ScaleEncoder::visitWeights(const Visit& visit)
{
    for (Block& b : m_blocks)
        for (LayerWeights* layer : {&b.norm1, &b.qkv, &b.projection, &b.norm2, &b.fc1, &b.fc2})
            for (at::Tensor* x : {&layer->weight, &layer->bias})
                if (x->defined())
                    visit(*x);
}

void ScaleEncoder::requireGradients(bool wanted)
{
    visitWeights([wanted](at::Tensor& x) { x.requires_grad_(wanted); });
}

void ScaleEncoder::clearGradients()
{
    visitWeights([](at::Tensor& x) { x.mutable_grad() = at::Tensor(); });
}

ScaleEncoder::Attended ScaleEncoder::attention(const Block& block, const at::Tensor& x,
                                               const AttentionBackend& backend, int64_t layer,
                                               const TokenMerger& merger, Meters& meters) const
{
    const int64_t count = x.size(1), width = m_width / m_heads;
    const auto qkv = normedLinear(x, block.norm1, normEps, block.qkv)
                         .reshape({1, count, 3, m_heads, width})
                         .permute({2, 0, 3, 1, 4});
    const AttentionInput in{.q = qkv[0],
                            .k = qkv[1],
                            .v = qkv[2],
                            .scale = 1 / std::sqrt(double(width)),
                            .tokens = merger.layout(),
                            .keyLogWeights = merger.keyLogWeights(m_heads)};
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
    return {out.transpose(1, 2).reshape({1, count, m_width}), in.k};
}

at::Tensor ScaleEncoder::forward(const at::Tensor& tokens, const Layers& layers, Meters& meters) const
{
    TokenMerger merger(layers.merging, squarest(tokens.size(1)));
    auto x = tokens;
    for (size_t i = 0; i < layers.blocks.size(); ++i) {
        const Block& b = layers.blocks[i];
        const auto layer = int64_t(i);
        const auto [attended, keys] = attention(b, x, *layers.attention[i], layer, merger, meters);
        const BlockEnd end{b.projection, b.norm2, b.fc1, b.fc2, normEps};
        x = layers.merging.merges()
                ? finishMlp(merger.merge(layer, linearAdded(x, attended, b.projection), keys), end)
                : finishBlock(x, attended, end);
    }
    return x;
}

}
