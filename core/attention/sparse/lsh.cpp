// SPDX-License-Identifier: Apache-2.0
#include "core/attention/sparse/lsh.h"

#include "core/attention/shapes.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/attention/sparse/sparse_softmax.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

/// For one sequence and one round: tokens ordered by (group, place), and where each group begins.
struct HashGroups {
    std::vector<std::int32_t> groupOf, order, first;
};

HashGroups groupsOf(const std::vector<std::int32_t>& groupOf, std::int64_t groups)
{
    HashGroups result{groupOf, std::vector<std::int32_t>(groupOf.size()),
                      std::vector<std::int32_t>(static_cast<std::size_t>(groups) + 1, 0)};
    for (const std::int32_t group : groupOf)
        ++result.first[static_cast<std::size_t>(group) + 1];
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    std::vector<std::int32_t> next(result.first.begin(), result.first.end() - 1);
    for (std::size_t token = 0; token < groupOf.size(); ++token)
        result.order[static_cast<std::size_t>(next[static_cast<std::size_t>(groupOf[token])]++)] =
            static_cast<std::int32_t>(token);
    return result;
}

/// Buckets → chunks of nearly equal size: the token of rank p among n is in chunk ⌊p·C/n⌋.
std::vector<std::int32_t> chunked(const std::vector<std::int32_t>& buckets, std::int64_t bucketCount,
                                  std::int64_t chunks)
{
    const HashGroups sorted = groupsOf(buckets, bucketCount);
    std::vector<std::int32_t> chunkOf(buckets.size());
    const auto count = static_cast<std::int64_t>(buckets.size());
    for (std::int64_t rank = 0; rank < count; ++rank)
        chunkOf[static_cast<std::size_t>(sorted.order[static_cast<std::size_t>(rank)])] =
            static_cast<std::int32_t>(rank * chunks / count);
    return chunkOf;
}

/// Queries and keys of one round and one head of one element.
struct HashRound {
    std::vector<std::int32_t> queryGroups;
    HashGroups keys;
};

struct HashSets {
    std::int64_t heads = 1, rounds = 1, groups = 1;
    bool lookBack = false;  ///< the group before is seen as well, on a ring
    bool duplicates = false;
    std::vector<HashRound> tables;  // (B·H, rounds)
};

class HashPattern : public KeyPattern {
public:
    HashPattern(SparsePlaces places, HashSets sets)
        : m_places(std::move(places))
        , m_sets(std::move(sets))
    {}

    [[nodiscard]] std::int64_t queries() const override { return m_places.queries(); }
    [[nodiscard]] std::int64_t keys() const override { return m_places.keys(); }
    [[nodiscard]] std::int64_t setOf(std::int64_t element, std::int64_t head) const override
    {
        return element * m_sets.heads + head;
    }

    void list(std::int64_t set, std::int64_t query, KeyRow& row) const override
    {
        if (query < m_places.queryPrefix()) {
            row.addAll();
            return;
        }
        const auto patch = static_cast<std::size_t>(query - m_places.queryPrefix());
        for (std::int64_t r = 0; r < m_sets.rounds; ++r) {
            const HashRound& round = m_sets.tables[static_cast<std::size_t>(set * m_sets.rounds + r)];
            for (std::int64_t key = 0; key < m_places.keyPrefix(); ++key)
                row.count(key);
            const std::int64_t group = round.queryGroups[patch],
                               before = (group + m_sets.groups - 1) % m_sets.groups;
            countGroup(round.keys, group, row);
            if (m_sets.lookBack && before != group)
                countGroup(round.keys, before, row);
        }
        if (m_sets.duplicates)
            row.weighByCount();
        else
            row.forgetCounts();
    }

private:
    void countGroup(const HashGroups& keys, std::int64_t group, KeyRow& row) const
    {
        for (std::int32_t at = keys.first[static_cast<std::size_t>(group)];
             at < keys.first[static_cast<std::size_t>(group) + 1]; ++at)
            row.count(m_places.keyPrefix() + keys.order[static_cast<std::size_t>(at)]);
    }

    SparsePlaces m_places;
    HashSets m_sets;
};

/// h(x) = argmax [xR; −xR], ties to the lowest: x (n,D), rotations (D, b/2) → n buckets. A few rows at a
/// time, as b may grow with n.
std::vector<std::int32_t> hashed(const at::Tensor& x, const at::Tensor& rotations)
{
    constexpr std::int64_t rows = 512;
    std::vector<std::int32_t> buckets;
    for (std::int64_t begin = 0; begin < x.size(0); begin += rows) {
        const auto turned = at::matmul(x.slice(0, begin, begin + rows), rotations)
                                .to(at::kCPU, at::kDouble)
                                .contiguous();  // (rows, b/2)
        const auto* values = turned.const_data_ptr<double>();
        const std::int64_t width = turned.size(1);
        for (std::int64_t r = 0; r < turned.size(0); ++r, values += width) {
            const double *largest = std::max_element(values, values + width),
                         *least = std::min_element(values, values + width);
            buckets.push_back(
                static_cast<std::int32_t>(-*least > *largest ? width + (least - values) : largest - values));
        }
    }
    return buckets;
}

class LshAttention : public SparseAttention {
public:
    LshAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_rounds(spec.integer("samples"))
        , m_buckets(spec.integer("buckets"))
        , m_chunk(spec.integer("chunk"))
        , m_chunks(spec.choice("form") == "chunks")
        , m_duplicates(spec.flag("duplicates"))
        , m_center(spec.flag("center"))
    {
        if (m_buckets % 2 != 0)
            throw UsageError(spec.canonical(),
                             std::to_string(m_buckets)
                                 + " buckets are an odd number, but every rotation makes two",
                             "buckets is an even number from 2 to 1024, or 0");
    }

    /// With balanced buckets.
    double multiplyAdds(const AttentionShape& s) const override
    {
        const SparsePlaces places(s.queries, s.keys / s.keyGroups, tokens(), {});
        const auto n = static_cast<double>(places.queryPatches()),
                   m = static_cast<double>(places.keyPatches());
        if (n == 0 || m == 0)
            return static_cast<double>(s.heads * s.queries * s.keys)
                   * static_cast<double>(s.width + s.valueDim);
        const auto buckets = static_cast<double>(bucketsFor(places.keyPatches()));
        const double seen = m_chunks ? std::min(1.0, 2 / static_cast<double>(chunksFor(places.keyPatches())))
                                     : 1 / buckets;
        const double found = n * m * (1 - std::pow(1 - seen, static_cast<double>(m_rounds)));  // in any round
        const auto prefixed = static_cast<double>(places.queryPrefix() * places.keys()
                                                  + places.queryPatches() * places.keyPrefix());
        const double hashing = static_cast<double>(m_rounds * s.width) * buckets / 2 * (n + m);
        return static_cast<double>(s.heads * s.keyGroups)
               * ((found + prefixed) * static_cast<double>(s.width + s.valueDim) + hashing);
    }

protected:
    std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces places,
                                              NoiseSource& noise) const override
    {
        HashSets sets{.heads = in.q.size(1), .lookBack = m_chunks, .duplicates = m_duplicates};
        if (places.queryPatches() == 0 || places.keyPatches() == 0) {
            sets.rounds = 0;
            return std::make_shared<HashPattern>(std::move(places), std::move(sets));
        }
        const at::Tensor rotations = rotationsFor(in, places, noise).to(in.q.options());
        sets.rounds = rotations.size(1);
        const std::int64_t buckets = 2 * rotations.size(3);
        sets.groups = m_chunks ? chunksFor(places.keyPatches()) : buckets;
        const auto q = hashInput(in.q, places.queryPrefix()), k = hashInput(in.k, places.keyPrefix());
        for (std::int64_t b = 0; b < q.size(0); ++b)
            for (std::int64_t h = 0; h < q.size(1); ++h)
                for (std::int64_t r = 0; r < sets.rounds; ++r)
                    sets.tables.push_back(roundOf(q[b][h], k[b][h], rotations[h][r], sets.groups));
        return std::make_shared<HashPattern>(std::move(places), std::move(sets));
    }

private:
    std::int64_t bucketsFor(std::int64_t keys) const
    {
        if (m_buckets > keys)
            throw UsageError(spec().canonical(),
                             std::to_string(m_buckets) + " buckets are more than the " + std::to_string(keys)
                                 + " keys to hash",
                             keys >= 2 ? "buckets is an even number from 2 to " + std::to_string(keys / 2 * 2)
                                             + " here, or 0"
                                       : "leave buckets at 0");
        return m_buckets > 0 ? m_buckets : 2 * std::max<std::int64_t>(1, (keys + m_chunk) / (2 * m_chunk));
    }

    std::int64_t chunksFor(std::int64_t keys) const
    {
        return std::max<std::int64_t>(1, (keys + m_chunk - 1) / m_chunk);
    }

    /// (H, rounds, D, b/2)
    at::Tensor rotationsFor(const AttentionInput& in, const SparsePlaces& places, NoiseSource& noise) const
    {
        const std::int64_t heads = in.q.size(1), width = in.q.size(3);
        if (!noise.holds("rotations"))
            return noise.sharedNormal(
                "rotations", {heads, m_rounds, width, bucketsFor(places.keyPatches()) / 2}, in.q.options());
        at::Tensor given = noise.given("rotations");
        if (given.dim() != 4 || given.size(0) != heads || given.size(2) != width || given.numel() == 0)
            throw UsageError("", "the recorded `rotations` are " + describeShape(given.sizes()),
                             "heads, rounds, " + std::to_string(width)
                                 + " channels and half the buckets are needed");
        return given;
    }

    at::Tensor hashInput(const at::Tensor& x, std::int64_t prefix) const
    {
        const auto patches = x.detach().slice(2, prefix);
        return m_center ? patches - patches.mean(2, true) : patches;
    }

    HashRound roundOf(const at::Tensor& q, const at::Tensor& k, const at::Tensor& rotations,
                      std::int64_t groups) const
    {
        auto queries = hashed(q, rotations), keys = hashed(k, rotations);
        if (m_chunks) {
            queries = chunked(queries, 2 * rotations.size(1), groups);
            keys = chunked(keys, 2 * rotations.size(1), groups);
        }
        return {std::move(queries), groupsOf(keys, groups)};
    }

    std::int64_t m_rounds, m_buckets, m_chunk;
    bool m_chunks, m_duplicates, m_center;
};

OptionInfo centerOption()
{
    OptionInfo option = flagOption(
        "center", "hash q and k less their means over the tokens, without which few buckets take most keys");
    option.defaultValue = true;
    return option;
}

}  // namespace

BackendInfo lshInfo()
{
    return {
        .name = "lsh",
        .title = "LSH on separate q, k",
        .help = "softmax over the keys whose random hash is that of the query; `routing`, which learns its "
                "clusters, is not offered",
        .citation = "Kitaev, Kaiser, Levskaya, Reformer: The Efficient Transformer, ICLR 2020, on separate "
                    "queries and keys",
        .complexity = "O(R·N·M/b·D)",
        .random = true,
        .tokenComplexity = {.time = 2, .memory = 1},
        .everyKey = false,
        .look = {Hue::Performer, Mark::Asterisk, {5, 1.5, 1, 1.5}},
        .options =
            {integerOption("samples", "rounds of hashing", 4, 1, 64),
             integerOption("buckets", "buckets b of a round, even and no more than keys; 0: keys / `chunk`",
                           0, 0, 1024),
             choiceOption(
                 "form", "which keys a query sees",
                 {{"buckets", "those of its bucket in any round", {}},
                  {"chunks",
                   "those of its chunk and the one before, in the order of buckets: the published batching",
                   {}}}),
             integerOption("chunk", "keys of a chunk", 32, 1, 4096),
             flagOption("duplicates", "a key counts as often as rounds find it"), centerOption(),
             keysOption(), seedOption()},
        .make = makeMethod<LshAttention>,
        .planCandidates = {"lsh"}};
}

}  // namespace attnscope
