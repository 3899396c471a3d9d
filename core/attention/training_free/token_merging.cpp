#include "core/attention/training_free/token_merging.h"

#include "core/attention/fused/cpu_nearest.h"
#include "core/attention/fused/cpu_token_merging.h"
#include "core/base/error.h"

#include <ATen/TracerMode.h>

#include <algorithm>
#include <string>

namespace attnscope {

namespace {

/// Whether operators become a graph, in which only LibTorch's have a place.
bool isRecorded()
{
    return at::tracer::impl::is_dispatch_enabled();
}

/// The row of b with the largest product with each row of a, ties to the lowest: a (P,n,D), b (P,m,D) → (P,n).
at::Tensor nearestRows(const at::Tensor& a, const at::Tensor& b, bool ownKernels)
{
    if (ownKernels && !isRecorded())
        return nearestKeysOnCpu(a, b);
    constexpr int64_t some = 256;  // rows at a time: memory grows with the keys, not with their square
    std::vector<at::Tensor> found;
    for (int64_t begin = 0; begin < a.size(1); begin += some)
        found.push_back(at::matmul(a.slice(1, begin, begin + some), b.transpose(1, 2)).argmax(-1));
    return at::cat(found, 1);
}

/// (P,n) → those of n numbers at which a row is true, in ascending order: `count` in every row.
at::Tensor whereTrue(const at::Tensor& rows, int64_t count)
{
    if (isRecorded())  // by numbers that all differ: runtimes sort equal ones as they like
        return std::get<1>((at::logical_not(rows).to(at::kLong) * rows.size(1)
                            + at::arange(rows.size(1), rows.options().dtype(at::kLong)))
                               .sort(-1))
            .slice(1, 0, count);
    if (rows.is_cpu())
        return rows.nonzero().select(1, 1).view({rows.size(0), count});
    // A GPU would have to wait for how many `nonzero` has found, which a recorded pass cannot.
    return std::get<1>(at::logical_not(rows).to(at::kByte).sort(/*stable=*/true, -1, /*descending=*/false))
        .slice(1, 0, count);
}

at::Tensor likeRows(const at::Tensor& index, const at::Tensor& x)
{
    return index.unsqueeze(-1).expand({-1, -1, x.size(2)});
}

/// (P,T): the row behind merging that each row becomes part of.
at::Tensor placesAfter(const TokenMatching& matching, int64_t tokens)
{
    const int64_t left = matching.survivors.size(1);
    const auto numbers = at::arange(left, matching.survivors.options()).expand_as(matching.survivors);
    const auto places = at::zeros({matching.survivors.size(0), tokens}, matching.survivors.options())
                            .scatter(1, matching.survivors, numbers);
    return places.scatter(1, matching.sources, places.gather(1, matching.targets));
}

}

TokenMatching matchTokens(const at::Tensor& metric, const MatchRequest& request)
{
    const at::NoGradGuard constants;
    const int64_t sequences = metric.size(0), tokens = metric.size(1), first = request.protectedTokens,
                  count = request.count;
    const auto unit = metric / metric.norm(2, -1, true).clamp_min(1e-12);
    const auto a = unit.slice(1, first, tokens, 2).contiguous(),
               b = unit.slice(1, first + 1, tokens, 2).contiguous();
    const auto nearest = nearestRows(a, b, request.ownKernels);  // (P,|A|)
    const auto cosine = (a * b.gather(1, likeRows(nearest, a))).sum(-1);
    const auto chosen = std::get<1>(cosine.sort(/*stable=*/true, -1, /*descending=*/true)).slice(1, 0, count);
    TokenMatching matching{chosen * 2 + first, nearest.gather(1, chosen) * 2 + first + 1, {}};
    if (request.order == MergeOrder::Position) {
        const auto stays =
            at::ones({sequences, tokens}, metric.options().dtype(at::kBool)).scatter(1, matching.sources, 0);
        matching.survivors = whereTrue(stays, tokens - count);
        return matching;
    }
    const auto stays = at::ones({sequences, a.size(1)}, metric.options().dtype(at::kBool)).scatter(1, chosen, 0);
    const auto numbers = chosen.options();
    const auto inAll = [&](const at::Tensor& x) { return x.expand({sequences, -1}); };
    matching.survivors = at::cat({inAll(at::arange(first, numbers)),
                                  whereTrue(stays, a.size(1) - count) * 2 + first,
                                  inAll(at::arange(first + 1, tokens, 2, numbers))},
                                 1);
    return matching;
}

SizedRows mergeRows(const SizedRows& tokens, const TokenMatching& matching)
{
    const auto joined = [&](const at::Tensor& x) {
        return x.scatter_add(1, likeRows(matching.targets, x), x.gather(1, likeRows(matching.sources, x)));
    };
    const auto sums = joined(tokens.rows * tokens.sizes), sizes = joined(tokens.sizes);
    const auto counts = sizes > 0;
    const auto means = at::where(counts, sums / at::where(counts, sizes, at::ones_like(sizes)), tokens.rows);
    return {means.gather(1, likeRows(matching.survivors, means)),
            sizes.gather(1, likeRows(matching.survivors, sizes))};
}

int64_t mergeable(int64_t tokens, int64_t prefix)
{
    return std::max<int64_t>(tokens - prefix, 0) / 2;
}

void requireMergeable(const AttentionSpec& spec, int64_t tokens, int64_t prefix)
{
    const int64_t pairs = mergeable(tokens, prefix), most = pairs / (spec.tokens().isDecreasing() ? 2 : 1);
    if (spec.tokens().merged() > most)
        throw UsageError(spec.canonical(),
                         "r=" + std::to_string(spec.tokens().merged()) + " leaves no tokens: of "
                             + std::to_string(tokens - prefix) + " patches a block can merge "
                             + std::to_string(pairs)
                             + (spec.tokens().isDecreasing() ? ", and the first merges 2r" : ""),
                         "give r from 0 to " + std::to_string(most));
}

std::shared_ptr<AttentionBackend> makeBehindMerging(const AttentionSpec& spec, const BackendContext& context,
                                                    const AttentionSpec& whole)
{
    std::shared_ptr<AttentionBackend> backend;
    std::string why;
    try {
        backend = makeBackend(spec, context);
        why = backend->whyNoKeyWeights();
    } catch (const UsageError& error) {
        why = error.reason();
        if (why.ends_with('.'))
            why.pop_back();
    }
    if (!why.empty())
        throw UsageError(whole.canonical(),
                         "`" + spec.canonical() + "` cannot follow merged tokens, which stand in a line: " + why,
                         "choose another attention, such as softmax or wildcat, or leave out `;tokens=`");
    backend->forgetGrid();
    return backend;
}

double matchingMultiplyAdds(int64_t tokens, int64_t prefix, int64_t count, int64_t width)
{
    const int64_t free = tokens - prefix, inB = free / 2, pairs = (free - inB) * inB;
    return count == 0 ? 0 : double(pairs) * double(width);
}

bool MergePlan::merges() const
{
    return std::ranges::any_of(counts, [](int64_t count) { return count > 0; });
}

bool MergePlan::mergesBefore(int64_t layer) const
{
    const auto end = counts.begin() + std::min(layer, std::ssize(counts));
    return std::any_of(counts.begin(), end, [](int64_t count) { return count > 0; });
}

std::vector<int64_t> MergePlan::tokensOf(int64_t layers, int64_t tokens, int64_t prefix) const
{
    std::vector<int64_t> left{tokens};
    for (int64_t layer = 0; layer < layers; ++layer) {
        const int64_t wanted = layer < std::ssize(counts) ? counts[size_t(layer)] : 0;
        left.push_back(left.back() - std::min(wanted, mergeable(left.back(), prefix)));
    }
    return left;
}

MergePlan MergePlan::only(int64_t layer) const
{
    MergePlan plan = *this;
    for (int64_t i = 0; i < std::ssize(plan.counts); ++i)
        if (i != layer)
            plan.counts[size_t(i)] = 0;
    return plan;
}

TokenMerger::TokenMerger(const MergePlan& plan, const TokenLayout& layout)
    : m_plan(plan)
    , m_layout(layout)
    , m_tokens(layout.count())
{}

at::Tensor TokenMerger::merge(int64_t layer, const at::Tensor& x, const at::Tensor& k)
{
    const int64_t wanted = layer < std::ssize(m_plan.counts) ? m_plan.counts[size_t(layer)] : 0;
    const MatchRequest request{.count = std::min(wanted, mergeable(x.size(1), m_layout.prefix)),
                               .protectedTokens = m_layout.prefix,
                               .order = m_plan.order,
                               .ownKernels = k.is_cpu() && k.scalar_type() == at::kFloat};
    if (request.count == 0)
        return x;
    const int64_t tokens = x.size(1);
    at::Tensor merged, survivors;
    if (fitsMergingOnCpu(x, k)) {
        MergedOnCpu own = mergeTokensOnCpu(x, m_sizes, k, request);
        merged = own.rows, m_sizes = own.sizes, survivors = own.survivors;
        m_steps.push_back(own.places);
    } else {
        const at::ScalarType type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const TokenMatching matching = matchTokens(k.detach().to(type).mean(1), request);
        const auto sizes = m_sizes.defined() ? m_sizes : at::ones({x.size(0), tokens}, x.options().dtype(type));
        const SizedRows after = mergeRows({x.to(type), sizes.unsqueeze(-1)}, matching);
        merged = after.rows.to(x.scalar_type()), m_sizes = after.sizes.squeeze(-1), survivors = matching.survivors;
        m_steps.push_back(placesAfter(matching, tokens));
    }
    m_origins = m_origins.defined() ? m_origins.gather(1, survivors) : survivors;
    m_tokens = merged.size(1);
    return merged;
}

at::Tensor TokenMerger::keyLogWeights(int64_t heads) const
{
    return m_sizes.defined() ? m_sizes.log().unsqueeze(1).expand({-1, heads, -1}) : at::Tensor();
}

TokenLayout TokenMerger::layout() const
{
    return hasMerged() ? TokenLayout{.prefix = m_layout.prefix} : m_layout;
}

const at::Tensor& TokenMerger::places() const
{
    for (const at::Tensor& step : m_steps)
        m_places = m_places.defined() ? step.gather(1, m_places) : step;
    m_steps.clear();
    return m_places;
}

at::Tensor TokenMerger::unmerged(const at::Tensor& x, int64_t dim) const
{
    if (!hasMerged() || x.dim() <= dim || x.size(dim) != m_tokens)
        return x;
    std::vector<int64_t> sizes = x.sizes().vec(), shape(sizes.size(), 1);
    sizes[size_t(dim)] = places().size(1);
    shape.front() = x.size(0), shape[size_t(dim)] = places().size(1);
    return x.gather(dim, places().view(shape).expand(sizes));
}

}
