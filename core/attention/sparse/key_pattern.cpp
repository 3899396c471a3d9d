#include "core/attention/sparse/key_pattern.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

void QueryGroups::addByClass(const std::vector<int32_t>& classOf, int64_t classes, int64_t first, int64_t joined)
{
    std::vector<int32_t> next(static_cast<size_t>(classes) + 1, 0);
    for (const int32_t one : classOf)
        ++next[size_t(one) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    const size_t before = queries.size();
    queries.resize(before + classOf.size());
    for (size_t i = 0; i < classOf.size(); ++i)
        queries[before + size_t(next[size_t(classOf[i])]++)] = int32_t(first + int64_t(i));
    int32_t begin = int32_t(before), last = begin;  // of the group that is open
    for (int64_t c = 0; c < classes; ++c) {         // `next` is now where each class ends
        const int32_t end = int32_t(before) + next[size_t(c)];
        if (last > begin && end - begin > joined) {
            ends.push_back(last);
            begin = last;
        }
        last = end;
    }
    if (last > begin)
        ends.push_back(last);
}

QueryGroups KeyPattern::groups(int64_t, int64_t) const
{
    QueryGroups groups;
    for (int64_t query = 0; query < queries(); ++query)
        groups.add(query);
    groups.end();
    return groups;
}

void KeyPattern::listPart(int64_t set, int64_t, std::span<const int32_t> queries, KeyBlock& block) const
{
    for (size_t i = 0; i < queries.size();) {
        const size_t first = i;
        uint64_t bits = 0;
        for (; i < queries.size() && (i == first || seeTheSame(set, queries[first], queries[i])); ++i)
            bits |= uint64_t{1} << i;
        block.addFor(bits);
        list(set, queries[first], block);
    }
}

std::map<int64_t, std::vector<int64_t>> elementsOfSets(const KeyPattern& pattern, int64_t batch, int64_t heads)
{
    std::map<int64_t, std::vector<int64_t>> sets;
    for (int64_t b = 0; b < batch; ++b)
        for (int64_t h = 0; h < heads; ++h)
            sets[pattern.setOf(b, h)].push_back(b * heads + h);
    return sets;
}

QueryGroups PlacePattern::groups(int64_t set, int64_t part) const
{
    QueryGroups groups;
    for (int64_t query = 0; query < m_places.queryPrefix(); ++query)
        groups.add(query);
    groups.end();
    groupPatches(set, part, groups);
    return groups;
}

void PlacePattern::groupPatches(int64_t, int64_t, QueryGroups& groups) const
{
    for (int64_t patch = 0; patch < m_places.queryPatches(); ++patch)
        groups.add(m_places.queryPrefix() + patch);
    groups.end();
}

void PlacePattern::groupNeighbours(bool onGrid, int64_t dilation, QueryGroups& groups) const
{
    constexpr int64_t strip = 8;  // columns: 48 queries are then six rows of a strip
    const bool grid = onGrid && !m_places.isLine();
    const int64_t width = grid ? m_places.columns() : m_places.length(), height = grid ? m_places.rows() : 1;
    for (int64_t offset = 0; offset < dilation * (grid ? dilation : 1); ++offset) {
        const int64_t down = offset / dilation, across = offset % dilation;
        const int64_t columns = (width - across + dilation - 1) / dilation;  // of every dilation-th place
        const int64_t strips = grid ? (columns + strip - 1) / strip : 1;
        for (int64_t s = 0; s < strips; ++s) {
            for (int64_t r = down; r < height; r += dilation)
                for (int64_t c = s * columns / strips; c < (s + 1) * columns / strips; ++c)
                    for (int64_t patch = r * width + across + c * dilation; patch < m_places.queryPatches();
                         patch += m_places.length())
                        groups.add(m_places.queryPrefix() + patch);
            groups.end();
        }
    }
}

}
