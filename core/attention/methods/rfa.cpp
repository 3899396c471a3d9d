#include "core/attention/methods/rfa.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cuda_attention.h"
#include "core/attention/random_feature_kernel.h"
#include "core/attention/reparametrisation.h"
#include "core/attention/training_free/directions.h"
#include "core/base/error.h"

#include <cmath>

namespace attnscope {

namespace {

at::Tensor fourierFeatures(const at::Tensor& x, const at::Tensor& omega)
{
    const auto angle = at::matmul(x, omega.transpose(-1, -2));  // (B,H,N,S)
    return at::cat({angle.sin(), angle.cos()}, -1) * (1 / std::sqrt(double(omega.size(-2))));
}

at::Tensor unitLength(const at::Tensor& x)
{
    return x / x.norm(2, -1, true).clamp_min(1e-12);
}

/// Keeps the sign and raises the magnitude to `floor`: sin/cos estimates of a sum can vanish or become negative.
at::Tensor guarded(const at::Tensor& denominator, double floor)
{
    const auto sign = at::where(denominator < 0, -at::ones_like(denominator), at::ones_like(denominator));
    return sign * denominator.abs().clamp_min(floor);
}

class RandomFeatureAttention : public AttentionBackend {
public:
    RandomFeatureAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_unit(spec.choice("norm") == "unit")
        , m_floor(spec.real("floor"))
        , m_causal(spec.flag("causal"))
        , m_average(spec.choice("gate_form") == "average")
        , m_centerKeys(spec.flag("center_keys"))
        , m_ownKernels(spec.choice("kernel") == "auto")
        , m_sigma(context.parameter("sigma"))
    {
        if (m_unit)
            note("norm=unit is a different function than softmax on the given weights, because q and k are scaled "
                 "to length 1");
    }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto queries = double(s.queries), keys = double(s.keys);
        const auto width = double(s.width), values = double(2 * s.valueDim);
        const double output = double(s.keyGroups) * queries * (values + 2);
        return double(s.heads * m_samples) * (queries * width + keys * (width + values) + output);
    }

protected:
    at::Tensor computeGroups(const AttentionInput& in, NoiseSource& noise) const override
    {
        if (m_causal || in.gate.defined())
            throw UsageError("", "causal rfa cannot attend to the frames of a video one by one",
                             "remove causal and the gate");
        return compute(in, noise);
    }

    at::Tensor compute(const AttentionInput& input, NoiseSource& noise) const override
    {
        const AttentionInput in = centred(input);
        const auto omega = frequencies(in, noise);
        const auto key = m_centerKeys ? centredKeys(in.k, in.keyGroups) : in.k;
        const bool plain = !m_ownKernels || m_unit || m_causal || in.gate.defined();
        const CudaAttention* const cuda = plain ? nullptr : cudaAttention(in);
        if (!plain && (cuda != nullptr || fitsCpuKernels(in))) {
            AttentionInput centred = in;
            centred.k = key;
            return cuda != nullptr ? cuda->fourierFeatures(centred, omega, m_floor)
                                   : fourierFeaturesOnCpu(centred, omega, m_floor);
        }
        const auto [queries, keys, weights] = features(in, key, omega);
        if (m_causal || in.gate.defined())
            return recurrent(queries, keys.squeeze(2), in.v, in.gate);
        return featureRatio(queries, keys, in.v, guarded(featureDenominators(queries, keys), m_floor));
    }

    Cancellation computeCancellation(const AttentionInput& input, NoiseSource& noise) const override
    {
        const AttentionInput in = centred(input);
        if (m_causal || in.gate.defined())
            return {};
        const auto [queries, keys, weights] = features(in, m_centerKeys ? centredKeys(in.k, in.keyGroups) : in.k,
                                                       frequencies(in, noise));
        const auto sizes = featureDenominators(queries, keys).abs();  // φ(q)·φ(k) is at most 1
        return {sizes.numel(), (sizes < Cancellation::nearly * weights.sum(3).unsqueeze(2)).sum().item<int64_t>()};
    }

private:
    AttentionInput centred(const AttentionInput& in) const
    {
        return centerOf(spec()) == Center::None ? in : centredInput(in, tokenMeans(in, spec()));
    }

    struct Features {
        at::Tensor queries;  // (B,H,N,2S)
        at::Tensor keys;     // (B,H,G,M/G,2S), times their weights
        at::Tensor weights;  // (B,H,G,M/G,1)
    };

    Features features(const AttentionInput& in, const at::Tensor& key, const at::Tensor& omega) const
    {
        const auto queryHat = m_unit ? unitLength(in.q) : scaledInput(in.q, in.scale);
        const auto keyHat = m_unit ? unitLength(key) : scaledInput(key, in.scale);
        const auto keys = fourierFeatures(keyHat, omega).unflatten(2, {in.keyGroups, -1});
        if (m_unit && !in.keyLogWeights.defined())
            return {fourierFeatures(queryHat, omega), keys, at::ones_like(keys.narrow(-1, 0, 1))};
        if (m_unit) {
            const auto weights = relativeWeights(in.keyLogWeights.unsqueeze(-1).unflatten(2, {in.keyGroups, -1}));
            return {fourierFeatures(queryHat, omega), keys * weights, weights};
        }
        // e^{x·y} = e^{½‖x‖²} e^{½‖y‖²} E[φ(x)·φ(y)]: the query's factor cancels in the ratio, the key's does not.
        auto half = keyHat.square().sum(-1, true) * 0.5;
        if (in.keyLogWeights.defined())
            half = half + in.keyLogWeights.unsqueeze(-1);
        const auto weights = relativeWeights(half.unflatten(2, {in.keyGroups, -1}));
        return {fourierFeatures(queryHat, omega), keys * weights, weights};
    }

    /// e^x over the largest of a group's keys: (B,H,G,M/G,1).
    static at::Tensor relativeWeights(const at::Tensor& logarithms)
    {
        return (logarithms - logarithms.amax(-2, true)).exp();
    }

    /// ω (H,S,D)
    at::Tensor frequencies(const AttentionInput& in, NoiseSource& noise) const
    {
        const auto omega = sharedSamples(noise, directionsOf(spec()), {in.q.size(1), m_samples, in.q.size(3)},
                                         in.q.options());
        return m_sigma.defined() ? omega * sigmaFor(omega) : omega;
    }

    at::Tensor sigmaFor(const at::Tensor& omega) const
    {
        const auto sigma = m_sigma.to(omega.options());
        return sigma.dim() == 2 ? sigma.unsqueeze(1) : sigma;  // (H,D) → (H,1,D)
    }

    /// Token t sees keys 1 … t. S_t = g_t S_{t−1} + (1 − g_t) φ(k_t) v_tᵀ (the paper) or … + φ(k_t) v_tᵀ (`gate_form=sum`).
    at::Tensor recurrent(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& v,
                         const at::Tensor& gate) const
    {
        if (queries.size(2) != keys.size(2))
            throw UsageError("", "causal rfa needs as many queries as keys");
        auto state = at::zeros({keys.size(0), keys.size(1), keys.size(3), v.size(3)}, keys.options());
        auto total = at::zeros({keys.size(0), keys.size(1), keys.size(3), 1}, keys.options());
        std::vector<at::Tensor> outputs;
        for (int64_t t = 0; t < queries.size(2); ++t) {
            auto write = keys.select(2, t).unsqueeze(-1);  // (B,H,2S,1)
            if (gate.defined()) {
                const auto g = gate.select(2, t).unsqueeze(-1).unsqueeze(-1);
                write = m_average ? (1 - g) * write : write;
                state = g * state;
                total = g * total;
            }
            state = state + at::matmul(write, v.select(2, t).unsqueeze(-2));
            total = total + write;
            const auto query = queries.select(2, t).unsqueeze(-2);  // (B,H,1,2S)
            outputs.push_back(at::matmul(query, state) / guarded(at::matmul(query, total), m_floor));
        }
        return at::cat(outputs, 2);
    }

    int64_t m_samples;
    bool m_unit;
    double m_floor;
    bool m_causal, m_average, m_centerKeys, m_ownKernels;
    at::Tensor m_sigma;
};

}

BackendInfo rfaInfo()
{
    return {
        .name = "rfa",
        .title = "RFA",
        .help = "random Fourier features (sin and cos): linear, unbiased kernel, heavy-tailed ratio",
        .citation = "Peng et al., Random Feature Attention, ICLR 2021",
        .complexity = "O(S·(N+M)·D)",
        .random = true,
        .look = {Hue::Rfa, Mark::TriangleDown, {6, 3, 1.5, 3}},
        .options = {integerOption("samples", "random frequencies S; the feature map has 2S entries", 64, 1, 16384),
                    choiceOption("norm", "how the norms of q and k are handled",
                                 {{"exact", "kept; keys carry exp(½‖k‖²): estimates softmax", {}},
                                  {"unit", "scaled to 1, temperature learned: the published layer", {}}}),
                    advanced(realOption("floor", "minimum of the denominator, relative to the largest key weight",
                                        1e-6, 0, 1)),
                    advanced(flagOption("causal", "token t sees keys 1 to t only")),
                    advanced(choiceOption("gate_form", "how a gated layer forgets (only with a gate)",
                                          {{"average", "g·S + (1 − g)·φ(k)v, the paper", {}},
                                           {"sum", "g·S + φ(k)v, the authors' talk", {}}})),
                    centeringOptions()[0], centeringOptions()[1], directionsOption(),
                    advanced(flagOption("center_keys",
                                        "subtract the mean key first; this changes the features but not softmax")),
                    kernelOption(), keysOption(), seedOption()},
        .make = makeMethod<RandomFeatureAttention>,
        .dropIn = "rfa:center=both,prefix_attention=rows",
        .parameters = {"sigma"}};
}

}
