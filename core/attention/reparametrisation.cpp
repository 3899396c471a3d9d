// SPDX-License-Identifier: Apache-2.0
#include "core/attention/reparametrisation.h"

#include "core/attention/common_options.h"

#include <cmath>

namespace attnscope {

namespace {

constexpr double tiny = 1e-6, nothing = 1e-30;

/// Mean squares of the channels, none of them near 0 compared with the others: (B,H,N,D) → (B,H,1,D).
at::Tensor meanSquares(const at::Tensor& x)
{
    const auto squares = x.square().mean(2, true);
    return squares + tiny * squares.mean(-1, true) + nothing;
}

/// C^p of a symmetric matrix, whose eigenvalues are at least a millionth of the largest: (B,H,D,D).
at::Tensor power(const at::Tensor& matrix, double exponent)
{
    const auto [values, vectors] = at::linalg_eigh(matrix);
    const auto bounded = at::maximum(values, tiny * values.slice(-1, values.size(-1) - 1) + nothing);
    return at::matmul(vectors * bounded.pow(exponent).unsqueeze(-2), vectors.transpose(-1, -2));
}

at::Tensor secondMoments(const at::Tensor& x)
{
    return at::matmul(x.transpose(-1, -2), x) / x.size(2);
}

/// The optimal-transport map from N(0, Cq) to N(0, Ck): Cq^-½ (Cq^½ Ck Cq^½)^½ Cq^-½.
at::Tensor transportMap(const at::Tensor& q, const at::Tensor& k)
{
    const auto queries = secondMoments(q), root = power(queries, 0.5), inverse = power(queries, -0.5);
    return at::matmul(inverse, at::matmul(power(at::matmul(root, at::matmul(secondMoments(k), root)), 0.5), inverse));
}

/// Queries, keys, and the means that are subtracted from them before features are made.
struct Tokens {
    at::Tensor q, k;            ///< (B,H,N,D), (B,H,M,D)
    at::Tensor queryMean, keyMean;  ///< (B,H,1,D)
};

void balanceDiagonally(Tokens& x)
{
    const auto factor = (meanSquares(x.k - x.keyMean) / meanSquares(x.q - x.queryMean)).pow(0.25);
    x = {x.q * factor, x.k / factor, x.queryMean * factor, x.keyMean / factor};
}

void balanceFully(Tokens& x)
{
    const auto map = transportMap(x.q - x.queryMean, x.k - x.keyMean);
    const auto forQueries = power(map, 0.5), forKeys = power(map, -0.5);
    x = {at::matmul(x.q, forQueries), at::matmul(x.k, forKeys), at::matmul(x.queryMean, forQueries), at::matmul(x.keyMean, forKeys)};
}

/// OPRF's A ≤ 0 for z, the mean of ‖q̂ + k̂‖² over all pairs: (B,H,1,1).
at::Tensor widening(const Tokens& x, double scale)
{
    const auto q = x.q - x.queryMean, k = x.k - x.keyMean;
    const auto width = static_cast<double>(q.size(3));
    const auto squared = [](const at::Tensor& t) { return t.square().sum(-1, true).mean(2, true); };
    const auto z = (scale * (squared(q) + squared(k) + 2 * (q.mean(2, true) * k.mean(2, true)).sum(-1, true))).clamp_min(1e-12);
    const auto sum = 2 * z + width;
    return (1 - ((sum.square() + 8 * width * z).sqrt() + sum) / (2 * width)) / 8;
}

}  // namespace

Reparametrisation::Reparametrisation(const AttentionSpec& spec)
    : m_center(spec.choice("center") == "both"   ? Center::Both
               : spec.choice("center") == "keys" ? Center::Keys
                                                 : Center::None)
    , m_balance(spec.choice("balance") == "full"       ? Balance::Full
                : spec.choice("balance") == "diagonal" ? Balance::Diagonal
                                                       : Balance::None)
    , m_attended(spec.choice("center_mean") == "attended" && m_center == Center::Both)
    , m_oprf(spec.flag("oprf"))
{}

std::vector<OptionInfo> Reparametrisation::options()
{
    return {choiceOption("center", "means that are subtracted first: softmax stays the same, features get better",
                         {{"none", "as published", {}},
                          {"keys", "that of the keys", {}},
                          {"both", "those of queries and keys; best for weights trained with softmax", {}}}),
            choiceOption("balance", "queries and keys stretched alike: softmax stays the same, features get better",
                         {{"none", "as published", {}},
                          {"diagonal", "each channel (FAVOR#)", {}},
                          {"full", "by the optimal-transport map between their covariances", {}}}),
            advanced(choiceOption("center_mean", "which mean of the keys, with center=both",
                                  {{"plain", "of all alike", {}}, {"attended", "weighted as the mean query attends to them", {}}})),
            advanced(flagOption("oprf", "samples from a wider distribution with weights (FAVOR++); with centring from 64 samples on"))};
}

Reparametrisation::Result Reparametrisation::apply(const AttentionInput& input, const at::Tensor& omega) const
{
    const auto zero = at::zeros({input.q.size(0), input.q.size(1), 1, input.q.size(3)}, input.q.options());
    Tokens x{input.q, input.k, m_center == Center::Both ? input.q.mean(2, true) : zero, zero};
    if (m_attended)
        x.keyMean = at::matmul((input.scale * at::matmul(x.queryMean, x.k.transpose(-1, -2))).softmax(-1), x.k);
    else if (m_center != Center::None)
        x.keyMean = x.k.mean(2, true);
    if (m_balance == Balance::Diagonal)
        balanceDiagonally(x);
    else if (m_balance == Balance::Full)
        balanceFully(x);

    // With t = √(1 − 4A) ω and features of centred tokens, exp(t·(q̂ − ĉ)) exp(t·(k̂ − m̂) − ½‖k̂ − m̂‖²) exp(ĉ·k̂) is, up to a factor per query,
    // exp(ω'·q̂) exp(ω'·k̂ − ½‖k̂‖²) exp(−t·(ĉ + m̂)) with ω' = t + ĉ + m̂.
    Result result{.input = input, .omega = omega.unsqueeze(0).expand({input.q.size(0), -1, -1, -1}), .logWeight = {}};
    const auto mean = (x.queryMean + x.keyMean) * std::sqrt(input.scale);
    at::Tensor spread;
    if (m_oprf) {
        const auto a = widening(x, input.scale);
        spread = 2 * a.squeeze(-1) * result.omega.square().sum(-1);
        result.omega = (1 - 4 * a).sqrt() * result.omega;
    }
    result.logWeight = -(result.omega * mean).sum(-1);
    if (spread.defined())
        result.logWeight = result.logWeight + spread;
    result.omega = result.omega + mean;
    result.input.q = x.q;
    result.input.k = x.k;
    return result;
}

double Reparametrisation::multiplyAdds(const AttentionShape& s) const
{
    const auto heads = static_cast<double>(s.heads), width = static_cast<double>(s.width);
    const auto tokens = static_cast<double>(s.queries + s.keys), keys = static_cast<double>(s.keys);
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

}  // namespace attnscope
