#include "core/attention/attention_backend.h"

#include "core/attention/input_parts.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/implementation.h"
#include "core/attention/reparametrisation.h"
#include "core/attention/shapes.h"
#include "core/attention/training_free/tangent.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attnscope {

namespace {

void checkShapes(const AttentionInput& in)
{
    const auto shapes = "q is " + describeShape(in.q.sizes()) + ", k " + describeShape(in.k.sizes()) + ", v "
                        + describeShape(in.v.sizes());
    if (in.q.dim() != 4 || in.k.dim() != 4 || in.v.dim() != 4)
        throw UsageError("", "q, k and v need four dimensions (batch, heads, tokens, channels), but " + shapes);
    const bool fits = in.q.size(0) == in.k.size(0) && in.q.size(0) == in.v.size(0) && in.q.size(1) == in.k.size(1)
                      && in.q.size(1) == in.v.size(1) && in.q.size(3) == in.k.size(3)
                      && in.k.size(2) == in.v.size(2);
    if (!fits)
        throw UsageError("", "q, k and v do not fit each other: " + shapes,
                         "batch, heads and the head dimension of q and k must agree, and k and v need the same "
                         "number of tokens");
    const bool alike = in.k.scalar_type() == in.q.scalar_type() && in.v.scalar_type() == in.q.scalar_type()
                       && in.k.device() == in.q.device() && in.v.device() == in.q.device();
    if (!alike || !in.q.is_floating_point())
        throw UsageError("", "q, k and v are not floating-point numbers of one type on one device",
                         "convert them to float32 on the device first");
    if (in.keyGroups < 1 || in.k.size(2) % in.keyGroups != 0)
        throw UsageError("",
                         counted(in.k.size(2), "key") + " cannot be split into " + counted(in.keyGroups, "frame"));
    if (in.bias.defined()
        && (in.keyGroups > 1 || in.bias.sizes() != at::IntArrayRef({in.q.size(1), in.q.size(2), in.k.size(2)})))
        throw UsageError("", "a bias of " + describeShape(in.bias.sizes()) + " does not fit the logits: " + shapes,
                         "it needs heads, queries and keys, which are in one group");
    if (in.keyLogWeights.defined() && in.keyLogWeights.sizes() != in.k.sizes().slice(0, 3))
        throw UsageError(
            "", "log-weights of " + describeShape(in.keyLogWeights.sizes()) + " do not fit the keys: " + shapes,
            "they need batch, heads and tokens of k");
    // Not on a GPU, for which the program would have to wait; weights that come from files are on the CPU when they are read.
    if (in.keyLogWeights.defined() && in.keyLogWeights.is_cpu()
        && !(in.keyLogWeights < std::numeric_limits<double>::infinity()).all().item<bool>())
        throw UsageError(
            "", "log-weights of keys are not all numbers",
            "a weight is the logarithm of how often its key counts: −∞ removes it, +∞ and NaN mean nothing");
    if (in.q.numel() == 0 || in.k.numel() == 0 || in.v.numel() == 0)
        throw UsageError("", "there is nothing to attend to: " + shapes);
}

/// Changes every tensor that there is.
template <typename Change>
AttentionInput withEachTensor(AttentionInput in, const Change& change)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v, &in.queryLandmarks, &in.keyLandmarks, &in.valueLandmarks, &in.gate,
                          &in.bias, &in.keyLogWeights})
        if (x->defined())
            *x = change(*x);
    return in;
}

AttentionInput widened(AttentionInput in)
{
    if (in.q.scalar_type() != at::kHalf && in.q.scalar_type() != at::kBFloat16)
        return in;
    return withEachTensor(std::move(in), [](const at::Tensor& x) { return x.to(at::kFloat); });
}

/// `out` with softmax over all keys in the rows of prefix tokens: (B,H,N,Dv), or (B,H,N,G,Dv).
at::Tensor withExactPrefixRows(const AttentionInput& in, const at::Tensor& out)
{
    const int64_t prefix = prefixQueries(in);
    if (prefix == 0)
        return out;
    std::vector<at::Tensor> groups;
    for (const AttentionInput& group : groupsOf(withQueries(in, 0, prefix)))
        groups.push_back(exactAttention(group));
    const at::Tensor exact = in.keyGroups == 1 ? groups.front() : at::stack(groups, 3);
    if (at::GradMode::is_enabled())
        return at::cat({exact.to(out.scalar_type()), out.slice(2, prefix)}, 2);
    out.slice(2, 0, prefix).copy_(exact);
    return out;
}

/// `rest` with softmax over the few first keys joined to it, in one pass over its output unless there are gradients.
AttentionPart withExactKeys(AttentionInput few, const AttentionPart& rest)
{
    if (at::GradMode::is_enabled() || !rest.out.is_non_overlapping_and_dense())
        return joined(exactPart(few), rest);
    const at::Tensor values = few.v;
    const bool single = few.k.size(2) == 1;  // its value is the output of every query
    if (single)
        few.v = values.slice(3, 0, 1);
    const AttentionPart exact = exactPart(few);
    const auto normaliser = at::logaddexp(exact.logNormaliser, rest.logNormaliser);
    const auto weight = (exact.logNormaliser - normaliser)
                            .exp_()
                            .nan_to_num_(0)
                            .unsqueeze(-1)
                            .to(rest.out.scalar_type());  // 0 without keys
    rest.out.lerp_((single ? values.expand_as(rest.out) : exact.out).to(rest.out.scalar_type()), weight);
    return {rest.out, normaliser, {}};
}

/// Rows of `first`, then those of `rest`: (B,H,N,Dv), without gradients in the order in which a projection reads them.
at::Tensor oneAfterTheOther(const at::Tensor& first, const at::Tensor& rest)
{
    if (at::GradMode::is_enabled())
        return at::cat({first, rest}, 2);
    const int64_t rows = first.size(2);
    const auto out =
        at::empty({rest.size(0), rows + rest.size(2), rest.size(1), rest.size(3)}, rest.options()).transpose(1, 2);
    out.slice(2, 0, rows).copy_(first);
    out.slice(2, rows).copy_(rest);
    return out;
}

}

AttentionInput withKeys(AttentionInput in, int64_t begin, int64_t end)
{
    in.k = in.k.slice(2, begin, end), in.v = in.v.slice(2, begin, end);
    if (in.keyLogWeights.defined())
        in.keyLogWeights = in.keyLogWeights.slice(2, begin, end);
    if (in.bias.defined())
        in.bias = in.bias.slice(2, begin, end);
    return in;
}

AttentionInput withQueries(AttentionInput in, int64_t begin, int64_t end)
{
    in.q = in.q.slice(2, begin, end);
    if (in.gate.defined())
        in.gate = in.gate.slice(2, begin, end);
    if (in.bias.defined())
        in.bias = in.bias.slice(1, begin, end);
    return in;
}

AttentionPart joined(const AttentionPart& a, const AttentionPart& b)
{
    const auto normaliser = at::logaddexp(a.logNormaliser, b.logNormaliser);
    const auto weightOf = [&](const AttentionPart& part) {  // 0 where there is no key at all
        return (part.logNormaliser - normaliser).exp().nan_to_num(0).unsqueeze(-1).to(part.out.scalar_type());
    };
    return {weightOf(a) * a.out + weightOf(b) * b.out, normaliser, {}};
}

void refuseOtherKeys(const AttentionSpec& spec, const AttentionShape& shape)
{
    if (findBackend(spec.backend())->ownKeysOnly && (shape.keyGroups > 1 || shape.keys != shape.queries))
        throw UsageError(spec.canonical(),
                         "it takes queries and keys of the same tokens, but here the keys are others",
                         "use it with keys=all, and without frames that are attended to one by one");
}

AllowedPairs& AllowedPairs::operator+=(const AllowedPairs& other)
{
    rows += other.rows, pairs += other.pairs, emptyRows += other.emptyRows;
    return *this;
}

std::optional<double> AllowedPairs::emptyFraction() const
{
    return rows == 0 ? std::nullopt : std::optional(double(emptyRows) / double(rows));
}

std::string AllowedPairs::emptyRowsNote() const
{
    return emptyRows == 0 ? std::string()
                          : formatPercentage(*emptyFraction()) + " of queries saw no key and used all";
}

AttentionBackend::AttentionBackend(AttentionSpec spec)
    : m_spec(std::move(spec))
    , m_prefixAttention(prefixAttentionOf(m_spec))
    , m_tangentNormaliser(m_spec.value("logz") == OptionValue("tangent"))
{
    eval();
}

AttentionBackend::PrefixAttention AttentionBackend::prefixAttentionOf(const AttentionSpec& spec)
{
    const std::optional<OptionValue> choice = spec.value("prefix_attention");
    return choice == OptionValue("exact")  ? PrefixAttention::Exact
           : choice == OptionValue("rows") ? PrefixAttention::Rows
                                           : PrefixAttention::Ordinary;
}

AttentionInput AttentionBackend::checked(const AttentionInput& input) const
{
    checkShapes(input);
    refuseOtherKeys(m_spec, {.queries = input.q.size(2), .keys = input.k.size(2), .keyGroups = input.keyGroups});
    if (const std::string why = input.keyLogWeights.defined() ? whyNoKeyWeights() : ""; !why.empty())
        throw UsageError(m_spec.canonical(), why, "merge no tokens, or choose another attention");
    AttentionInput in = input;
    if (m_forgetsGrid)
        in.tokens = {.prefix = in.tokens.prefix};
    return takesHalf(in) ? in : widened(std::move(in));
}

/// What the method sees: parts of it that are exact softmax would add a bias that the rest leaves out.
AttentionInput AttentionBackend::withoutUnknownBias(AttentionInput in) const
{
    if (!findBackend(m_spec.backend())->takesBias)
        in.bias = at::Tensor();
    return in;
}

AttentionInput AttentionBackend::centred(const AttentionInput& in) const
{
    const auto means = subtractedMeans(in);
    return means ? centredInput(in, *means) : in;
}

at::Tensor AttentionBackend::attend(const AttentionInput& input, NoiseSource& noise) const
{
    const bool isFused = input.q.is_cuda() && m_spec.backend() == referenceBackend
                         && m_spec.choice("form") == "fused";
    const auto operators = isFused ? Implementation::FusedSoftmax : Implementation::Operators;
    return byKernelsOrOperators(input, operators, [&] {
        AttentionInput in = centred(checked(input));
        const EmptyGroups empty(in);
        return empty.cleared(computeChecked(in, noise)).to(input.q.scalar_type());
    });
}

at::Tensor AttentionBackend::computeChecked(const AttentionInput& in, NoiseSource& noise) const
{
    if (m_prefixAttention == PrefixAttention::Exact && !hasNormaliser())
        throw UsageError(m_spec.canonical(),
                         "with these options it estimates no normaliser, by which exact keys could be joined",
                         "use logz=tangent, or prefix_attention=rows");
    if (m_prefixAttention == PrefixAttention::Exact && in.keyGroups == 1
        && (prefixQueries(in) > 0 || prefixKeys(in) > 0))
        return computeCheckedPart(in, noise).out;
    const AttentionInput own = withoutUnknownBias(in);
    const at::Tensor out = own.keyGroups == 1 || takesGroups() ? compute(own, noise) : computeGroups(own, noise);
    return m_prefixAttention == PrefixAttention::Ordinary ? out : withExactPrefixRows(in, out);
}

AttentionPart AttentionBackend::attendPart(const AttentionInput& input, NoiseSource& noise) const
{
    if (!hasNormaliser())
        throw UsageError(m_spec.canonical(), "it does not estimate the normaliser of softmax",
                         "logz=tangent does, for every attention");
    if (input.keyGroups > 1)
        throw UsageError(m_spec.canonical(),
                         "frames that are attended to one by one have no normaliser in common");
    return byKernelsOrOperators(input, Implementation::Operators, [&] {
        const AttentionInput given = widened(checked(input));
        const auto means = subtractedMeans(given);
        AttentionInput in = means ? centredInput(given, *means) : given;
        const EmptyGroups empty(in);
        AttentionPart part = computeCheckedPart(in, noise);
        if (means) {
            part.centring = centringOffset(given, means->keys);
            part.logNormaliser = part.logNormaliser + part.centring;
        }
        part = empty.cleared(std::move(part));
        part.out = part.out.to(input.q.scalar_type());
        return part;
    });
}

/// Prefix tokens apart if they are exact: their queries see all keys, and all queries see their keys.
AttentionPart AttentionBackend::computeCheckedPart(const AttentionInput& in, NoiseSource& noise) const
{
    const int64_t queries = prefixQueries(in), keys = prefixKeys(in);
    if (m_prefixAttention == PrefixAttention::Ordinary || queries + keys == 0)
        return computeEstimate(in, noise);
    const bool apart = m_prefixAttention == PrefixAttention::Exact;
    const AttentionInput wide = widened(in);  // logarithms of weights need more digits than 16 bits have
    if (apart && (queries == in.q.size(2) || keys == in.k.size(2)))
        return exactPart(wide);
    AttentionPart rest = computeEstimate(apart ? patchesOf(in) : in, noise);
    if (apart && keys > 0)
        rest = withExactKeys(withKeys(withQueries(wide, queries, in.q.size(2)), 0, keys), rest);
    else if (!apart)
        rest = {rest.out.slice(2, queries), rest.logNormaliser.slice(2, queries), {}};
    if (queries == 0)
        return rest;
    const AttentionPart rows = exactPart(withQueries(wide, 0, queries));
    return {oneAfterTheOther(rows.out.to(rest.out.scalar_type()), rest.out),
            at::cat({rows.logNormaliser, rest.logNormaliser}, 2),
            {}};
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
    in.linear = true;
    in.v = at::zeros({in.k.size(0), in.k.size(1), in.k.size(2), 1}, in.k.options()).requires_grad_();
    auto out = attend(in, noise).squeeze(-1);  // (B,H,N) or (B,H,N,G)
    if (out.dim() == 4)
        out = out.sum(-1);                                                          // a key belongs to one group
    return torch::autograd::grad({out}, {in.v}, {kept(rows)}).front().squeeze(-1);  // (B,H,M)
}

std::optional<LandmarkWeights> AttentionBackend::landmarkWeights(const AttentionInput& input, NoiseSource& noise,
                                                                 int64_t query) const
{
    const int64_t prefix = prefixQueries(input);
    if (m_prefixAttention != PrefixAttention::Ordinary && query < prefix)
        return {};
    if (m_prefixAttention == PrefixAttention::Exact) {
        auto found = computeLandmarkWeights(patchesOf(widened(checked(input))), noise, query - prefix);
        if (found && found->tokens.defined())
            found->tokens = found->tokens + prefix;
        return found;
    }
    return computeLandmarkWeights(widened(checked(input)), noise, query);
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
    if (m_prefixAttention == PrefixAttention::Ordinary)
        return countMultiplyAdds(shape);
    const int64_t queries = std::min(m_prefix, shape.queries),
                  keys = shape.keys == shape.queries && shape.keyGroups == 1 ? queries : 0;
    const bool apart = m_prefixAttention == PrefixAttention::Exact && shape.queries > queries && shape.keys > keys;
    AttentionShape rest = shape;
    if (apart)
        rest.queries -= queries, rest.keys -= keys;
    const int64_t exactPairs = queries * shape.keys + (apart ? rest.queries * keys : 0);
    const double ofTangents = apart && m_tangentNormaliser ? double(shape.heads * tangentNormaliserLandmarks
                                                                    * (2 * rest.keys + rest.queries) * shape.width)
                                                           : 0;
    return countMultiplyAdds(rest) + ofTangents
           + double(shape.heads) * double(exactPairs) * double(shape.width + shape.valueDim);
}

void AttentionBackend::note(std::string text)
{
    m_notes.push_back(std::move(text));
}

std::optional<TokenMeans> AttentionBackend::subtractedMeans(const AttentionInput&) const
{
    return {};
}

std::string AttentionBackend::whyNoKeyWeights() const
{
    return findBackend(m_spec.backend())->takesKeyWeights
               ? ""
               : "it mixes keys before they are weighed, so that keys cannot have weights";
}

bool AttentionBackend::estimatesNormaliser() const
{
    return findBackend(m_spec.backend())->normaliser;
}

bool AttentionBackend::deterministic() const
{
    return !findBackend(m_spec.backend())->random;
}

/// Where prefix tokens are apart, none of the other keys may count.
AttentionPart AttentionBackend::computeEstimate(const AttentionInput& given, NoiseSource& noise) const
{
    AttentionInput in = withoutUnknownBias(given);
    const EmptyGroups empty(in);
    if (!m_tangentNormaliser)
        return empty.cleared(computePart(in, noise));
    const AttentionInput wide = widened(in);
    return empty.cleared(
        {compute(in, noise), tangentNormaliser(wide, queryLandmarks(wide, tangentNormaliserLandmarks)), {}});
}

AttentionPart AttentionBackend::computePart(const AttentionInput&, NoiseSource&) const
{
    throw std::logic_error("`" + m_spec.backend() + "` says that it estimates a normaliser, and does not");
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
    if (spec.tokens().merges() || spec.weights() != WeightStorage::Own)
        throw UsageError(
            spec.canonical(),
            "tokens merge and linear layers are stored in a network, and here attention is on its own",
            "leave out `;tokens=` and `;weights=`");
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

}
