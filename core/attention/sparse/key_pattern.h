#pragma once

#include "core/attention/sparse/key_block.h"
#include "core/attention/sparse/sparse_places.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace attnscope {

/// The keys that one query sees, as a list.
class KeyRow final : public KeyCollector {
public:
    explicit KeyRow(int64_t keys)
        : m_position(size_t(keys), -1)
    {}

    void clear()
    {
        for (const int32_t key : m_keys)
            m_position[key] = -1;
        m_keys.clear();
        m_weights.clear();
        m_all = m_weighted = false;
    }

    void add(int64_t first, int64_t end) override
    {
        for (int64_t key = first; key < end; ++key)
            positionOf(key);
    }
    void addWeighted(int64_t key, double logWeight) override
    {
        m_weights[positionOf(key)] = logWeight;
        m_weighted = m_weighted || logWeight != 0;
    }
    void addAll() override { m_all = true; }

    bool all() const { return m_all || (!m_weighted && m_keys.size() == m_position.size()); }
    bool weighted() const { return m_weighted; }
    bool empty() const { return !m_all && m_keys.empty(); }
    const std::vector<int32_t>& keys() const { return m_keys; }
    const std::vector<double>& weights() const { return m_weights; }

private:
    size_t positionOf(int64_t key)
    {
        int32_t& position = m_position[size_t(key)];
        if (position < 0) {
            position = int32_t(m_keys.size());
            m_keys.push_back(int32_t(key));
            m_weights.push_back(0);
        }
        return size_t(position);
    }

    std::vector<int32_t> m_position;  // of each key in m_keys; −1: not in it
    std::vector<int32_t> m_keys;
    std::vector<double> m_weights;
    bool m_all = false, m_weighted = false;
};

/// Queries group by group: those of a group see many keys in common.
struct QueryGroups {
    std::vector<int32_t> queries;
    std::vector<int32_t> ends;  ///< where each group ends in `queries`

    void add(int64_t query) { queries.push_back(int32_t(query)); }
    /// Ends a group, unless it is empty.
    void end()
    {
        if (queries.size() > (ends.empty() ? 0 : size_t(ends.back())))
            ends.push_back(int32_t(queries.size()));
    }
    /// Numbers from `first` on by their class; classes are below `classes`. Small ones are put together as long as a group has no more
    /// than `joined` queries.
    void addByClass(const std::vector<int32_t>& classOf, int64_t classes, int64_t first, int64_t joined = 0);
};

/// An allowed set of keys for every query: what all sparse methods are made of. Sets are listed when they are needed, query by query or
/// for a few queries at once, and never stored together. Safe from several threads.
class KeyPattern {
public:
    virtual ~KeyPattern() = default;

    virtual int64_t queries() const = 0;
    virtual int64_t keys() const = 0;
    /// Heads and elements of the batch with equal sets share one number.
    virtual int64_t setOf(int64_t element, int64_t head) const = 0;
    /// Lists the keys of a query; one that gets none sees nothing.
    virtual void list(int64_t set, int64_t query, KeyCollector& keys) const = 0;
    /// Whether two queries see the same; may be false if they do.
    virtual bool seeTheSame(int64_t, int64_t query, int64_t other) const { return query == other; }

    /// Sets may be cut into parts that have no key of a query in common: those that are the same for many queries are cheap, but which
    /// queries these are may differ from part to part.
    virtual int64_t parts() const { return 1; }
    /// All queries in each part; those that see everything may be missing after the first one.
    virtual QueryGroups groups(int64_t set, int64_t part) const;
    /// Lists one part of the keys of queries of one group, at most kernels::queryBlock.
    virtual void listPart(int64_t set, int64_t part, std::span<const int32_t> queries, KeyBlock& block) const;
};

/// Elements of B·H by the set that they share.
std::map<int64_t, std::vector<int64_t>> elementsOfSets(const KeyPattern& pattern, int64_t batch, int64_t heads);

/// A pattern by places, the same for all elements of a batch: prefix tokens see everything and are seen by all.
class PlacePattern : public KeyPattern {
public:
    explicit PlacePattern(SparsePlaces places)
        : m_places(std::move(places))
    {}

    int64_t queries() const override { return m_places.queries(); }
    int64_t keys() const override { return m_places.keys(); }
    int64_t setOf(int64_t, int64_t head) const override { return setOfHead(head); }
    void list(int64_t set, int64_t query, KeyCollector& keys) const override
    {
        if (query < m_places.queryPrefix()) {
            keys.addAll();
            return;
        }
        keys.add(0, m_places.keyPrefix());
        listPatch(set, query - m_places.queryPrefix(), keys);
    }
    bool seeTheSame(int64_t set, int64_t query, int64_t other) const override
    {
        const int64_t prefix = m_places.queryPrefix();
        if (query < prefix || other < prefix)
            return query < prefix && other < prefix;
        return patchesSeeTheSame(set, query - prefix, other - prefix);
    }
    QueryGroups groups(int64_t set, int64_t part) const override;

protected:
    virtual int64_t setOfHead(int64_t) const { return 0; }
    /// Adds the keys that a patch sees; `patch` is counted without the prefix.
    virtual void listPatch(int64_t set, int64_t patch, KeyCollector& keys) const = 0;
    virtual bool patchesSeeTheSame(int64_t, int64_t patch, int64_t other) const
    {
        return m_places.placeOfQuery(patch) == m_places.placeOfQuery(other);
    }
    /// Groups the patches behind the prefix. By default as they follow one another.
    virtual void groupPatches(int64_t set, int64_t part, QueryGroups& groups) const;

    const SparsePlaces& places() const { return m_places; }
    void addPlaces(int64_t first, int64_t end, KeyCollector& keys) const
    {
        const auto own = m_places.keysAt(first, end);
        if (own.empty())
            return;
        if (m_places.keysInOrder()) {
            keys.add(own.front(), own.back() + 1);
            return;
        }
        for (const int32_t key : own)
            keys.add(key, key + 1);
    }
    void addPlaceWeighted(int64_t place, double logWeight, KeyCollector& keys) const
    {
        for (const int32_t key : m_places.keysAt(place, place + 1))
            keys.addWeighted(key, logWeight);
    }
    /// Groups whose patches are neighbours, `dilation` apart: on a grid in strips of a few columns.
    void groupNeighbours(bool onGrid, int64_t dilation, QueryGroups& groups) const;

private:
    SparsePlaces m_places;
};

}
