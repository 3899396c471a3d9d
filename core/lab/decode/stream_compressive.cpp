#include "core/lab/decode/stream_kinds.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

enum class Compression { Mean, Max, Dilated, MostUsed };

Compression compressionOf(const std::string& name)
{
    return name == "mean"      ? Compression::Mean
           : name == "max"     ? Compression::Max
           : name == "dilated" ? Compression::Dilated
                               : Compression::MostUsed;
}

/// Kept, oldest first: compressed slots, memory, the segment so far.
template <typename Real>
class CompressiveStream : public Stream<Real> {
public:
    CompressiveStream(const StreamHead<Real>& head, const StreamSpec& spec)
        : m_shape(head.shape)
        , m_scale(head.scale)
        , m_segment(spec.integer("segment"))
        , m_memory(spec.integer("memory"))
        , m_compressed(spec.integer("compressed"))
        , m_rate(spec.integer("rate"))
        , m_function(compressionOf(spec.choice("function")))
        , m_counted(spec.flag("counted"))
        , m_collectLosses(head.collectLosses)
        , m_kept(head.shape)
        , m_queries(head.shape.width)
    {}

    void step(const StreamToken<Real>& token, Real* out) override
    {
        take(token);
        attendTo(token.q);
        mixValues(m_logits, m_kept.v, out);
        countUse();
    }

    /// What use counts is attention, so that it cannot be skipped.
    void skip(const StreamToken<Real>& token) override
    {
        take(token);
        if (m_function != Compression::MostUsed)
            return;
        attendTo(token.q);
        const Real sum = exponentiate(m_logits);
        for (Real& weight : m_logits)
            weight /= sum;
        countUse();
    }

    int64_t stateElements() const override { return m_kept.elements() + int64_t(m_received.size()); }

    std::map<std::string, StateTensor> state() const override
    {
        auto tensors = m_kept.state();
        tensors["weight"] = stateVector(m_weight);
        if (m_function == Compression::MostUsed)
            tensors["received"] = stateVector(m_received);
        return tensors;
    }

    std::vector<double> losses() const override { return m_losses; }

private:
    int64_t slots() const { return int64_t(m_weight.size()); }

    void take(const StreamToken<Real>& token)
    {
        if (m_time > 0 && m_time % m_segment == 0)
            endSegment();
        m_kept.push(token);
        if (m_function == Compression::MostUsed)
            m_received.push_back(0);
        if (m_collectLosses)
            m_queries.push(token.q);
        ++m_time;
    }

    void attendTo(const Real* q)
    {
        computeLogits(q, m_scale, m_kept.k, m_logits);
        if (m_counted)
            for (size_t i = 0; i < m_weight.size(); ++i)
                m_logits[i] += std::log(m_weight[i]);
    }

    /// m_logits are weights here.
    void countUse()
    {
        for (size_t i = 0; i < m_received.size(); ++i)
            m_received[i] += m_logits[m_weight.size() + i];
    }

    /// The segment joins the memory; the excess is compressed; the oldest slots fall out.
    void endSegment()
    {
        const int64_t excess = m_kept.count() - slots() - m_memory;
        if (excess > 0) {
            std::vector<Real> weight;
            const KeyValues<Real> fresh = compress(excess, weight);
            if (m_collectLosses)
                m_losses.push_back(loss(excess, fresh));
            m_kept.erase(slots(), slots() + excess);
            m_kept.insert(slots(), fresh);
            m_weight.insert(m_weight.end(), weight.begin(), weight.end());
            const int64_t out = std::max<int64_t>(0, slots() - m_compressed);
            m_kept.erase(0, out);
            m_weight.erase(m_weight.begin(), m_weight.begin() + out);
            if (m_function == Compression::MostUsed)
                m_received.erase(m_received.begin(), m_received.begin() + excess);
        }
        m_queries.clear();
    }

    /// The first `n` tokens behind the slots, ⌈n / rate⌉ of them afterwards, and how many tokens each stands for.
    KeyValues<Real> compress(int64_t n, std::vector<Real>& weight) const
    {
        KeyValues<Real> fresh(m_shape);
        const int64_t count = (n + m_rate - 1) / m_rate;
        if (m_function == Compression::MostUsed) {
            for (const int64_t i : mostUsed(n, count))
                fresh.push({.k = m_kept.k.row(slots() + i), .v = m_kept.v.row(slots() + i)});
            weight.assign(size_t(count), static_cast<Real>(n) / static_cast<Real>(count));
            return fresh;
        }
        for (int64_t first = 0; first < n; first += m_rate) {
            const int64_t last = std::min(n, first + m_rate);
            const std::vector<Real> key = pooled(m_kept.k, first, last), value = pooled(m_kept.v, first, last);
            fresh.push({.k = key.data(), .v = value.data()});
            weight.push_back(static_cast<Real>(last - first));
        }
        return fresh;
    }

    std::vector<Real> pooled(const Rows<Real>& rows, int64_t first, int64_t last) const
    {
        const Real* row = rows.row(slots() + first);
        std::vector<Real> result(row, row + rows.width());
        if (m_function == Compression::Dilated)
            return result;
        for (int64_t i = first + 1; i < last; ++i) {
            row = rows.row(slots() + i);
            for (size_t c = 0; c < result.size(); ++c)
                result[c] = m_function == Compression::Mean ? result[c] + row[c] : std::max(result[c], row[c]);
        }
        if (m_function == Compression::Mean)
            for (Real& value : result)
                value /= static_cast<Real>(last - first);
        return result;
    }

    /// The `count` of the first `n` tokens with the highest mean attention from all queries since they came; ties: the older. In order.
    std::vector<int64_t> mostUsed(int64_t n, int64_t count) const
    {
        const auto all = int64_t(m_received.size());
        const auto use = [&](int64_t i) { return m_received[size_t(i)] / static_cast<Real>(all - i); };
        std::vector<int64_t> order(static_cast<size_t>(n));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return use(a) > use(b); });
        order.resize(size_t(count));
        std::ranges::sort(order);
        return order;
    }

    /// F25: how far attention to the compressed tokens alone is from attention to the tokens alone.
    double loss(int64_t excess, const KeyValues<Real>& fresh)
    {
        KeyValues<Real> old(m_shape);
        for (int64_t i = 0; i < excess; ++i)
            old.push({.k = m_kept.k.row(slots() + i), .v = m_kept.v.row(slots() + i)});
        std::vector<Real> before(size_t(m_shape.valueWidth)), after = before;
        double sum = 0;
        for (int64_t i = 0; i < m_queries.count(); ++i) {
            computeLogits(m_queries.row(i), m_scale, old.k, m_logits);
            mixValues(m_logits, old.v, before.data());
            computeLogits(m_queries.row(i), m_scale, fresh.k, m_logits);
            mixValues(m_logits, fresh.v, after.data());
            for (size_t c = 0; c < before.size(); ++c)
                sum += std::pow(double(before[c]) - double(after[c]), 2);
        }
        return std::sqrt(sum);
    }

    StreamShape m_shape;
    Real m_scale;
    int64_t m_segment, m_memory, m_compressed, m_rate, m_time = 0;
    Compression m_function;
    bool m_counted, m_collectLosses;
    KeyValues<Real> m_kept;
    std::vector<Real> m_weight;    // tokens that each slot stands for
    std::vector<Real> m_received;  // of most-used: attention received by each token behind the slots
    Rows<Real> m_queries;          // of this segment, for the losses
    std::vector<double> m_losses;
    std::vector<Real> m_logits;
};

}

template <typename Real>
std::unique_ptr<Stream<Real>> makeCompressiveStream(const StreamSpec& spec, StreamHead<Real> head)
{
    return std::make_unique<CompressiveStream<Real>>(head, spec);
}

template std::unique_ptr<Stream<float>> makeCompressiveStream(const StreamSpec& spec, StreamHead<float> head);
template std::unique_ptr<Stream<double>> makeCompressiveStream(const StreamSpec& spec, StreamHead<double> head);

}
