// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/sparse/sparse_places.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace attnscope {

/// The keys that one query sees, each once however many rules admit it, with a log weight added to its logit.
class KeyRow {
public:
    explicit KeyRow(std::int64_t keys)
        : m_position(static_cast<std::size_t>(keys), -1)
    {}

    void clear()
    {
        for (const std::int32_t key : m_keys)
            m_position[key] = -1;
        m_keys.clear();
        m_weights.clear();
        m_all = m_weighted = false;
    }

    void add(std::int64_t key) { positionOf(key); }
    void add(std::int64_t key, double logWeight)
    {
        m_weights[positionOf(key)] = logWeight;
        m_weighted = m_weighted || logWeight != 0;
    }
    /// Counts how often a key is added; `weighByCount` makes log weights of the counts.
    void count(std::int64_t key) { m_weights[positionOf(key)] += 1; }
    void weighByCount()
    {
        for (double& weight : m_weights) {
            weight = std::log(weight);
            m_weighted = m_weighted || weight != 0;
        }
    }
    void forgetCounts() { std::ranges::fill(m_weights, 0); }
    /// Every key, with weight 0.
    void addAll() { m_all = true; }

    [[nodiscard]] bool all() const { return m_all || (!m_weighted && m_keys.size() == m_position.size()); }
    [[nodiscard]] bool weighted() const { return m_weighted; }
    [[nodiscard]] bool empty() const { return !m_all && m_keys.empty(); }
    [[nodiscard]] const std::vector<std::int32_t>& keys() const { return m_keys; }
    [[nodiscard]] const std::vector<double>& weights() const { return m_weights; }

private:
    std::size_t positionOf(std::int64_t key)
    {
        std::int32_t& position = m_position[static_cast<std::size_t>(key)];
        if (position < 0) {
            position = static_cast<std::int32_t>(m_keys.size());
            m_keys.push_back(static_cast<std::int32_t>(key));
            m_weights.push_back(0);
        }
        return static_cast<std::size_t>(position);
    }

    std::vector<std::int32_t> m_position;  // of each key in m_keys; −1: not in it
    std::vector<std::int32_t> m_keys;
    std::vector<double> m_weights;
    bool m_all = false, m_weighted = false;
};

/// An allowed set of keys for every query: what all sparse methods are made of. Sets are listed query by
/// query when they are needed and never stored together. Safe from several threads.
class KeyPattern {
public:
    virtual ~KeyPattern() = default;

    [[nodiscard]] virtual std::int64_t queries() const = 0;
    [[nodiscard]] virtual std::int64_t keys() const = 0;
    /// Heads and elements of the batch with equal sets share one number.
    [[nodiscard]] virtual std::int64_t setOf(std::int64_t element, std::int64_t head) const = 0;
    /// Lists the keys of a query in a cleared row; an empty row stands for a query that sees nothing.
    virtual void list(std::int64_t set, std::int64_t query, KeyRow& row) const = 0;
};

/// A pattern by places, the same for all elements of a batch: prefix tokens see everything and are seen by
/// all.
class PlacePattern : public KeyPattern {
public:
    explicit PlacePattern(SparsePlaces places)
        : m_places(std::move(places))
    {}

    [[nodiscard]] std::int64_t queries() const override { return m_places.queries(); }
    [[nodiscard]] std::int64_t keys() const override { return m_places.keys(); }
    [[nodiscard]] std::int64_t setOf(std::int64_t, std::int64_t head) const override { return setOfHead(head); }
    void list(std::int64_t set, std::int64_t query, KeyRow& row) const override
    {
        if (query < m_places.queryPrefix()) {
            row.addAll();
            return;
        }
        for (std::int64_t key = 0; key < m_places.keyPrefix(); ++key)
            row.add(key);
        listPatch(set, query - m_places.queryPrefix(), row);
    }

protected:
    [[nodiscard]] virtual std::int64_t setOfHead(std::int64_t) const { return 0; }
    /// Adds the keys that a patch sees; `patch` is counted without the prefix.
    virtual void listPatch(std::int64_t set, std::int64_t patch, KeyRow& row) const = 0;

    [[nodiscard]] const SparsePlaces& places() const { return m_places; }
    void addPlace(std::int64_t place, KeyRow& row) const
    {
        for (const std::int32_t key : m_places.keysAt(place))
            row.add(key);
    }
    void addPlaces(std::int64_t first, std::int64_t end, KeyRow& row) const
    {
        for (std::int64_t place = first; place < end; ++place)
            addPlace(place, row);
    }

private:
    SparsePlaces m_places;
};

}  // namespace attnscope
