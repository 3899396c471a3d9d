#include "core/attention/methods/softmax.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"

namespace attnscope {

namespace {

/// Softmax over the keys that there are: for `sra` they are already reduced.
class SoftmaxAttention : public AttentionBackend {
public:
    SoftmaxAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_reference(spec.backend() == referenceBackend)
        , m_explicit(m_reference && spec.choice("form") == "explicit")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        return double(s.heads) * double(s.queries * s.keys) * double(s.width + s.valueDim);
    }

protected:
    bool takesHalf(const AttentionInput& in) const override { return !m_explicit && !in.keyLogWeights.defined(); }

    /// One call for all groups: they become part of the batch, where the queries are expanded without a copy for a single sample.
    at::Tensor computeGroups(const AttentionInput& in, NoiseSource& noise) const override
    {
        if (m_explicit || !m_reference || in.keyLogWeights.defined())
            return AttentionBackend::computeGroups(in, noise);
        const auto batch = in.q.size(0), groups = in.keyGroups;
        const auto split = [&](const at::Tensor& x) {
            return x.unflatten(2, {groups, -1}).transpose(1, 2).flatten(0, 1);
        };
        const auto queries = in.q.unsqueeze(1).expand({batch, groups, -1, -1, -1}).flatten(0, 1);  // (B·G,H,N,D)
        const auto out =
            fusedSoftmaxAttention(queries, split(in.k), split(in.v), in.scale).unflatten(0, {batch, groups});
        return out.permute({0, 2, 3, 1, 4});  // (B,H,N,G,Dv)
    }

    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        if (m_explicit)
            return at::matmul(attentionMatrix(in.q, in.k, in.scale, in.bias, in.keyLogWeights), in.v);
        return exactAttention(in);
    }

    AttentionPart computePart(const AttentionInput& in, NoiseSource&) const override { return exactPart(in); }

private:
    bool m_reference, m_explicit;
};

}

at::Tensor withKeyWeights(const at::Tensor& logits, const at::Tensor& keyLogWeights)
{
    return keyLogWeights.defined() ? logits + keyLogWeights.unsqueeze(-2) : logits;
}

AttentionInput withWeightChannel(AttentionInput in)
{
    if (!in.keyLogWeights.defined())
        return in;
    in.q = at::cat({in.q, at::ones_like(in.q.slice(3, 0, 1))}, 3);
    in.k = at::cat({in.k, (in.keyLogWeights / in.scale).unsqueeze(-1).to(in.k.scalar_type())}, 3);
    in.keyLogWeights = at::Tensor();
    return in;
}

namespace {

at::Tensor wide(const at::Tensor& x)
{
    return x.scalar_type() == at::kDouble ? x : x.to(at::kFloat);
}

at::Tensor logitsOf(const at::Tensor& q, const at::Tensor& k, double scale, const at::Tensor& bias,
                    const at::Tensor& keyLogWeights)
{
    const auto logits = at::matmul(wide(q) * scale, wide(k).transpose(-1, -2));  // (B,H,N,M)
    return withKeyWeights(bias.defined() ? logits + wide(bias) : logits, keyLogWeights);
}

}

at::Tensor attentionMatrix(const at::Tensor& q, const at::Tensor& k, double scale, const at::Tensor& bias,
                           const at::Tensor& keyLogWeights)
{
    return logitsOf(q, k, scale, bias, keyLogWeights).softmax(-1);
}

at::Tensor exactAttention(const AttentionInput& in)
{
    if (in.bias.defined() || (in.keyLogWeights.defined() && !fitsCpuKernels(in, KeyWeights::Taken))) {
        const auto mask = in.bias.defined() ? withKeyWeights(in.bias.unsqueeze(0), in.keyLogWeights)
                                            : in.keyLogWeights.unsqueeze(-2);
        return at::scaled_dot_product_attention(in.q, in.k, in.v, mask.to(in.q.scalar_type()), 0.0, false,
                                                in.scale);
    }
    if (fitsCpuKernels(in, KeyWeights::Taken) || fitsPairKernels(in))
        return softmaxOnCpu(in);
    return fusedSoftmaxAttention(in.q, in.k, in.v, in.scale);
}

AttentionPart exactPart(const AttentionInput& given)
{
    AttentionInput in = given;
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = wide(*x);
    if (!in.bias.defined() && fitsCpuKernels(in, KeyWeights::Taken))
        return softmaxPartOnCpu(in);
    const auto logits = logitsOf(in.q, in.k, in.scale, in.bias, in.keyLogWeights);
    return {at::matmul(logits.softmax(-1).nan_to_num(0), in.v), logits.logsumexp(-1)};
}

at::Tensor fusedSoftmaxAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double scale)
{
    return at::scaled_dot_product_attention(q, k, v, {}, 0.0, false, scale);
}

BackendInfo softmaxInfo()
{
    return {.name = "softmax",
            .title = "Softmax",
            .help = "exact attention over all keys; the reference for every error",
            .citation = "Vaswani et al., Attention Is All You Need, NeurIPS 2017",
            .complexity = "O(N·M·D)",
            .kind = AttentionKind::Exact,
            .tokenComplexity = {.time = 2, .memory = 1},
            .prefixSeesAll = true,
            .takesBias = true,
            .normaliser = true,
            .look = {Hue::Softmax, Mark::Disc, {}},
            .options =
                {computational(choiceOption(
                     "form", "how it is computed",
                     {{"fused",
                       "one pass that does not store the N×M matrix, with an Attnscope kernel on CPUs, otherwise "
                       "LibTorch's",
                       {}},
                      {"explicit", "with the N×M matrix in memory, as the papers measure it", {}}})),
                 keysOption()},
            .make = makeMethod<SoftmaxAttention>,
            .proposed = Proposed::ToCompare,
            .paperSettings = {"softmax", "softmax"}};
}

}
