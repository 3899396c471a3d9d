#include "core/attention/methods/positional.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/key_sets.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/kept_copies.h"
#include "core/attention/shapes.h"
#include "core/attention/token_distances.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// (H) → (H,1,1,1), for logits (B,H,G,n,M).
at::Tensor ofHeads(const at::Tensor& values)
{
    return values.view({-1, 1, 1, 1});
}

/// Tokens in order: each sees itself and those before it.
class EarlierKeys : public KeySets {
public:
    explicit EarlierKeys(int64_t tokens)
        : m_tokens(tokens)
    {}

    int64_t setOf(int64_t, int64_t) const override { return 0; }
    at::Tensor rows(int64_t, int64_t begin, int64_t end) const override
    {
        return at::ones({end - begin, m_tokens}, at::kFloat).tril(begin);
    }

private:
    int64_t m_tokens;
};

/// Exact softmax of logits that are changed by the distance of query and key, a block of queries at a time.
class PositionalAttention : public AttentionBackend {
public:
    explicit PositionalAttention(const AttentionSpec& spec)
        : AttentionBackend(spec)
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        return double(s.heads) * double(s.queries * s.keys) * double(s.width + s.valueDim);
    }

protected:
    virtual DistancePlaces places() const
    {
        return spec().choice("places") == "line" ? DistancePlaces::Line : DistancePlaces::Grid;
    }
    /// Keys 0 … n only for query n.
    virtual bool isCausal() const { return false; }
    virtual void refuseUnfit(const AttentionInput&) const {}
    /// logits (B,H,G,n,M), distances (n,M) in float64 → logits.
    virtual at::Tensor positioned(const at::Tensor& logits, const at::Tensor& distances) const = 0;

    bool takesGroups() const override { return true; }

    at::Tensor compute(const AttentionInput& input, NoiseSource&) const override
    {
        refuseUnfit(input);
        const AttentionInput in = withWeightChannel(input);
        const TokenDistances distances(in, parseDistanceMetric(spec().choice("metric")), places());
        const auto byGroup = [&](const at::Tensor& x) { return x.unflatten(2, {in.keyGroups, -1}); };
        const auto keys = byGroup(in.k).transpose(-1, -2) * in.scale,
                   values = byGroup(in.v);  // (B,H,G,D,M), (B,H,G,M,Dv)
        const int64_t queries = in.q.size(2), rows = blockOf(in.q.size(1) * keys.size(4));
        std::vector<at::Tensor> blocks;
        for (int64_t begin = 0; begin < queries; begin += rows) {
            const int64_t end = std::min(begin + rows, queries), seen = isCausal() ? end : keys.size(4);
            const auto query = in.q.slice(2, begin, end).unsqueeze(2);  // (B,H,1,n,D)
            auto logits = positioned(at::matmul(query, keys.slice(4, 0, seen)),
                                     distances.between(begin, end, seen));
            if (isCausal())
                logits = logits.masked_fill(laterKeys(begin, end, logits.device()),
                                            -std::numeric_limits<double>::infinity());
            blocks.push_back(at::matmul(logits.softmax(-1), values.slice(3, 0, seen)));  // (B,H,G,n,Dv)
        }
        const auto out = at::cat(blocks, 3);
        return in.keyGroups == 1 ? out.squeeze(2) : out.transpose(2, 3);
    }

private:
    /// Queries whose distances, with `keys` of them a query, stay within 2 MB: memory grows with N, not N².
    static int64_t blockOf(int64_t keys) { return std::clamp<int64_t>((1 << 18) / keys, 8, 256); }

    static at::Tensor laterKeys(int64_t begin, int64_t end, at::Device device)
    {
        const auto options = at::TensorOptions(at::kLong).device(device);
        return at::arange(end, options).unsqueeze(0) > at::arange(begin, end, options).unsqueeze(1);  // (n,M)
    }
};

class LinearBiasAttention : public PositionalAttention {
public:
    LinearBiasAttention(const AttentionSpec& spec, const BackendContext&)
        : PositionalAttention(spec)
        , m_slope(spec.real("slope"))
        , m_causal(spec.flag("causal"))
    {}

    /// Later keys are skipped if causal.
    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const double whole = PositionalAttention::countMultiplyAdds(s);
        return m_causal ? whole * double(s.queries + 1) / double(2 * s.queries) : whole;
    }

protected:
    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource&) const override
    {
        return m_causal ? std::make_shared<EarlierKeys>(in.k.size(2)) : nullptr;
    }

    bool isCausal() const override { return m_causal; }
    DistancePlaces places() const override
    {
        return m_causal ? DistancePlaces::Sequence : PositionalAttention::places();
    }

    void refuseUnfit(const AttentionInput& in) const override
    {
        if (m_causal && in.keyGroups > 1)
            throw UsageError("", "causal alibi has no order of the keys of " + counted(in.keyGroups, "frame"),
                             "leave out causal, or give one sequence of tokens");
        if (m_causal && in.q.size(2) != in.k.size(2))
            throw UsageError("", "causal alibi needs as many queries as keys",
                             "there are " + std::to_string(in.q.size(2)) + " queries and "
                                 + std::to_string(in.k.size(2)) + " keys");
    }

    at::Tensor positioned(const at::Tensor& logits, const at::Tensor& distances) const override
    {
        const auto slopes = copiedTo(at::tensor(alibiSlopes(logits.size(1)), at::kDouble),
                                     distances.options().dtype(at::kDouble))
                            * m_slope;
        return logits - (ofHeads(slopes) * distances).to(logits.scalar_type());
    }

private:
    double m_slope;
    bool m_causal;
};

class DistanceEnhancedAttention : public PositionalAttention {
public:
    DistanceEnhancedAttention(const AttentionSpec& spec, const BackendContext& context)
        : PositionalAttention(spec)
        , m_alpha(perHead(context, "alpha"))
        , m_beta(perHead(context, "beta"))
        , m_relu(spec.flag("relu"))
    {
        // e^β is a factor of float32 logits.
        if (m_beta.max().item<double>() > 80)
            throw UsageError(
                "", "the largest of the recorded `beta` is " + toText(OptionValue(m_beta.max().item<double>())),
                "80 is the most");
    }

protected:
    at::Tensor positioned(const at::Tensor& logits, const at::Tensor& distances) const override
    {
        const auto perHead = [&](const at::Tensor& x) {
            return ofHeads(copiedTo(x, distances.options().dtype(x.scalar_type())));
        };
        const auto alpha = perHead(m_alpha), beta = perHead(m_beta);
        // As a sigmoid it is finite for any distance: e^(β − R) overflows.
        const auto factor = (alpha * distances).sub_(beta).sigmoid_().mul_(beta.exp() + 1);  // (H,1,n,M)
        return (m_relu ? logits.relu() : logits) * factor.to(logits.scalar_type());
    }

private:
    at::Tensor perHead(const BackendContext& context, const char* name) const
    {
        const at::Tensor recorded = context.parameter(name);
        if (!recorded.defined())
            return at::full({context.heads}, spec().real(name), at::kDouble);
        if (recorded.sizes() != at::IntArrayRef({context.heads}))
            throw UsageError("", std::string("the recorded `") + name + "` is " + describeShape(recorded.sizes()),
                             "it needs one number for each of " + counted(context.heads, "head"));
        return recorded.detach().to(at::kDouble);
    }

    at::Tensor m_alpha, m_beta;
    bool m_relu;
};

}

std::vector<double> alibiSlopes(int64_t heads)
{
    const auto power = int64_t(std::bit_floor(uint64_t(heads)));
    std::vector<double> slopes;
    for (int64_t h = 0; h < power; ++h)
        slopes.push_back(std::exp2(-8.0 * double(h + 1) / double(power)));
    for (int64_t h = 0; power + h < heads; ++h)
        slopes.push_back(std::exp2(-8.0 * double(2 * h + 1) / double(2 * power)));
    return slopes;
}

BackendInfo alibiInfo()
{
    return {.name = "alibi",
            .title = "ALiBi",
            .help = "softmax with a bias that falls linearly with the distance of query and key",
            .citation = "Press et al., Train Short, Test Long, ICLR 2022",
            .complexity = "O(N·M·D)",
            .kind = AttentionKind::OtherKernel,
            .tokenComplexity = {.time = 2, .memory = 1},
            .everyKey = false,
            .look = {Hue::Softmax, Mark::Arrow, {8, 2, 2, 2}},
            .options = {realOption("slope", "factor of the published slopes of the heads", 1, 0, 1024),
                        metricOption(), placesOption(),
                        advanced(flagOption("causal",
                                            "token t sees tokens 1 to t only, all in one sequence: as published")),
                        keysOption()},
            .make = makeMethod<LinearBiasAttention>};
}

BackendInfo distanceInfo()
{
    OptionInfo relu = flagOption("relu", "raise negative logits to 0 first, as published");
    relu.defaultValue = true;
    return {.name = "distance",
            .title = "Distance-enhanced",
            .help = "softmax of logits multiplied by a function of the distance of query and key",
            .citation = "Wu et al., DA-Transformer: Distance-aware Transformer, NAACL 2021",
            .complexity = "O(N·M·D)",
            .kind = AttentionKind::OtherKernel,
            .tokenComplexity = {.time = 2, .memory = 1},
            .everyKey = false,
            .look = {Hue::Ra, Mark::Dome, {2, 2, 8, 2}},
            .options = {realOption("alpha", "factor of distances; below 0: logits of distant keys move towards 0",
                                   -0.5, -1024, 1024),
                        realOption("beta", "logits grow up to 1 + e^beta times for a positive alpha", 1, -20, 20),
                        std::move(relu), metricOption(), placesOption(), keysOption()},
            .make = makeMethod<DistanceEnhancedAttention>,
            .recordedParameters = {"alpha", "beta"}};
}

}
