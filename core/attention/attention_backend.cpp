// SPDX-License-Identifier: Apache-2.0
#include "core/attention/attention_backend.h"

#include "core/attention/methods/softmax.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/format.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

void checkShapes(const AttentionInput& in)
{
    const auto shapes = "q is " + describeShape(in.q.sizes()) + ", k " + describeShape(in.k.sizes()) + ", v "
                        + describeShape(in.v.sizes());
    if (in.q.dim() != 4 || in.k.dim() != 4 || in.v.dim() != 4)
        throw UsageError("", "q, k and v need four dimensions (batch, heads, tokens, channels), but " + shapes);
    const bool fits = in.q.size(0) == in.k.size(0) && in.q.size(0) == in.v.size(0) && in.q.size(1) == in.k.size(1)
                      && in.q.size(1) == in.v.size(1) && in.q.size(3) == in.k.size(3) && in.k.size(2) == in.v.size(2);
    if (!fits)
        throw UsageError("", "q, k and v do not fit each other: " + shapes,
                         "batch, heads and the head dimension of q and k must agree, and k and v need the same number of tokens");
    const bool alike = in.k.scalar_type() == in.q.scalar_type() && in.v.scalar_type() == in.q.scalar_type()
                       && in.k.device() == in.q.device() && in.v.device() == in.q.device();
    if (!alike || !in.q.is_floating_point())
        throw UsageError("", "q, k and v are not floating-point numbers of one type on one device",
                         "convert them to float32 on the device first");
    if (in.keyGroups < 1 || in.k.size(2) % in.keyGroups != 0)
        throw UsageError("", std::to_string(in.k.size(2)) + " keys cannot be split into " + std::to_string(in.keyGroups) + " frames");
    if (in.bias.defined() && (in.keyGroups > 1 || in.bias.sizes() != at::IntArrayRef({in.q.size(1), in.q.size(2), in.k.size(2)})))
        throw UsageError("", "a bias of " + describeShape(in.bias.sizes()) + " does not fit the logits: " + shapes,
                         "it needs heads, queries and keys, which are in one group");
    if (in.q.numel() == 0 || in.k.numel() == 0 || in.v.numel() == 0)
        throw UsageError("", "there is nothing to attend to: " + shapes);
}

/// Changes every tensor that there is.
template <typename Change>
AttentionInput withEachTensor(AttentionInput in, const Change& change)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v, &in.queryLandmarks, &in.keyLandmarks, &in.valueLandmarks, &in.gate, &in.bias})
        if (x->defined())
            *x = change(*x);
    return in;
}

/// Each group of keys as an input of its own.
std::vector<AttentionInput> groupsOf(const AttentionInput& input)
{
    const auto keys = input.k.chunk(input.keyGroups, 2), values = input.v.chunk(input.keyGroups, 2);
    std::vector<AttentionInput> groups(keys.size(), input);
    for (std::size_t g = 0; g < keys.size(); ++g) {
        groups[g].k = keys[g], groups[g].v = values[g];
        groups[g].keyGroups = 1;
    }
    return groups;
}

/// How many of the queries are prefix tokens.
std::int64_t prefixQueries(const AttentionInput& in)
{
    return !in.tokens.hasGrid() || in.tokens.count() == in.q.size(2) ? std::min(in.tokens.prefix, in.q.size(2)) : 0;
}

/// `out` with softmax over all keys in the rows of prefix tokens: (B,H,N,Dv), or (B,H,N,G,Dv).
at::Tensor withExactPrefixRows(const AttentionInput& in, const at::Tensor& out)
{
    const std::int64_t prefix = prefixQueries(in);
    if (prefix == 0)
        return out;
    AttentionInput rows{.q = in.q.slice(2, 0, prefix), .k = in.k, .v = in.v, .scale = in.scale, .keyGroups = in.keyGroups};
    if (in.bias.defined())
        rows.bias = in.bias.slice(1, 0, prefix);
    std::vector<at::Tensor> groups;
    for (const AttentionInput& group : groupsOf(rows))
        groups.push_back(exactAttention(group));
    const at::Tensor exact = in.keyGroups == 1 ? groups.front() : at::stack(groups, 3);
    if (at::GradMode::is_enabled())
        return at::cat({exact.to(out.scalar_type()), out.slice(2, prefix)}, 2);
    out.slice(2, 0, prefix).copy_(exact);
    return out;
}

bool asksForExactRows(const AttentionSpec& spec)
{
    const BackendInfo* info = findBackend(spec.backend());
    return info != nullptr && findOption(*info, "prefix_attention") != nullptr && spec.choice("prefix_attention") == "rows";
}

}  // namespace

void refuseOtherKeys(const AttentionSpec& spec, const AttentionShape& shape)
{
    if (findBackend(spec.backend())->ownKeysOnly && (shape.keyGroups > 1 || shape.keys != shape.queries))
        throw UsageError(spec.canonical(), "it takes queries and keys of the same tokens, but here the keys are others",
                         "use it with keys=all, and without frames that are attended to one by one");
}

AllowedPairs& AllowedPairs::operator+=(const AllowedPairs& other)
{
    rows += other.rows, pairs += other.pairs, emptyRows += other.emptyRows;
    return *this;
}

std::optional<double> AllowedPairs::emptyFraction() const
{
    return rows == 0 ? std::nullopt : std::optional(static_cast<double>(emptyRows) / static_cast<double>(rows));
}

std::string AllowedPairs::emptyRowsNote() const
{
    return emptyRows == 0 ? std::string() : formatPercentage(*emptyFraction()) + " of queries saw no key and used all";
}

AttentionBackend::AttentionBackend(AttentionSpec spec)
    : m_spec(std::move(spec))
    , m_exactPrefixRows(asksForExactRows(m_spec))
{
    eval();
}

AttentionInput AttentionBackend::checked(const AttentionInput& input) const
{
    checkShapes(input);
    refuseOtherKeys(m_spec, {.queries = input.q.size(2), .keys = input.k.size(2), .keyGroups = input.keyGroups});
    const at::ScalarType type = input.q.scalar_type();
    if ((type != at::kHalf && type != at::kBFloat16) || takesHalf(input))
        return input;
    return withEachTensor(input, [](const at::Tensor& x) { return x.to(at::kFloat); });
}

at::Tensor AttentionBackend::attend(const AttentionInput& input, NoiseSource& noise) const
{
    const AttentionInput in = checked(input);
    at::Tensor out = in.keyGroups == 1 || takesGroups() ? compute(in, noise) : computeGroups(in, noise);
    if (m_exactPrefixRows)
        out = withExactPrefixRows(in, out);
    return out.to(input.q.scalar_type());
}

/// The output is linear in v, so that its gradient with respect to v gives the weights for every method: values of one channel are enough,
/// and the backward pass costs as much as the forward pass.
at::Tensor AttentionBackend::impliedWeights(const AttentionInput& input, NoiseSource& noise,
                                            const at::Tensor& rows) const
{
    if (rows.sizes() != input.q.sizes().slice(0, 3))
        throw UsageError("", "the requested rows do not match q", "give batch, heads and queries of q");
    const c10::InferenceMode normal(false);
    const at::AutoGradMode gradients(true);
    const at::ScalarType type = input.q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    // Autograd can't save a tensor that was created in inference mode.
    const auto kept = [&](const at::Tensor& x) { return x.detach().to(type).clone(); };
    AttentionInput in = withFixedWeights(withEachTensor(input, kept));
    in.v = at::zeros({in.k.size(0), in.k.size(1), in.k.size(2), 1}, in.k.options()).requires_grad_();
    auto out = attend(in, noise).squeeze(-1);  // (B,H,N) or (B,H,N,G)
    if (out.dim() == 4)
        out = out.sum(-1);  // a key belongs to one group
    return torch::autograd::grad({out}, {in.v}, {kept(rows)}).front().squeeze(-1);  // (B,H,M)
}

std::optional<LandmarkWeights> AttentionBackend::landmarkWeights(const AttentionInput& input, NoiseSource& noise,
                                                                 std::int64_t query) const
{
    if (m_exactPrefixRows && query < prefixQueries(input))
        return {};
    return computeLandmarkWeights(checked(input), noise, query);
}

Cancellation AttentionBackend::cancellation(const AttentionInput& input, NoiseSource& noise) const
{
    return computeCancellation(checked(input), noise);
}

AllowedPairs AttentionBackend::allowedPairs(const AttentionInput& input, NoiseSource& noise) const
{
    AllowedPairs all;
    for (const AttentionInput& group : groupsOf(checked(input)))
        all += countAllowed(group, noise);
    return all;
}

std::vector<std::shared_ptr<const KeySets>> AttentionBackend::keySets(const AttentionInput& input,
                                                                      NoiseSource& noise) const
{
    std::vector<std::shared_ptr<const KeySets>> sets;
    for (const AttentionInput& group : groupsOf(checked(input)))
        if (auto own = groupSets(group, noise))
            sets.push_back(std::move(own));
    return sets;
}

double AttentionBackend::multiplyAdds(const AttentionShape& shape) const
{
    const std::int64_t exactRows = m_exactPrefixRows ? m_prefix : 0;
    return countMultiplyAdds(shape)
           + static_cast<double>(shape.heads) * static_cast<double>(exactRows * shape.keys) * static_cast<double>(shape.width + shape.valueDim);
}

bool AttentionBackend::deterministic() const
{
    return !findBackend(m_spec.backend())->random;
}

at::Tensor AttentionBackend::computeGroups(const AttentionInput& input, NoiseSource& noise) const
{
    std::vector<at::Tensor> outputs;
    for (const AttentionInput& group : groupsOf(input))
        outputs.push_back(compute(group, noise));
    return at::stack(outputs, 3);
}

std::shared_ptr<AttentionBackend> makeBackend(const AttentionSpec& spec, const BackendContext& context)
{
    const BackendInfo* info = findBackend(spec.backend());
    if (info == nullptr || info->make == nullptr)
        throw UsageError("", "`" + spec.canonical() + "` does not name a backend that can be created on its own");
    auto backend = info->make(spec, context);
    backend->setPrefixTokens(context.tokens.prefix);
    return backend;
}

at::Tensor scaledInput(const at::Tensor& x, double scale)
{
    return x * std::sqrt(scale);
}

}  // namespace attnscope
