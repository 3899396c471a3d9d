#include "core/attention/training_free/token_blocks.h"

#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_key_runs.h"
#include "core/attention/numerics/kept_copies.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

at::Tensor inOrder(const at::Tensor& x, const at::Tensor& order)
{
    if (order.defined() && fitsCpuKernels(x) && order.is_cpu())
        return rowsInOrderOnCpu(x, order);
    return order.defined() ? x.gather(2, order.unsqueeze(-1).expand({-1, -1, -1, x.size(3)})) : x;
}

/// `blocks` runs of nearly equal length, shorter ones first.
std::vector<int64_t> segmentBounds(int64_t tokens, int64_t blocks)
{
    std::vector<int64_t> bounds{0};
    const int64_t length = tokens / blocks, firstLong = blocks - tokens % blocks;
    for (int64_t i = 0; i < blocks; ++i)
        bounds.push_back(bounds.back() + length + (i >= firstLong ? 1 : 0));
    return bounds;
}

/// Cell i of c has rows ⌊i·n/c⌋ … ⌊(i+1)·n/c⌋ − 1, likewise columns.
TokenBlocks cells(const AttentionInput& in, int64_t rows, int64_t columns, int64_t side)
{
    const int64_t down = (rows + side - 1) / side, across = (columns + side - 1) / side;
    std::vector<int64_t> order;
    TokenBlocks blocks{.queryOrder = {}, .keyOrder = {}, .queryBounds = {0}, .keyBounds = {}};
    for (int64_t i = 0; i < down; ++i)
        for (int64_t j = 0; j < across; ++j) {
            for (int64_t r = i * rows / down; r < (i + 1) * rows / down; ++r)
                for (int64_t c = j * columns / across; c < (j + 1) * columns / across; ++c)
                    order.push_back(r * columns + c);
            blocks.queryBounds.push_back(int64_t(order.size()));
        }
    blocks.keyBounds = blocks.queryBounds;
    blocks.queryOrder = blocks.keyOrder =
        indicesOn(order, in.q.options()).expand({in.q.size(0), in.q.size(1), -1});
    return blocks;
}

/// x (B,H,n,·) → (B,H,n).
at::Tensor blockOfToken(const at::Tensor& x, const std::vector<int64_t>& bounds, const at::Tensor& order)
{
    std::vector<int64_t> block;
    for (size_t i = 0; i + 1 < bounds.size(); ++i)
        block.insert(block.end(), size_t(bounds[i + 1] - bounds[i]), int64_t(i));
    const auto byPlace = indicesOn(block, x.options()).expand({x.size(0), x.size(1), -1});
    return order.defined() ? byPlace.gather(2, order.argsort(/*stable=*/true, -1, false)) : byPlace;
}

/// The place of each row's pattern of signs in the Gray sequence: x (B,H,n,D), planes (H,bits,D) → (B,H,n).
at::Tensor grayRank(const at::Tensor& x, const at::Tensor& planes)
{
    const auto signs = (at::matmul(x, planes.transpose(-1, -2)) > 0).to(at::kLong);  // (B,H,n,bits)
    const auto powers = at::bitwise_left_shift(at::ones({planes.size(1)}, signs.options()),
                                               at::arange(planes.size(1), signs.options()));
    auto place = (signs * powers).sum(-1);
    for (int64_t step = 1; step < planes.size(1); step *= 2)
        place = at::bitwise_xor(place, at::bitwise_right_shift(place, step));
    return place;
}

}

at::Tensor TokenBlocks::sortedQueries(const at::Tensor& x) const
{
    return inOrder(x, queryOrder);
}

at::Tensor TokenBlocks::sortedKeys(const at::Tensor& x) const
{
    return inOrder(x, keyOrder);
}

at::Tensor TokenBlocks::unsorted(const at::Tensor& x) const
{
    return queryOrder.defined() ? inOrder(x, queryOrder.argsort(/*stable=*/true, -1, false)) : x;
}

at::Tensor TokenBlocks::blockOfQuery(const AttentionInput& in) const
{
    return blockOfToken(in.q, queryBounds, queryOrder);
}

at::Tensor TokenBlocks::blockOfKey(const AttentionInput& in) const
{
    return blockOfToken(in.k, keyBounds, keyOrder);
}

AttentionInput TokenBlocks::sorted(AttentionInput in) const
{
    in.q = sortedQueries(in.q), in.k = sortedKeys(in.k), in.v = sortedKeys(in.v);
    if (in.keyLogWeights.defined())
        in.keyLogWeights = sortedKeys(in.keyLogWeights.unsqueeze(-1)).squeeze(-1);
    in.tokens = {}, in.keyTokens = {};
    return in;
}

AttentionPart attendToOwnBlocks(
    const AttentionInput& sorted, const TokenBlocks& blocks,
    const std::function<AttentionPart(int64_t block, const AttentionInput& in)>& others)
{
    std::vector<at::Tensor> outputs, normalisers;
    for (int64_t i = 0; i < blocks.count(); ++i) {
        const auto at = size_t(i);
        const AttentionInput in = withQueries(sorted, blocks.queryBounds[at], blocks.queryBounds[at + 1]);
        AttentionPart part = exactPart(withKeys(in, blocks.keyBounds[at], blocks.keyBounds[at + 1]));
        if (blocks.count() > 1)
            part = joined(part, others(i, in));
        outputs.push_back(part.out);
        normalisers.push_back(part.logNormaliser);
    }
    return {blocks.unsorted(at::cat(outputs, 2)),
            blocks.unsorted(at::cat(normalisers, 2).unsqueeze(-1)).squeeze(-1),
            {}};
}

std::vector<OptionInfo> blockOrderOptions(const std::string& first)
{
    std::vector<OptionChoice> orders{
        {"auto", "windows of the grid, or segments where there is none", {}},
        {"windows", "cells of the grid", {}},
        {"segments", "tokens in a row", {}},
        {"lsh", "queries and keys of similar direction, by locality-sensitive hashing", {}}};
    std::ranges::stable_partition(orders, [&](const OptionChoice& order) { return order.name == first; });
    return {choiceOption("order", "which tokens form a block", std::move(orders)),
            advanced(integerOption("bits", "signs of a hash, with order=lsh", 7, 1, 30))};
}

BlockOrder blockOrderOf(const AttentionSpec& spec)
{
    const std::string& order = spec.choice("order");
    return order == "windows"    ? BlockOrder::Windows
           : order == "segments" ? BlockOrder::Segments
           : order == "lsh"      ? BlockOrder::Hashes
                                 : BlockOrder::Automatic;
}

int64_t blockCount(int64_t keys, int64_t block)
{
    return std::max<int64_t>((keys + block - 1) / block, 1);
}

TokenBlocks tokenBlocks(const AttentionInput& in, int64_t block, BlockOrder order, const at::Tensor& planes)
{
    const TokenPlaces places = placesOf(in.q.size(2), in.tokens);
    const bool grid = !places.isLine() && places.frames == 1 && places.prefix == 0
                      && places == placesOf(in.k.size(2), in.keyLayout());
    if (order == BlockOrder::Windows && !grid)
        throw UsageError("", "order=windows needs queries and keys on one known grid", "use order=segments");
    if (order == BlockOrder::Windows || (order == BlockOrder::Automatic && grid)) {
        const auto side = int64_t(std::llround(std::sqrt(double(block))));
        return cells(in, places.rows, places.columns, std::max<int64_t>(side, 1));
    }
    const int64_t blocks = std::min(blockCount(in.k.size(2), block), in.q.size(2));
    TokenBlocks found{.queryOrder = {},
                      .keyOrder = {},
                      .queryBounds = segmentBounds(in.q.size(2), blocks),
                      .keyBounds = segmentBounds(in.k.size(2), blocks)};
    if (order == BlockOrder::Hashes) {
        const auto sorted = [&](const at::Tensor& x) {
            return std::get<1>(grayRank(x.detach(), planes.to(x.options())).sort(/*stable=*/true, -1, false));
        };
        found.queryOrder = sorted(in.q);
        found.keyOrder = sorted(in.k);
    }
    return found;
}

BlockMeans blockMeans(const at::Tensor& x, const at::Tensor& logWeights, const std::vector<int64_t>& bounds)
{
    const auto blocks = int64_t(bounds.size()) - 1;
    std::vector<int64_t> blockOf, sizes;
    for (int64_t i = 0; i < blocks; ++i) {
        sizes.push_back(bounds[size_t(i) + 1] - bounds[size_t(i)]);
        blockOf.insert(blockOf.end(), size_t(sizes.back()), i);
    }
    const bool equal = std::ranges::adjacent_find(sizes, std::ranges::not_equal_to()) == sizes.end();
    const auto index = indicesOn(blockOf, x.options());
    const auto sums = [&](const at::Tensor& y) {
        if (equal)
            return y.unflatten(2, {blocks, -1}).sum(3);
        return at::zeros({y.size(0), y.size(1), blocks, y.size(3)}, y.options()).index_add(2, index, y);
    };
    if (!logWeights.defined()) {
        const auto count = copiedTo(at::tensor(sizes, at::kLong), x.options());
        return {sums(x) / count.unsqueeze(-1), count.log().expand({x.size(0), x.size(1), -1})};
    }
    const auto largest = logWeights.amax(-1, true);
    const auto weights = (logWeights - largest).exp().unsqueeze(-1).to(x.scalar_type());  // (B,H,M,1)
    const auto mass = sums(weights);
    return {(sums(x * weights) / mass).nan_to_num(0), mass.squeeze(-1).log() + largest};
}

}
