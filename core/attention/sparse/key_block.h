#pragma once

#include "core/kernels/cpu/cpu_kernels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attnscope {

/// Takes the keys that a query sees, each once however many rules admit it.
class KeyCollector {
public:
    virtual ~KeyCollector() = default;
    /// Keys [first, end), with weight 0.
    virtual void add(int64_t first, int64_t end) = 0;
    /// One key with a log weight that is added to its logit.
    virtual void addWeighted(int64_t key, double logWeight) = 0;
    /// Every key, with weight 0.
    virtual void addAll() = 0;
};

/// The keys that a block of at most kernels::queryBlock queries sees, as tiles for the kernel.
class KeyBlock final : public KeyCollector {
public:
    explicit KeyBlock(int64_t keys);

    void begin(int64_t queries);
    /// What is added next is seen by these queries of the block, as bits.
    void addFor(uint64_t queries) { m_queries = queries; }
    uint64_t everyQuery() const { return m_every; }

    void add(int64_t first, int64_t end) override;
    void addWeighted(int64_t key, double logWeight) override;
    void addAll() override { m_seesAll |= m_queries; }

    /// Ascending, for the queries that do not see everything; valid until the next `begin`.
    std::span<const kernels::SparseTile> tiles();
    /// Queries for which any key was added, and those that see every key. Known once there are tiles.
    uint64_t seesSome() const { return m_seesSome; }
    uint64_t seesAll() const { return m_seesAll; }

    /// `count` zeros for a pattern's own use, which it sets to zero again.
    std::vector<uint64_t>& zeros(size_t count)
    {
        if (m_zeros.size() < count)
            m_zeros.resize(count, 0);
        return m_zeros;
    }

private:
    struct Weighted {
        int32_t key;
        float logWeight;
        uint64_t queries;
    };

    void collectKeys();
    void layOutWeights();

    std::vector<uint64_t> m_seenBy;   // of each key
    std::vector<uint64_t> m_touched;  // a bit for each key
    std::vector<Weighted> m_weighted;
    std::vector<int32_t> m_position;  // of each key in m_keys, if keys have weights
    std::vector<uint64_t> m_zeros;
    uint64_t m_queries = 0, m_every = 0, m_seesSome = 0, m_seesAll = 0;

    std::vector<int32_t> m_keys;
    std::vector<uint64_t> m_keysSeenBy;
    std::vector<float> m_bias;
    std::vector<kernels::SparseTile> m_tiles;
};

}
