#include "core/attention/sparse/key_block.h"

#include <algorithm>
#include <bit>

namespace attnscope {

namespace {

constexpr int64_t bits = 64;

}

KeyBlock::KeyBlock(int64_t keys)
    : m_seenBy(size_t(keys), 0)
    , m_touched(size_t((keys + bits - 1) / bits), 0)
{}

void KeyBlock::begin(int64_t queries)
{
    m_every = (uint64_t{1} << queries) - 1;
    m_queries = m_seesSome = m_seesAll = 0;
}

void KeyBlock::add(int64_t first, int64_t end)
{
    if (first >= end)
        return;
    uint64_t* const seenBy = m_seenBy.data();
    for (int64_t key = first; key < end; ++key)
        seenBy[key] |= m_queries;
    const int64_t last = (end - 1) / bits;
    for (int64_t word = first / bits; word <= last; ++word) {
        const uint64_t from = word == first / bits ? ~uint64_t{0} << first % bits : ~uint64_t{0};
        const uint64_t upTo = word == last ? ~uint64_t{0} >> (bits - 1 - (end - 1) % bits) : ~uint64_t{0};
        m_touched[size_t(word)] |= from & upTo;
    }
}

void KeyBlock::addWeighted(int64_t key, double logWeight)
{
    add(key, key + 1);
    if (logWeight != 0)
        m_weighted.push_back({int32_t(key), float(logWeight), m_queries});
}

/// The keys that were added, in ascending order, which are then forgotten.
void KeyBlock::collectKeys()
{
    m_keys.clear();
    m_keysSeenBy.clear();
    for (size_t word = 0; word < m_touched.size(); ++word) {
        for (uint64_t left = m_touched[word]; left != 0; left &= left - 1) {
            const size_t key = word * bits + size_t(std::countr_zero(left));
            const uint64_t seenBy = m_seenBy[key];
            m_seenBy[key] = 0;
            m_seesSome |= seenBy;
            if ((seenBy & ~m_seesAll) == 0)
                continue;
            m_keys.push_back(int32_t(key));
            m_keysSeenBy.push_back(seenBy);
        }
        m_touched[word] = 0;
    }
}

std::span<const kernels::SparseTile> KeyBlock::tiles()
{
    collectKeys();
    layOutWeights();
    m_tiles.clear();
    const auto count = int64_t(m_keys.size());
    const int64_t tiles = (count + kernels::keyTile - 1) / kernels::keyTile;
    const int64_t length = tiles == 0 ? 0 : ((count + tiles - 1) / tiles + 7) / 8 * 8;
    for (int64_t begin = 0; begin < count; begin += length) {
        kernels::SparseTile tile{.keys = m_keys.data() + begin, .count = std::min(length, count - begin)};
        const auto* const seenBy = m_keysSeenBy.data() + begin;
        const bool every = std::all_of(seenBy, seenBy + tile.count,
                                       [&](uint64_t some) { return (some | m_seesAll) == m_every; });
        if (!every)
            tile.seenBy = seenBy;
        if (!m_bias.empty())
            tile.bias = m_bias.data() + begin * kernels::queryBlock;
        m_tiles.push_back(tile);
    }
    return m_tiles;
}

void KeyBlock::layOutWeights()
{
    m_bias.clear();
    if (m_weighted.empty())
        return;
    m_bias.resize(m_keys.size() * size_t(kernels::queryBlock), 0);
    m_position.resize(m_seenBy.size());
    for (size_t i = 0; i < m_keys.size(); ++i)
        m_position[size_t(m_keys[i])] = int32_t(i);
    for (const Weighted& one : m_weighted) {
        if ((one.queries & ~m_seesAll) == 0)
            continue;
        float* const row = m_bias.data() + m_position[size_t(one.key)] * kernels::queryBlock;
        for (uint64_t left = one.queries; left != 0; left &= left - 1)
            row[std::countr_zero(left)] = one.logWeight;
    }
    m_weighted.clear();
}

}
