#include "core/attention/sparse/lsh.h"

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_hashing.h"
#include "core/attention/fused/cpu_tensors.h"
#include "core/attention/shapes.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

/// For one sequence and one round: tokens ordered by (group, place), and where each group begins.
struct HashGroups {
    std::vector<int32_t> groupOf, order, first;
};

HashGroups groupsOf(const std::vector<int32_t>& groupOf, int64_t groups)
{
    HashGroups result{groupOf, std::vector<int32_t>(groupOf.size()), std::vector<int32_t>(size_t(groups) + 1, 0)};
    for (const int32_t group : groupOf)
        ++result.first[size_t(group) + 1];
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    std::vector<int32_t> next(result.first.begin(), result.first.end() - 1);
    for (size_t token = 0; token < groupOf.size(); ++token)
        result.order[size_t(next[size_t(groupOf[token])]++)] = int32_t(token);
    return result;
}

/// Buckets → chunks of nearly equal size: the token of rank p among n is in chunk ⌊p·C/n⌋.
std::vector<int32_t> chunked(const std::vector<int32_t>& buckets, int64_t bucketCount, int64_t chunks)
{
    const HashGroups sorted = groupsOf(buckets, bucketCount);
    std::vector<int32_t> chunkOf(buckets.size());
    const auto count = int64_t(buckets.size());
    for (int64_t rank = 0; rank < count; ++rank)
        chunkOf[size_t(sorted.order[size_t(rank)])] = int32_t(rank * chunks / count);
    return chunkOf;
}

/// Queries and keys of one round and one head of one element.
struct HashRound {
    std::vector<int32_t> queryGroups;
    HashGroups keys;
};

struct HashSets {
    int64_t heads = 1, rounds = 1, groups = 1;
    bool lookBack = false;  ///< the group before is seen as well, on a ring
    bool duplicates = false;
    std::vector<HashRound> tables;  // (B·H, rounds)
};

class HashPattern : public KeyPattern {
public:
    HashPattern(SparsePlaces places, HashSets sets)
        : m_places(std::move(places))
        , m_sets(std::move(sets))
        , m_joint(fillsBlocks())
    {}

    int64_t queries() const override { return m_places.queries(); }
    int64_t keys() const override { return m_places.keys(); }
    int64_t setOf(int64_t element, int64_t head) const override { return element * m_sets.heads + head; }

    void list(int64_t set, int64_t query, KeyCollector& keys) const override
    {
        if (query < m_places.queryPrefix()) {
            keys.addAll();
            return;
        }
        const auto patch = size_t(query - m_places.queryPrefix());
        const int64_t prefix = m_sets.rounds > 0 ? m_places.keyPrefix() : 0;
        for (int64_t key = 0; key < prefix; ++key)
            keys.addWeighted(key, weightOf(m_sets.rounds));
        for (int64_t r = 0; r < m_sets.rounds; ++r)
            forEachFound(roundOf(set, r).keys, roundOf(set, r).queryGroups[patch], [&](int32_t key) {
                int64_t found = 0;
                bool before = false;
                for (int64_t other = 0; other < m_sets.rounds && !before; ++other) {
                    const bool again = finds(roundOf(set, other), patch, key);
                    before = again && other < r;
                    found += again ? 1 : 0;
                }
                if (!before)
                    keys.addWeighted(m_places.keyPrefix() + key, weightOf(found));
            });
    }

    /// The rounds; what was found before is left out, unless keys count as often as they are found.
    int64_t parts() const override { return m_joint ? 1 : m_sets.rounds; }

    QueryGroups groups(int64_t set, int64_t part) const override
    {
        QueryGroups groups;
        for (int64_t query = 0; query < m_places.queryPrefix(); ++query)
            groups.add(query);
        groups.end();
        if (m_sets.rounds > 0)
            groups.addByClass(roundOf(set, part).queryGroups, m_sets.groups, m_places.queryPrefix(),
                              m_joint ? m_places.queryPatches() : 0);
        else
            groups.addByClass(std::vector<int32_t>(size_t(m_places.queryPatches()), 0), 1, m_places.queryPrefix());
        return groups;
    }

    void listPart(int64_t set, int64_t part, std::span<const int32_t> queries, KeyBlock& block) const override
    {
        block.addFor(block.everyQuery());
        if (queries.front() < m_places.queryPrefix()) {
            block.addAll();
            return;
        }
        if (m_sets.rounds > 0 && (part == 0 || m_sets.duplicates))
            block.add(0, m_places.keyPrefix());
        const int64_t rounds = m_joint ? m_sets.rounds : m_sets.duplicates ? 0 : part;
        auto& finders = block.zeros(
            size_t(rounds * m_sets.groups));  // of a group of keys: the queries that see it
        const auto mark = [&](auto&& change) {
            for (int64_t r = 0; r < rounds; ++r)
                for (size_t i = 0; i < queries.size(); ++i) {
                    const int64_t group = groupOf(roundOf(set, r), queries[i]);
                    change(finders[size_t(r * m_sets.groups + group)], i);
                    if (m_sets.lookBack)
                        change(finders[size_t(r * m_sets.groups + groupBefore(group))], i);
                }
        };
        mark([](uint64_t& seenBy, size_t i) { seenBy |= uint64_t{1} << i; });
        const auto findersOf = [&](int64_t key) {
            uint64_t found = 0;
            for (int64_t r = 0; r < rounds; ++r)
                found |= finders[size_t(r * m_sets.groups + roundOf(set, r).keys.groupOf[size_t(key)])];
            return found;
        };
        const auto add = [&](int64_t key, uint64_t seenBy) {
            block.addFor(seenBy);
            block.add(m_places.keyPrefix() + key, m_places.keyPrefix() + key + 1);
        };
        if (m_joint)
            for (int64_t key = 0; key < m_places.keyPatches() && rounds > 0; ++key)
                add(key, findersOf(key));
        else
            forEachFound(roundOf(set, part).keys, groupOf(roundOf(set, part), queries.front()),
                         [&](int32_t key) { add(key, block.everyQuery() & ~findersOf(key)); });
        mark([](uint64_t& seenBy, size_t) { seenBy = 0; });
    }

private:
    /// Whether the rounds one after the other compute as much as exact attention: then all keys are one part, of which most are seen.
    bool fillsBlocks() const
    {
        constexpr double vector = 16;  // queries
        const double members = std::max(1.0, double(m_places.queryPatches()) / double(m_sets.groups));
        const double computed = double(m_sets.rounds * (m_sets.lookBack ? 2 : 1)) / double(m_sets.groups)
                                * std::ceil(members / vector) * vector / members;
        return m_sets.rounds == 0 || (!m_sets.duplicates && computed > 0.75);
    }

    const HashRound& roundOf(int64_t set, int64_t round) const
    {
        return m_sets.tables[size_t(set * m_sets.rounds + round)];
    }
    int64_t groupOf(const HashRound& round, int64_t query) const
    {
        return round.queryGroups[size_t(query - m_places.queryPrefix())];
    }
    int64_t groupBefore(int64_t group) const { return (group + m_sets.groups - 1) % m_sets.groups; }
    double weightOf(int64_t found) const { return m_sets.duplicates ? std::log(double(found)) : 0; }

    bool finds(const HashRound& round, size_t patch, int32_t key) const
    {
        const int32_t group = round.queryGroups[patch], other = round.keys.groupOf[size_t(key)];
        return group == other || (m_sets.lookBack && other == groupBefore(group));
    }

    /// Calls work(key) for the keys that queries of a group see in a round, counted without the prefix.
    template <typename Work>
    void forEachFound(const HashGroups& keys, int64_t group, const Work& work) const
    {
        const auto forEachOf = [&](int64_t one) {
            for (int32_t at = keys.first[size_t(one)]; at < keys.first[size_t(one) + 1]; ++at)
                work(keys.order[size_t(at)]);
        };
        forEachOf(group);
        if (m_sets.lookBack && groupBefore(group) != group)
            forEachOf(groupBefore(group));
    }

    SparsePlaces m_places;
    HashSets m_sets;
    bool m_joint;
};

/// h(x) = argmax [xR; −xR], ties to the lowest, for each round: x (n,D), rotations (R,D,b/2) → n buckets. A few rows at a
/// time, as b may grow with n.
std::vector<std::vector<int32_t>> hashed(const at::Tensor& x, const at::Tensor& rotations)
{
    constexpr int64_t rows = 512;
    std::vector<std::vector<int32_t>> buckets(size_t(rotations.size(0)));
    for (int64_t begin = 0; begin < x.size(0); begin += rows) {
        const auto turned = at::matmul(x.slice(0, begin, begin + rows), rotations)
                                .to(at::kCPU, at::kDouble)
                                .contiguous();  // (R,rows,b/2)
        const auto* values = turned.const_data_ptr<double>();
        const int64_t width = turned.size(2);
        for (int64_t r = 0; r < turned.size(0) * turned.size(1); ++r, values += width) {
            const double *largest = std::max_element(values, values + width),
                         *least = std::min_element(values, values + width);
            buckets[size_t(r / turned.size(1))].push_back(
                int32_t(-*least > *largest ? width + (least - values) : largest - values));
        }
    }
    return buckets;
}

enum class Side { Queries, Keys };

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
    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const SparsePlaces places(s.queries, s.keys / s.keyGroups, tokens(), {});
        const auto n = double(places.queryPatches()), m = double(places.keyPatches());
        if (n == 0 || m == 0)
            return double(s.heads * s.queries * s.keys) * double(s.width + s.valueDim);
        const auto buckets = double(bucketsFor(places.keyPatches()));
        const double seen = m_chunks ? std::min(1.0, 2 / double(chunksFor(places.keyPatches()))) : 1 / buckets;
        const double found = n * m * (1 - std::pow(1 - seen, double(m_rounds)));  // in any round
        const auto prefixed = double(places.queryPrefix() * places.keys()
                                     + places.queryPatches() * places.keyPrefix());
        const double hashing = double(m_rounds * s.width) * buckets / 2 * (n + m);
        return double(s.heads * s.keyGroups) * ((found + prefixed) * double(s.width + s.valueDim) + hashing);
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
        const at::Tensor rotations = rotationsFor(in, places, noise);
        sets.rounds = rotations.size(1);
        const int64_t buckets = 2 * rotations.size(3);
        sets.groups = m_chunks ? chunksFor(places.keyPatches()) : buckets;
        sets.tables.resize(size_t(in.q.size(0) * sets.heads * sets.rounds));
        const auto take = [&](int64_t pair, Side side, std::vector<std::vector<int32_t>> found) {
            for (int64_t r = 0; r < sets.rounds; ++r) {
                auto groups = std::move(found[size_t(r)]);
                if (m_chunks)
                    groups = chunked(groups, buckets, sets.groups);
                HashRound& round = sets.tables[size_t(pair * sets.rounds + r)];
                if (side == Side::Queries)
                    round.queryGroups = std::move(groups);
                else
                    round.keys = groupsOf(groups, sets.groups);
            }
        };
        const auto q = patchesOf(in.q, places.queryPrefix()), k = patchesOf(in.k, places.keyPrefix());
        if (kernel() == SparseKernel::Auto && fitsCpuKernels(q) && fitsCpuKernels(k)) {
            const HashOnCpu hash(rotations, m_center);
            const auto cost = double(std::max(q.size(2), k.size(2)) * rotations[0].numel());
            forEachTask(2 * q.size(0) * sets.heads, cost, [&](int64_t task, int) {
                const int64_t pair = task / 2;
                const Side side = task % 2 == 0 ? Side::Queries : Side::Keys;
                take(pair, side,
                     hash.bucketsOf(side == Side::Queries ? q : k, pair / sets.heads, pair % sets.heads));
            });
        } else {
            const auto own = rotations.to(q.options());
            for (int64_t pair = 0; pair < q.size(0) * sets.heads; ++pair)
                for (const Side side : {Side::Queries, Side::Keys}) {
                    const auto x =
                        (side == Side::Queries ? q : k).select(0, pair / sets.heads).select(0, pair % sets.heads);
                    take(pair, side, hashed(m_center ? x - x.mean(0, true) : x, own[pair % sets.heads]));
                }
        }
        return std::make_shared<HashPattern>(std::move(places), std::move(sets));
    }

private:
    int64_t bucketsFor(int64_t keys) const
    {
        if (m_buckets > keys)
            throw UsageError(
                spec().canonical(),
                std::to_string(m_buckets) + " buckets are more than the " + std::to_string(keys) + " keys to hash",
                keys >= 2 ? "buckets is an even number from 2 to " + std::to_string(keys / 2 * 2) + " here, or 0"
                          : "leave buckets at 0");
        return m_buckets > 0 ? m_buckets : 2 * std::max<int64_t>(1, (keys + m_chunk) / (2 * m_chunk));
    }

    int64_t chunksFor(int64_t keys) const { return std::max<int64_t>(1, (keys + m_chunk - 1) / m_chunk); }

    /// (H, rounds, D, b/2)
    at::Tensor rotationsFor(const AttentionInput& in, const SparsePlaces& places, NoiseSource& noise) const
    {
        const int64_t heads = in.q.size(1), width = in.q.size(3);
        const auto type = in.q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        if (!noise.holds("rotations"))
            return noise.sharedNormal("rotations", {heads, m_rounds, width, bucketsFor(places.keyPatches()) / 2},
                                      in.q.options().dtype(type));
        at::Tensor given = noise.given("rotations");
        if (given.dim() != 4 || given.size(0) != heads || given.size(2) != width || given.numel() == 0)
            throw UsageError("", "the recorded `rotations` are " + describeShape(given.sizes()),
                             "heads, rounds, " + std::to_string(width)
                                 + " channels and half the buckets are needed");
        return given;
    }

    static at::Tensor patchesOf(const at::Tensor& x, int64_t prefix)
    {
        const auto patches = x.detach().slice(2, prefix);
        return patches.scalar_type() == at::kDouble ? patches : patches.to(at::kFloat);
    }

    int64_t m_rounds, m_buckets, m_chunk;
    bool m_chunks, m_duplicates, m_center;
};

OptionInfo centerOption()
{
    OptionInfo option = flagOption(
        "center", "hash q and k less their means over the tokens, without which few buckets take most keys");
    option.defaultValue = true;
    return option;
}

}

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
        .prefixSeesAll = true,
        .look = {Hue::Performer, Mark::Asterisk, {5, 1.5, 1, 1.5}},
        .options = {integerOption("samples", "rounds of hashing", 4, 1, 64),
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
                    kernelOption(), keysOption(), seedOption()},
        .make = makeMethod<LshAttention>,
        .planCandidates = {"lsh"}};
}

}
