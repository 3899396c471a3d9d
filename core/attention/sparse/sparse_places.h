#pragma once

#include "core/attention/attention_backend.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attnscope {

/// The places of queries and keys, all on the grid of the queries: patch i of a grid of W columns has row
/// ⌊i/W⌋ and column i mod W; a line is one row. Prefix tokens (class, distillation) have no place. A key on a
/// grid or line of its own stands for the place that its centre falls into, ⌊(2i+1)·H/(2h)⌋ on each axis; the
/// keys of one frame are compared with queries of all frames by their places within a frame.
class SparsePlaces {
public:
    /// `keys`: of one normaliser (one frame, if keys are split). Joint attention over the frames of a video
    /// has no grid: it is one line. Throws UsageError if `keyTokens` does not hold the keys.
    SparsePlaces(int64_t queries, int64_t keys, const TokenLayout& tokens, const TokenLayout& keyTokens);

    int64_t queries() const { return m_queries; }
    int64_t keys() const { return m_keys; }
    int64_t queryPrefix() const { return m_queryPrefix; }
    int64_t keyPrefix() const { return m_keyPrefix; }
    int64_t queryPatches() const { return m_queries - m_queryPrefix; }
    int64_t keyPatches() const { return m_keys - m_keyPrefix; }

    bool isLine() const { return m_rows == 1; }
    int64_t rows() const { return m_rows; }
    int64_t columns() const { return m_columns; }
    int64_t length() const { return m_rows * m_columns; }

    /// The row-major place of a query, counted without the prefix.
    int64_t placeOfQuery(int64_t patch) const { return patch % length(); }
    /// The keys (with the prefix counted) that stand for places [first, end): none, one or several each.
    std::span<const int32_t> keysAt(int64_t first, int64_t end) const
    {
        if (first >= end)
            return {};
        return {m_keyOrder.data() + m_firstKey[first], size_t(m_firstKey[end] - m_firstKey[first])};
    }
    /// Whether keys that follow one another stand for places in the same order.
    bool keysInOrder() const { return m_keysInOrder; }

private:
    void layOutQueries(const TokenLayout& tokens);
    TokenLayout keyLayout(const TokenLayout& tokens, const TokenLayout& keyTokens) const;
    int64_t placeOfKey(int64_t patch, const TokenLayout& layout) const;
    void layOutKeys(const TokenLayout& layout);

    int64_t m_queries, m_keys;
    int64_t m_queryPrefix = 0, m_keyPrefix = 0;
    int64_t m_rows = 1, m_columns = 0;
    bool m_withinFrame = false, m_keysInOrder = true;
    std::vector<int64_t> m_firstKey;  // of each place, into m_keyOrder
    std::vector<int32_t> m_keyOrder;
};

/// `count` places spread evenly over a line: ⌊(2g+1)·length/(2·count)⌋; all of them if there are fewer.
std::vector<int64_t> spreadEvenly(int64_t count, int64_t length);

/// ⌊√n⌋
int64_t integerRoot(int64_t n);

}
