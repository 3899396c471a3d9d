#include "core/attention/sparse/key_pattern.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

void QueryGroups::addByClass(const std::vector<std::int32_t>& classOf, std::int64_t classes, std::int64_t first,
                             std::int64_t joined)
{
    std::vector<std::int32_t> next(static_cast<std::size_t>(classes) + 1, 0);
    for (const std::int32_t one : classOf)
        ++next[std::size_t(one) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::size_t before = queries.size();
    queries.resize(before + classOf.size());
    for (std::size_t i = 0; i < classOf.size(); ++i)
        queries[before + std::size_t(next[std::size_t(classOf[i])]++)] = std::int32_t(first + std::int64_t(i));
    std::int32_t begin = std::int32_t(before), last = begin;  // of the group that is open
    for (std::int64_t c = 0; c < classes; ++c) {              // `next` is now where each class ends
        const std::int32_t end = std::int32_t(before) + next[std::size_t(c)];
        if (last > begin && end - begin > joined) {
            ends.push_back(last);
            begin = last;
        }
        last = end;
    }
    if (last > begin)
        ends.push_back(last);
}

QueryGroups KeyPattern::groups(std::int64_t, std::int64_t) const
{
    QueryGroups groups;
    for (std::int64_t query = 0; query < queries(); ++query)
        groups.add(query);
    groups.end();
    return groups;
}

void KeyPattern::listPart(std::int64_t set, std::int64_t, std::span<const std::int32_t> queries,
                          KeyBlock& block) const
{
    for (std::size_t i = 0; i < queries.size();) {
        const std::size_t first = i;
        std::uint64_t bits = 0;
        for (; i < queries.size() && (i == first || seeTheSame(set, queries[first], queries[i])); ++i)
            bits |= std::uint64_t{1} << i;
        block.addFor(bits);
        list(set, queries[first], block);
    }
}

std::map<std::int64_t, std::vector<std::int64_t>> elementsOfSets(const KeyPattern& pattern, std::int64_t batch,
                                                                 std::int64_t heads)
{
    std::map<std::int64_t, std::vector<std::int64_t>> sets;
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            sets[pattern.setOf(b, h)].push_back(b * heads + h);
    return sets;
}

QueryGroups PlacePattern::groups(std::int64_t set, std::int64_t part) const
{
    QueryGroups groups;
    for (std::int64_t query = 0; query < m_places.queryPrefix(); ++query)
        groups.add(query);
    groups.end();
    groupPatches(set, part, groups);
    return groups;
}

void PlacePattern::groupPatches(std::int64_t, std::int64_t, QueryGroups& groups) const
{
    for (std::int64_t patch = 0; patch < m_places.queryPatches(); ++patch)
        groups.add(m_places.queryPrefix() + patch);
    groups.end();
}

void PlacePattern::groupNeighbours(bool onGrid, std::int64_t dilation, QueryGroups& groups) const
{
    constexpr std::int64_t strip = 8;  // columns: 48 queries are then six rows of a strip
    const bool grid = onGrid && !m_places.isLine();
    const std::int64_t width = grid ? m_places.columns() : m_places.length(), height = grid ? m_places.rows() : 1;
    for (std::int64_t offset = 0; offset < dilation * (grid ? dilation : 1); ++offset) {
        const std::int64_t down = offset / dilation, across = offset % dilation;
        const std::int64_t columns = (width - across + dilation - 1) / dilation;  // of every dilation-th place
        const std::int64_t strips = grid ? (columns + strip - 1) / strip : 1;
        for (std::int64_t s = 0; s < strips; ++s) {
            for (std::int64_t r = down; r < height; r += dilation)
                for (std::int64_t c = s * columns / strips; c < (s + 1) * columns / strips; ++c)
                    for (std::int64_t patch = r * width + across + c * dilation; patch < m_places.queryPatches();
                         patch += m_places.length())
                        groups.add(m_places.queryPrefix() + patch);
            groups.end();
        }
    }
}

}
