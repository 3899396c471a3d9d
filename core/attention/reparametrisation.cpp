#include "core/attention/reparametrisation.h"

#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/symmetric_eigen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

namespace attnscope {

namespace {

constexpr double tiny = 1e-6, nothing = 1e-30;

constexpr Fallback singular{"a covariance of queries or keys was singular to rounding, and its small eigenvalues "
                            "were raised to a millionth of the largest"};
constexpr Fallback hardlyVarying{"a channel of queries or keys hardly varied, and its stretch was bounded"};

/// Every x (B,H,N,D) → means over tokens, (B,H,1,D) each.
std::vector<ChannelMoments> momentsOf(const std::vector<at::Tensor>& xs)
{
    if (std::ranges::all_of(xs, [](const at::Tensor& x) { return fitsCpuKernels(x); }))
        return channelMomentsOnCpu(xs);
    std::vector<ChannelMoments> moments;
    for (const at::Tensor& x : xs)
        moments.push_back({x.mean(2, true), x.square().mean(2, true)});
    return moments;
}

/// E (x_l − mean_l)² of each channel, none of them near 0 compared with the others: (B,H,1,D).
at::Tensor meanSquares(const ChannelMoments& x, const at::Tensor& mean, FallenHeads& fallen)
{
    const auto squares = (x.meanSquare - mean * (2 * x.mean - mean)).clamp_min(0);
    const auto least = tiny * squares.mean(-1, true) + nothing;
    fallen.where([&] { return (squares < least).flatten(-2).any(-1); });
    return squares + least;
}

/// C^p of a symmetric matrix, whose eigenvalues are at least a millionth of the largest: (B,H,D,D).
at::Tensor power(const at::Tensor& matrix, double exponent, FallenHeads& notFinite)
{
    const auto [values, vectors] = symmetricEigen(matrix, notFinite);
    const auto least = tiny * values.slice(-1, values.size(-1) - 1) + nothing;
    return at::matmul(vectors * at::maximum(values, least).pow(exponent).unsqueeze(-2), vectors.transpose(-1, -2));
}

at::Tensor secondMoments(const at::Tensor& x, const at::Tensor& mean)
{
    const auto centred = x - mean;
    return at::matmul(centred.transpose(-1, -2), centred) / x.size(2);
}

/// The optimal-transport map from N(0, Cq) to N(0, Ck): Cq^-½ (Cq^½ Ck Cq^½)^½ Cq^-½. Trained networks have products with eigenvalues a million
/// times apart; what has fallen is a head where queries or keys alone have a direction without any variance.
at::Tensor transportMap(const at::Tensor& queries, const at::Tensor& keys, FallenHeads& notFinite)
{
    FallenHeads fallen(singular);
    for (const at::Tensor* covariance : {&queries, &keys})
        fallen.where([&] { return std::get<1>(at::linalg_cholesky_ex(*covariance)) != 0; });
    const auto root = power(queries, 0.5, notFinite), inverse = power(queries, -0.5, notFinite);
    return at::matmul(inverse,
                      at::matmul(power(at::matmul(root, at::matmul(keys, root)), 0.5, notFinite), inverse));
}

/// a·b in eight chains, which a compiler turns into one of vectors.
float product(const float* a, const std::vector<float>& b)
{
    std::array<float, 8> sums{};
    const size_t whole = b.size() / sums.size() * sums.size();
    for (size_t d = 0; d < whole; d += sums.size())
        for (size_t i = 0; i < sums.size(); ++i)
            sums[i] += a[d + i] * b[d + i];
    float sum = std::accumulate(sums.begin(), sums.end(), 0.0f);
    for (size_t d = whole; d < b.size(); ++d)
        sum += a[d] * b[d];
    return sum;
}

/// What the query `mean` (B,H,1,D) attends to: the weighted mean of the keys.
at::Tensor attendedMean(const AttentionInput& in, const at::Tensor& mean)
{
    return at::matmul(
        withKeyWeights(in.scale * at::matmul(mean, in.k.transpose(-1, -2)), in.keyLogWeights).softmax(-1), in.k);
}

/// x P of rows, for P or its diagonal.
at::Tensor mapped(const at::Tensor& x, const at::Tensor& map)
{
    return !map.defined() ? x : map.size(-2) == 1 ? x * map : at::matmul(x, map);
}

/// OPRF's A ≤ 0 for z, the mean of ‖q̂ + k̂‖² over all pairs: (B,H,1,1). q and k balanced and centred.
at::Tensor widening(const at::Tensor& q, const at::Tensor& k, double scale)
{
    const auto width = double(q.size(3));
    const auto squared = [](const at::Tensor& t) { return t.square().sum(-1, true).mean(2, true); };
    const auto z = (scale * (squared(q) + squared(k) + 2 * (q.mean(2, true) * k.mean(2, true)).sum(-1, true)))
                       .clamp_min(1e-12);
    const auto sum = 2 * z + width;
    return (1 - ((sum.square() + 8 * width * z).sqrt() + sum) / (2 * width)) / 8;
}

/// What Reparametrisation::apply computes for a diagonal P without `oprf`, of all samples of a head in one pass: as two dozen operators it would
/// take as long as the features of a few hundred tokens.
Reparametrisation::Result diagonalOnCpu(const AttentionInput& in, const ChannelMoments& ofQueries,
                                        const ChannelMoments& ofKeys, const TokenMeans& means,
                                        const at::Tensor& omega)
{
    const int64_t batch = in.q.size(0), heads = in.q.size(1), width = in.q.size(3), samples = omega.size(1);
    const auto floats = [](at::IntArrayRef sizes) { return at::empty(sizes, at::kFloat); };
    const auto queries = means.queries.contiguous(), keys = means.keys.contiguous(), drawn = omega.contiguous();
    Reparametrisation::Result result{.k = in.k,
                                     .omegaOfKeys = floats({batch, heads, samples, width}),
                                     .keySquares = floats({batch, heads, 1, width}),
                                     .keyMean = means.keys,
                                     .map = floats({batch, heads, 1, width}),
                                     .omega = floats({batch, heads, samples, width}),
                                     .omegaOfQueries = floats({batch, heads, samples, width}),
                                     .logWeight = floats({batch, heads, samples})};
    auto fell = at::zeros({batch, heads}, at::kBool);
    const auto row = [width](const at::Tensor& x, int64_t r) { return x.mutable_data_ptr<float>() + r * width; };
    // meanSquares of a head. Returns whether a channel hardly varies.
    const auto spread = [&](const ChannelMoments& x, const float* mean, int64_t head, std::vector<float>& out) {
        const float *average = row(x.mean, head), *square = row(x.meanSquare, head);
        float sum = 0;
        for (int64_t d = 0; d < width; ++d)
            sum += out[d] = std::max(square[d] - mean[d] * (2 * average[d] - mean[d]), 0.0f);
        const float least = float(tiny) * sum / float(width) + float(nothing);
        bool small = false;
        for (float& one : out)
            small = small || one < least, one += least;
        return small;
    };
    std::vector<float> ofKey(width), ofQuery(width), inverse(width), shift(width);
    for (int64_t head = 0; head < batch * heads; ++head) {
        const float *q = row(queries, head), *k = row(keys, head), *const of = row(drawn, head % heads * samples);
        const bool keysFell = spread(ofKeys, k, head, ofKey), queriesFell = spread(ofQueries, q, head, ofQuery);
        fell.mutable_data_ptr<bool>()[head] = keysFell || queriesFell;
        float *map = row(result.map, head), *squares = row(result.keySquares, head), half = 0;
        for (int64_t d = 0; d < width; ++d) {
            const float ratio = std::sqrt(ofKey[d] / ofQuery[d]);
            map[d] = std::sqrt(ratio), squares[d] = 1 / ratio;
            inverse[d] = 1 / map[d];
            shift[d] = (q[d] * map[d] + k[d] * inverse[d]) * float(std::sqrt(in.scale));
            half += 0.5f * shift[d] * shift[d];
        }
        for (int64_t s = 0; s < samples; ++s) {
            const float* from = of + s * width;
            const int64_t at = head * samples + s;
            float *moved = row(result.omega, at), *forQueries = row(result.omegaOfQueries, at),
                  *forKeys = row(result.omegaOfKeys, at);
            for (int64_t d = 0; d < width; ++d) {
                moved[d] = from[d] + shift[d];
                forQueries[d] = moved[d] * map[d];
                forKeys[d] = moved[d] * inverse[d];
            }
            result.logWeight.mutable_data_ptr<float>()[at] = -product(from, shift) - half
                                                             - std::log(float(samples));
        }
    }
    FallenHeads fallen(hardlyVarying);
    fallen.where([&] { return fell; });
    return result;
}

}

std::vector<OptionInfo> centeringOptions()
{
    return {choiceOption("center", "means that are subtracted first: softmax stays the same, features get better",
                         {{"none", "as published", {}},
                          {"keys", "that of the keys", {}},
                          {"both", "those of queries and keys; best for weights trained with softmax", {}}}),
            advanced(choiceOption(
                "center_mean", "which mean of the keys, with center=both",
                {{"plain", "of all alike", {}}, {"attended", "weighted as the mean query attends to them", {}}}))};
}

Center centerOf(const AttentionSpec& spec)
{
    const std::string& center = spec.choice("center");
    return center == "both" ? Center::Both : center == "keys" ? Center::Keys : Center::None;
}

TokenMeans tokenMeans(const AttentionInput& in, const AttentionSpec& spec)
{
    const Center center = centerOf(spec);
    const auto zero = at::zeros({in.q.size(0), in.q.size(1), 1, in.q.size(3)}, in.q.options());
    TokenMeans means{center == Center::Both ? in.q.mean(2, true) : zero, zero};
    if (center == Center::Both && spec.choice("center_mean") == "attended")
        means.keys = attendedMean(in, means.queries);
    else if (center != Center::None)
        means.keys = in.k.mean(2, true);
    return means;
}

AttentionInput centredInput(AttentionInput in, const TokenMeans& means)
{
    in.q = in.q - means.queries;
    in.k = in.k - means.keys;
    if (in.queryLandmarks.defined())
        in.queryLandmarks = in.queryLandmarks - means.queries;
    if (in.keyLandmarks.defined())
        in.keyLandmarks = in.keyLandmarks - means.keys;
    const auto shift = in.scale * at::matmul(means.queries, in.k.transpose(-1, -2)).squeeze(-2);  // (B,H,M)
    in.keyLogWeights = in.keyLogWeights.defined() ? in.keyLogWeights + shift : shift;
    return in;
}

at::Tensor centringOffset(const AttentionInput& in, const at::Tensor& keyMean)
{
    const auto type = at::promote_types(in.q.scalar_type(),
                                        at::kFloat);  // 16 bits have too few digits for logarithms
    return at::matmul(in.q.to(type), keyMean.to(type).transpose(-1, -2)).squeeze(-1) * in.scale;
}

Reparametrisation::Reparametrisation(const AttentionSpec& spec)
    : m_spec(spec)
    , m_center(centerOf(spec))
    , m_balance(spec.choice("balance") == "full"       ? Balance::Full
                : spec.choice("balance") == "diagonal" ? Balance::Diagonal
                                                       : Balance::None)
    , m_attended(spec.choice("center_mean") == "attended" && m_center == Center::Both)
    , m_oprf(spec.flag("oprf"))
{}

std::vector<OptionInfo> Reparametrisation::options()
{
    std::vector<OptionInfo> options = centeringOptions();
    options.insert(options.begin() + 1,
                   choiceOption("balance",
                                "queries and keys stretched alike: softmax stays the same, features get better",
                                {{"none", "as published", {}},
                                 {"diagonal", "each channel (FAVOR#)", {}},
                                 {"full", "by the optimal-transport map between their covariances", {}}}));
    options.push_back(advanced(flagOption(
        "oprf", "samples from a wider distribution with weights (FAVOR++); with centring from 64 samples on")));
    return options;
}

at::Tensor Reparametrisation::Result::queries(const at::Tensor& q) const
{
    return mapped(q, map);
}

Reparametrisation::Result Reparametrisation::apply(const AttentionInput& in, const at::Tensor& omega,
                                                   KeysUnder diagonal) const
{
    if (changesNothing())
        return {.k = in.k,
                .omegaOfKeys = {},
                .keySquares = {},
                .keyMean = {},
                .map = {},
                .omega = omega,
                .omegaOfQueries = {},
                .logWeight = {}};
    ChannelMoments ofQueries, ofKeys;
    const bool needsQueries = m_center == Center::Both || m_balance == Balance::Diagonal;
    const bool needsKeys = (m_center != Center::None && !m_attended) || m_balance == Balance::Diagonal;
    if (needsQueries && needsKeys) {
        const auto both = momentsOf({in.q, in.k});
        ofQueries = both[0], ofKeys = both[1];
    } else if (needsQueries || needsKeys) {
        (needsQueries ? ofQueries : ofKeys) = momentsOf({needsQueries ? in.q : in.k}).front();
    }
    const auto zero = at::zeros({in.q.size(0), in.q.size(1), 1, in.q.size(3)}, in.q.options());
    auto queryMean = m_center == Center::Both ? ofQueries.mean : zero;
    auto keyMean = m_center == Center::None ? zero : m_attended ? attendedMean(in, queryMean) : ofKeys.mean;

    if (m_balance == Balance::Diagonal && diagonal == KeysUnder::Samples && !m_oprf) {
        Result result = diagonalOnCpu(in, ofQueries, ofKeys, {queryMean, keyMean}, omega);
        if (m_center == Center::None)
            result.keyMean = at::Tensor();
        return result;
    }
    Result result{.k = in.k,
                  .omegaOfKeys = {},
                  .keySquares = {},
                  .keyMean = m_center == Center::None ? at::Tensor() : keyMean,
                  .map = {},
                  .omega = omega.unsqueeze(0).expand({in.q.size(0), -1, -1, -1}),
                  .omegaOfQueries = {},
                  .logWeight = {}};
    at::Tensor inverse;
    if (m_balance == Balance::Diagonal) {
        FallenHeads fallen(hardlyVarying);
        result.map = (meanSquares(ofKeys, keyMean, fallen) / meanSquares(ofQueries, queryMean, fallen)).pow(0.25);
        inverse = 1 / result.map;
    } else if (m_balance == Balance::Full) {
        FallenHeads notFinite(covarianceNotFinite);
        const auto map = transportMap(secondMoments(in.q, queryMean), secondMoments(in.k, keyMean), notFinite);
        result.map = power(map, 0.5, notFinite);
        inverse = power(map, -0.5, notFinite);
    }
    const bool underSamples = m_balance == Balance::Diagonal && diagonal == KeysUnder::Samples;
    if (!underSamples)
        result.k = mapped(in.k, inverse);
    queryMean = mapped(queryMean, result.map);
    keyMean = mapped(keyMean, inverse);

    // With t = √(1 − 4A) ω and µ = ĉ + m̂, features of centred tokens are ξ(q̂ − ĉ, t) ξ(k̂ − m̂, t) exp(ĉ·(k̂ − m̂) + q̂·m̂)
    // = ξ(q̂, ω') ξ(k̂, ω') exp(−t·µ − ½‖µ‖²) with ω' = t + µ.
    const auto mean = (queryMean + keyMean) * std::sqrt(in.scale);
    at::Tensor wider;
    if (m_oprf) {
        const auto a = widening(mapped(in.q, result.map) - queryMean, mapped(in.k, inverse) - keyMean, in.scale);
        wider = 2 * a.squeeze(-1) * result.omega.square().sum(-1)
                + (1 - 4 * a.squeeze(-1)).log() * (0.5 * double(in.q.size(3)));
        result.omega = (1 - 4 * a).sqrt() * result.omega;
    }
    result.logWeight = -(result.omega * mean).sum(-1) - mean.square().sum(-1) * 0.5
                       - std::log(double(omega.size(-2)));
    if (wider.defined())
        result.logWeight = result.logWeight + wider;
    result.omega = result.omega + mean;
    if (result.map.defined())
        result.omegaOfQueries = mapped(result.omega, result.map);
    if (underSamples)
        result.omegaOfKeys = result.omega * inverse, result.keySquares = inverse.square();
    return result;
}

double Reparametrisation::multiplyAdds(const AttentionShape& s) const
{
    const auto heads = double(s.heads), width = double(s.width);
    const auto tokens = double(s.queries + s.keys), keys = double(s.keys);
    double head = m_center == Center::None ? 0 : tokens * width;
    if (m_attended)
        head += 2 * keys * width;
    if (m_balance == Balance::Diagonal)
        head += 2 * tokens * width;
    if (m_balance == Balance::Full)
        head += 2 * tokens * width * width;
    if (m_oprf)
        head += tokens * width;
    return heads * head;
}

}
