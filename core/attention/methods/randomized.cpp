#include "core/attention/methods/randomized.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cuda_attention.h"
#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/random_feature_kernel.h"

namespace attnscope {

namespace {

enum class Mode { Unbiased, Biased, MeanKey };

Mode modeOf(const AttentionSpec& spec)
{
    const std::string& mode = spec.choice("mode");
    return mode == "biased" ? Mode::Biased : mode == "mean-key" ? Mode::MeanKey : Mode::Unbiased;
}

/// keys (B,H,M,D), index (B,H,n,S) → (B,H,n,S,D).
at::Tensor pick(const at::Tensor& keys, const at::Tensor& index)
{
    const auto n = index.size(2), samples = index.size(3), width = keys.size(3);
    const auto flat = index.reshape({index.size(0), index.size(1), n * samples, 1}).expand({-1, -1, -1, width});
    return keys.gather(2, flat).reshape({index.size(0), index.size(1), n, samples, width});
}

class RandomizedAttention : public AttentionBackend {
public:
    RandomizedAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_mode(modeOf(spec))
        , m_samples(spec.integer("samples"))
        , m_hyperbolic(spec.choice("features") == "hyperbolic")
        , m_block(spec.integer("block"))
        , m_ownKernels(spec.choice("kernel") == "auto")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const double pair = double(s.heads) * double(s.queries * s.keys);
        const auto width = double(s.width), valueDim = double(s.valueDim);
        const double mixture = m_mode == Mode::Unbiased ? width : m_mode == Mode::Biased ? 2 * width : 0;
        return pair * (mixture + double(m_samples) * (width + valueDim));
    }

    bool deterministic() const override { return m_mode != Mode::Unbiased && !stddev(1, false); }

protected:
    bool takesHalf(const AttentionInput& in) const override { return onCuda(in) != nullptr; }

    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        if (const CudaAttention* cuda = onCuda(in))
            return cuda->randomized(in, onCpu(noise.holds("eps"), in.q.size(3)), noise);
        if (m_ownKernels && !m_hyperbolic && fitsCpuKernels(in))
            return randomizedOnCpu(in, onCpu(noise.holds("eps"), in.q.size(3)), noise);
        const auto queryHat = scaledInput(in.q, in.scale), keyHat = scaledInput(in.k, in.scale);
        auto keyNorm = (keyHat.square().sum(-1) * 0.5).unsqueeze(-2);  // (B,H,1,M)
        if (in.keyLogWeights.defined())
            keyNorm = keyNorm - in.keyLogWeights.unsqueeze(-2);
        const Draws draws = draw(in, noise);
        std::vector<at::Tensor> outputs;
        const int64_t step = std::max<int64_t>(m_block / m_samples, 1);
        for (int64_t begin = 0; begin < in.q.size(2); begin += step) {
            const int64_t end = std::min(begin + step, in.q.size(2));
            outputs.push_back(
                attendBlock(queryHat.slice(2, begin, end), keyHat, keyNorm, in, draws.slice(begin, end)));
        }
        return at::cat(outputs, 2);
    }

private:
    const CudaAttention* onCuda(const AttentionInput& in) const
    {
        return m_ownKernels && !m_hyperbolic ? cudaAttention(in) : nullptr;
    }

    struct Draws {
        at::Tensor u;    // (B,H,N,S)
        at::Tensor eps;  // (B,H,N,S,D), already scaled

        Draws slice(int64_t begin, int64_t end) const
        {
            return {u.defined() ? u.slice(2, begin, end) : u, eps.defined() ? eps.slice(2, begin, end) : eps};
        }
    };

    std::optional<double> stddev(int64_t width, bool recorded) const
    {
        return noiseStddev(spec(), m_mode == Mode::Unbiased || is_training() || recorded, width);
    }

    CpuRandomized onCpu(bool recorded, int64_t width) const
    {
        CpuRandomized randomized{.samples = m_samples, .stddev = stddev(width, recorded)};
        randomized.mean = m_mode == Mode::Unbiased ? CpuRandomized::Mean::DrawnKey
                          : m_mode == Mode::Biased ? CpuRandomized::Mean::ExpectedKey
                                                   : CpuRandomized::Mean::PlainMeanKey;
        if (m_mode != Mode::Unbiased && !randomized.stddev)
            randomized.samples = 1;  // all would be equal
        return randomized;
    }

    Draws draw(const AttentionInput& in, NoiseSource& noise) const
    {
        const auto batch = in.q.size(0), heads = in.q.size(1), queries = in.q.size(2), width = in.q.size(3);
        Draws draws;
        if (m_mode == Mode::Unbiased)
            draws.u = noise.uniform("u", {batch, heads, queries, m_samples}, in.q.options());
        if (const auto scale = stddev(width, noise.holds("eps"))) {
            draws.eps = noise.normal("eps", {batch, heads, queries, m_samples, width}, in.q.options());
            if (*scale != 1)
                draws.eps = draws.eps * *scale;
        }
        return draws;
    }

    at::Tensor means(const at::Tensor& queryHat, const at::Tensor& keyHat, const at::Tensor& keyLogWeights,
                     const at::Tensor& u) const
    {
        if (m_mode == Mode::MeanKey)
            return (queryHat + weightedMean(keyHat, keyLogWeights)).unsqueeze(-2);
        const auto pi = attentionMatrix(queryHat, keyHat, 1, {}, keyLogWeights);  // (B,H,n,M)
        if (m_mode == Mode::Biased)
            return (queryHat + at::matmul(pi, keyHat)).unsqueeze(-2);
        return queryHat.unsqueeze(-2) + pick(keyHat, drawComponents(pi, u));
    }

    at::Tensor attendBlock(const at::Tensor& queryHat, const at::Tensor& keyHat, const at::Tensor& keyNorm,
                           const AttentionInput& in, const Draws& draws) const
    {
        auto omega = means(queryHat, keyHat, in.keyLogWeights, draws.u);  // (B,H,n,1 or S,D)
        if (draws.eps.defined())
            omega = omega + draws.eps;
        const auto n = omega.size(2), samples = omega.size(3);
        const auto rows = omega.reshape({omega.size(0), omega.size(1), n * samples, omega.size(4)});
        auto logits = at::matmul(rows, keyHat.transpose(-1, -2));  // (B,H,n·S,M)
        if (m_hyperbolic) {
            // ξ(q)·ξ(k) ∝ exp(−½‖k‖²) cosh(ω·(q + k)): q does not cancel here.
            const auto own =
                (omega * queryHat.unsqueeze(-2)).sum(-1).reshape({omega.size(0), omega.size(1), n * samples, 1});
            logits = logits + own;
            logits = at::logaddexp(logits, -logits);
        }
        const auto mixed = at::matmul((logits - keyNorm).softmax(-1), in.v);  // (B,H,n·S,Dv)
        return samples == 1 ? mixed
                            : mixed.reshape({mixed.size(0), mixed.size(1), n, samples, mixed.size(3)}).mean(3);
    }

    Mode m_mode;
    int64_t m_samples;
    bool m_hyperbolic;
    int64_t m_block;
    bool m_ownKernels;
};

}

BackendInfo randomizedInfo()
{
    return {
        .name = "ra",
        .title = "RA",
        .help = "randomized attention: a separate mixture of proposals for each query, unbiased but quadratic",
        .citation = "Zheng, Wang, Kong, Linear Complexity Randomized Self-attention Mechanism, ICML 2022",
        .complexity = "O(S·N·M·D)",
        .random = true,
        .tokenComplexity = {.time = 2, .memory = 1},
        .samplesPerQuery = true,
        .look = {Hue::Ra, Mark::Diamond, {1.5, 3}},
        .options = {choiceOption(
                        "mode", "how the proposal's mean is formed",
                        {{"unbiased", "a key drawn from the softmax weights: unbiased estimate of softmax", {}},
                         {"biased", "the softmax mean of the keys (equation 31)", {}},
                         {"mean-key", "the plain mean of the keys (authors' code)", {}}}),
                    integerOption("samples", "samples S per query", 1, 1, 1024), noiseOption(),
                    advanced(featuresOption()),
                    advanced(computational(integerOption(
                        "block", "samples processed at a time (queries times S); affects memory but not results",
                        128, 1, 65536))),
                    kernelOption(), keysOption(), seedOption()},
        .make = makeMethod<RandomizedAttention>,
        .dropIn = "ra:prefix_attention=rows",
        .paperSettings = {"", "ra:mode=biased,noise=none"},
        .published = {
            {1024, 1.81, 2.1}, {2048, 2.68, 2.45}, {3072, 2.55, 2.55}, {4096, 2.64, 2.59}, {8192, 2.79, 2.64}}};
}

}
