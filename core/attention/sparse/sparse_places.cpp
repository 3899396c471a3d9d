#include "core/attention/sparse/sparse_places.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attnscope {

SparsePlaces::SparsePlaces(int64_t queries, int64_t keys, const TokenLayout& tokens, const TokenLayout& keyTokens)
    : m_queries(queries)
    , m_keys(keys)
{
    layOutQueries(tokens);
    layOutKeys(keyLayout(tokens, keyTokens));
}

void SparsePlaces::layOutQueries(const TokenLayout& tokens)
{
    const int64_t frame = tokens.rows * tokens.columns;
    m_withinFrame = tokens.hasGrid() && tokens.frames > 1 && tokens.count() == m_queries && m_keys == frame;
    const bool joint = tokens.frames > 1 && !m_withinFrame;
    if (tokens.hasGrid() && tokens.count() == m_queries && !joint) {
        m_queryPrefix = tokens.prefix;
        m_rows = tokens.rows, m_columns = tokens.columns;
    } else if (tokens.hasGrid() && frame == m_queries && tokens.frames == 1) {
        m_rows = tokens.rows, m_columns = tokens.columns;
    } else {
        const bool prefixed = !tokens.hasGrid() || tokens.count() == m_queries;
        m_queryPrefix = prefixed ? std::min(tokens.prefix, m_queries) : 0;
        m_columns = m_queries - m_queryPrefix;
    }
}

TokenLayout SparsePlaces::keyLayout(const TokenLayout& tokens, const TokenLayout& keyTokens) const
{
    if (m_withinFrame)
        return {0, 1, m_rows, m_columns};
    if (keyTokens.hasGrid() || keyTokens.prefix > 0) {
        const bool fits = keyTokens.hasGrid() ? keyTokens.prefix + keyTokens.rows * keyTokens.columns == m_keys
                                              : keyTokens.prefix <= m_keys;
        if (!fits)
            throw UsageError("", "the grid of the keys does not hold the " + std::to_string(m_keys) + " keys",
                             "rows times columns must be the number of keys minus their prefix");
        return keyTokens;
    }
    if (m_queries != m_keys)
        return {};
    return isLine() ? TokenLayout{m_queryPrefix, 1, 0, 0}
                    : TokenLayout{m_queryPrefix, 1, tokens.rows, tokens.columns};
}

int64_t SparsePlaces::placeOfKey(int64_t patch, const TokenLayout& layout) const
{
    if (isLine() || !layout.hasGrid())
        return (2 * patch + 1) * length() / (2 * keyPatches());
    const int64_t row = (2 * (patch / layout.columns) + 1) * m_rows / (2 * layout.rows);
    const int64_t column = (2 * (patch % layout.columns) + 1) * m_columns / (2 * layout.columns);
    return row * m_columns + column;
}

/// Sorted by place, keys of one place in their order.
void SparsePlaces::layOutKeys(const TokenLayout& layout)
{
    m_keyPrefix = layout.prefix;
    m_firstKey.assign(size_t(length()) + 1, 0);
    if (length() == 0)
        return;
    for (int64_t i = 0; i < keyPatches(); ++i)
        ++m_firstKey[placeOfKey(i, layout) + 1];
    for (size_t place = 1; place < m_firstKey.size(); ++place)
        m_firstKey[place] += m_firstKey[place - 1];
    m_keyOrder.resize(size_t(keyPatches()));
    std::vector<int64_t> next(m_firstKey.begin(), m_firstKey.end() - 1);
    for (int64_t i = 0; i < keyPatches(); ++i)
        m_keyOrder[next[placeOfKey(i, layout)]++] = int32_t(m_keyPrefix + i);
    m_keysInOrder = std::ranges::is_sorted(m_keyOrder);
}

std::vector<int64_t> spreadEvenly(int64_t count, int64_t length)
{
    count = std::min(count, length);
    std::vector<int64_t> places;
    for (int64_t g = 0; g < count; ++g)
        places.push_back((2 * g + 1) * length / (2 * count));
    return places;
}

int64_t integerRoot(int64_t n)
{
    auto root = int64_t(std::sqrt(double(n)));
    while (root * root > n)
        --root;
    while ((root + 1) * (root + 1) <= n)
        ++root;
    return root;
}

}
