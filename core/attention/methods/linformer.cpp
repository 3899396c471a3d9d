#include "core/attention/methods/linformer.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <algorithm>

namespace attnscope {

namespace {

class LinformerAttention : public AttentionBackend {
public:
    LinformerAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_count(spec.integer("samples"))
    {
        m_keys = context.parameter("e");
        m_values = context.parameter(context.parameters.contains("f") ? "f" : "e");
        if (!m_keys.defined()) {
            note("without learned projections, keys and values are means of consecutive segments; intended for "
                 "training");
            return;
        }
        for (const at::Tensor* map : {&m_keys, &m_values})
            checkMap(*map, context);
        note("the checkpoint's own projections are used");
    }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto rows = double(m_keys.defined() ? m_keys.size(-2) : std::min(m_count, s.keys / s.keyGroups));
        const auto queries = double(s.queries), keys = double(s.keys);
        const auto width = double(s.width + s.valueDim), groups = double(s.keyGroups);
        const double projecting = m_keys.defined() ? rows * keys * width : 0;
        return double(s.heads) * (projecting + groups * rows * queries * width);
    }

    std::string whyNoKeyWeights() const override
    {
        return m_keys.defined() ? "its learned projections mix keys, so that keys cannot have weights"
                                : AttentionBackend::whyNoKeyWeights();
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        if (!m_keys.defined())
            return overSegments(in);
        if (m_keys.size(-1) != in.k.size(2))
            throw UsageError("",
                             "its learned projections are for " + std::to_string(m_keys.size(-1))
                                 + " tokens, and there are " + std::to_string(in.k.size(2)),
                             "use the number of tokens that it was trained with");
        return over(in, at::matmul(m_keys.to(in.k.options()), in.k),
                    at::matmul(m_values.to(in.v.options()), in.v));
    }

private:
    at::Tensor overSegments(const AttentionInput& in) const
    {
        const auto keys = weightedSegmentMeans(in.k, in.keyLogWeights, m_count);
        const auto values = weightedSegmentMeans(in.v, in.keyLogWeights, m_count).means;
        return at::matmul(attentionMatrix(in.q, keys.means, in.scale, {}, keys.logWeight), values);
    }

    /// With few keys the explicit form is as fast as the fused one.
    static at::Tensor over(const AttentionInput& in, const at::Tensor& keys, const at::Tensor& values)
    {
        return at::matmul(attentionMatrix(in.q, keys, in.scale), values);
    }

    void checkMap(const at::Tensor& map, const BackendContext& context) const
    {
        const bool fits = (map.dim() == 2 || (map.dim() == 3 && map.size(0) == context.heads))
                          && map.sizes() == m_keys.sizes();
        if (!fits)
            throw UsageError(
                "linformer", "the learned projection is " + describeShape(map.sizes()),
                "it should be (samples, tokens), optionally per head, with the same shape for `e` and `f`");
    }

    int64_t m_count;
    at::Tensor m_keys, m_values;  // (L,M) or (H,L,M)
};

}

BackendInfo linformerInfo()
{
    return {
        .name = "linformer",
        .title = "Linformer",
        .help =
            "softmax over a few learned mixtures of keys and values; segment means if no mixtures were learned",
        .citation = "Wang et al., Linformer: Self-Attention with Linear Complexity, 2020",
        .complexity = "O(L·(N+M)·D)",
        .kind = AttentionKind::NeedsTraining,
        .landmarks = true,
        .look = {Hue::Linformer, Mark::Plus, {3, 3}},
        .options = {integerOption("samples", "number of projected keys L, if the weights have no projection", 64,
                                  1, 16384),
                    keysOption()},
        .make = makeMethod<LinformerAttention>,
        .published =
            {{1024, 1.36, 0.46}, {2048, 0.63, 0.2}, {3072, 0.3, 0.12}, {4096, 0.18, 0.09}, {8192, 0.07, 0.04}},
        .parameters = {"e", "f"}};
}

}
