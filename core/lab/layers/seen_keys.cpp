#include "core/lab/layers/seen_keys.h"

#include "core/attention/key_sets.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attnscope {

namespace {

constexpr int64_t weightsAtOnce = 1 << 21;  // 8 MB in float32

/// What the queries of all elements and heads see of one group of keys, (B·H,N) each.
struct GroupKeys {
    at::Tensor count;     ///< of keys, on the CPU
    at::Tensor massKept;  ///< NaN where that is 0
};

/// q (B,H,N,D), scaled, k (B,H,M,D) of one group.
GroupKeys groupKeys(const at::Tensor& q, const at::Tensor& k, const KeySets& sets)
{
    const int64_t heads = q.size(1), queries = q.size(2), keys = k.size(2);
    GroupKeys group{at::zeros({q.size(0) * heads, queries}, at::kLong),
                    at::zeros({q.size(0) * heads, queries}, q.options())};
    std::map<int64_t, std::vector<int64_t>> elements;  // of each set
    for (int64_t i = 0; i < q.size(0) * heads; ++i)
        elements[sets.setOf(i / heads, i % heads)].push_back(i);
    for (const auto& [set, own] : elements) {
        const int64_t block = std::clamp<int64_t>(weightsAtOnce / (std::ssize(own) * keys), 1, queries);
        const auto index = at::tensor(own, at::kLong), there = index.to(q.device());
        const auto ownQueries = q.flatten(0, 1).index_select(0, there),
                   ownKeys = k.flatten(0, 1).index_select(0, there).transpose(-1, -2);
        for (int64_t begin = 0; begin < queries; begin += block) {
            const int64_t end = std::min(begin + block, queries);
            const auto seen = sets.rows(set, begin, end) > 0;  // (n,M)
            const auto count = seen.sum(-1);
            group.count.slice(1, begin, end).index_copy_(0, index, count.expand({std::ssize(own), -1}));
            const auto weights = at::matmul(ownQueries.slice(1, begin, end), ownKeys).softmax(-1);  // (E,n,M)
            const auto kept =
                (weights * seen.to(q.options())).sum(-1).masked_fill((count == 0).to(q.device()), std::nan(""));
            group.massKept.slice(1, begin, end).index_copy_(0, there, kept);
        }
    }
    return group;
}

/// Where the queries lie; without a grid nothing is known.
void placeQueries(const AttentionInput& in, LayerKeys& keys)
{
    const TokenPlaces places = placesOf(in.q.size(2), in.tokens);
    if (!in.tokens.hasGrid() || places.rows != in.tokens.rows || places.columns != in.tokens.columns)
        return;
    keys.grid = {places.rows, places.columns};
    keys.prefix = places.prefix, keys.frames = places.frames;
}

}

std::optional<LayerKeys> seenKeys(const AttentionBackend& attention, const AttentionInput& in, NoiseSource& noise)
{
    const auto sets = attention.keySets(in, noise);
    if (sets.empty())
        return std::nullopt;
    const at::ScalarType type = in.q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const auto q = in.q.to(type) * in.scale;
    const auto keys = in.k.to(type).chunk(std::ssize(sets), 2);
    std::vector<at::Tensor> counts, mass;
    for (size_t g = 0; g < sets.size(); ++g) {
        const GroupKeys group = groupKeys(q, keys[g], *sets[g]);
        counts.push_back(group.count.unflatten(0, {-1, q.size(1)}));  // (B,H,N)
        mass.push_back(group.massKept.unflatten(0, {-1, q.size(1)}));
    }
    const auto count = at::stack(counts).to(at::kDouble), kept = at::stack(mass).nanmean(0);
    const auto empty = (count == 0).to(at::kDouble);
    const auto keysOfGroup = double(keys.front().size(2));
    const auto density = (count / keysOfGroup + empty).mean(at::IntArrayRef{0, 1, 3}),
               emptyRows = empty.mean(at::IntArrayRef{0, 1, 3}),
               massKept = kept.to(at::kCPU, at::kDouble).nanmean(at::IntArrayRef{0, 2});  // (H)
    LayerKeys result;
    for (int64_t head = 0; head < q.size(1); ++head) {
        result.heads.push_back(
            {density[head].item<double>(), emptyRows[head].item<double>(), massKept[head].item<double>()});
        result.massKept.push_back(floatsOf(kept[0][head]));
    }
    result.mean = {density.mean().item<double>(), emptyRows.mean().item<double>(),
                   massKept.nanmean().item<double>()};
    placeQueries(in, result);
    return result;
}

std::vector<std::vector<float>> seenByQuery(const AttentionBackend& attention, const AttentionInput& in,
                                            NoiseSource& noise, int64_t query)
{
    const auto sets = attention.keySets(in, noise);
    std::vector<std::vector<float>> seen;
    for (int64_t head = 0; !sets.empty() && head < in.q.size(1); ++head) {
        std::vector<at::Tensor> groups;
        for (const auto& group : sets)
            groups.push_back(group->rows(group->setOf(0, head), query, query + 1)[0]);
        seen.push_back(floatsOf(at::cat(groups)));
    }
    return seen;
}

}
