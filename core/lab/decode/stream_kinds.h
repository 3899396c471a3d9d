#pragma once

#include "core/lab/decode/stream.h"
#include "core/lab/decode/stream_math.h"

/// What the sources of the streams share: makers of each family, and keys and values that are kept.
namespace attnscope {

template <typename Real>
std::unique_ptr<Stream<Real>> makeCachedStream(const StreamSpec& spec, StreamHead<Real> head);
template <typename Real>
std::unique_ptr<Stream<Real>> makeCompressiveStream(const StreamSpec& spec, StreamHead<Real> head);
template <typename Real>
std::unique_ptr<Stream<Real>> makeRetrievalStream(const StreamSpec& spec, StreamHead<Real> head);
template <typename Real>
std::unique_ptr<Stream<Real>> makeFeatureStream(const StreamSpec& spec, StreamHead<Real> head);

/// Rows `order(0)` … `order(count − 1)` as a tensor of the state.
template <typename Real, typename Order>
StateTensor stateRows(const Rows<Real>& rows, int64_t count, const Order& order)
{
    StateTensor tensor{{count, rows.width()}, {}};
    for (int64_t i = 0; i < count; ++i)
        tensor.values.insert(tensor.values.end(), rows.row(order(i)), rows.row(order(i)) + rows.width());
    return tensor;
}

template <typename Real>
StateTensor stateVector(const std::vector<Real>& values)
{
    return {{int64_t(values.size())}, {values.begin(), values.end()}};
}

/// Keys and values of the same tokens.
template <typename Real>
struct KeyValues {
    Rows<Real> k, v;

    explicit KeyValues(const StreamShape& shape)
        : k(shape.width)
        , v(shape.valueWidth)
    {}

    int64_t count() const { return k.count(); }
    int64_t elements() const { return count() * (k.width() + v.width()); }
    void push(const StreamToken<Real>& token) { k.push(token.k), v.push(token.v); }
    void set(int64_t index, const Real* key, const Real* value) { k.set(index, key), v.set(index, value); }
    void erase(int64_t first, int64_t last) { k.erase(first, last), v.erase(first, last); }
    void insert(int64_t at, const KeyValues& rows) { k.insert(at, rows.k), v.insert(at, rows.v); }

    std::map<std::string, StateTensor> state() const
    {
        const auto inOrder = [](int64_t i) { return i; };
        return {{"k", stateRows(k, count(), inOrder)}, {"v", stateRows(v, count(), inOrder)}};
    }
};

/// The last `capacity` tokens; the oldest is overwritten. Index 0 is the oldest.
template <typename Real>
class KeyValueRing {
public:
    KeyValueRing(const StreamShape& shape, int64_t capacity)
        : m_rows(shape)
        , m_capacity(capacity)
    {}

    int64_t count() const { return m_rows.count(); }
    bool full() const { return count() == m_capacity; }
    int64_t elements() const { return m_rows.elements(); }
    int64_t place(int64_t index) const { return (m_oldest + index) % std::max<int64_t>(1, count()); }
    const Real* key(int64_t index) const { return m_rows.k.row(place(index)); }
    const Real* value(int64_t index) const { return m_rows.v.row(place(index)); }
    /// In any order: what a softmax reads.
    const KeyValues<Real>& rows() const { return m_rows; }

    void push(const Real* key, const Real* value)
    {
        if (m_capacity == 0)
            return;
        if (!full()) {
            m_rows.k.push(key), m_rows.v.push(value);
            return;
        }
        m_rows.set(m_oldest, key, value);
        m_oldest = (m_oldest + 1) % m_capacity;
    }

private:
    KeyValues<Real> m_rows;
    int64_t m_capacity, m_oldest = 0;
};

/// logits ← scale·q·k_i of all rows.
template <typename Real>
void computeLogits(const Real* q, Real scale, const Rows<Real>& keys, std::vector<Real>& logits)
{
    logits.resize(size_t(keys.count()));
    for (int64_t i = 0; i < keys.count(); ++i)
        logits[size_t(i)] = scale * dot(q, keys.row(i), keys.width());
}

/// out ← Σ softmax(logits)_i v_i; logits become the weights.
template <typename Real>
void mixValues(std::vector<Real>& logits, const Rows<Real>& values, Real* out)
{
    const Real sum = exponentiate(logits);
    std::fill_n(out, values.width(), Real(0));
    for (int64_t i = 0; i < values.count(); ++i) {
        Real& weight = logits[size_t(i)];
        weight /= sum;
        addScaled(weight, values.row(i), out, values.width());
    }
}

}
