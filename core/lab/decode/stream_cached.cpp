#include "core/lab/decode/stream_kinds.h"

#include <utility>

namespace attnscope {

namespace {

/// Softmax over everything that came, with or without ALiBi's bias.
template <typename Real>
class CacheStream : public Stream<Real> {
public:
    explicit CacheStream(const StreamHead<Real>& head)
        : m_scale(head.scale)
        , m_slope(static_cast<Real>(head.slope))
        , m_kept(head.shape)
    {}

    void skip(const StreamToken<Real>& token) override { m_kept.push(token); }

    void step(const StreamToken<Real>& token, Real* out) override
    {
        m_kept.push(token);
        computeLogits(token.q, m_scale, m_kept.k, m_logits);
        const auto last = int64_t(m_logits.size()) - 1;
        if (m_slope != 0)
            for (int64_t i = 0; i < last; ++i)
                m_logits[size_t(i)] -= m_slope * static_cast<Real>(last - i);
        mixValues(m_logits, m_kept.v, out);
    }

    int64_t stateElements() const override { return m_kept.elements(); }
    std::map<std::string, StateTensor> state() const override { return m_kept.state(); }

private:
    Real m_scale, m_slope;
    KeyValues<Real> m_kept;
    std::vector<Real> m_logits;
};

template <typename Real>
class WindowStream : public Stream<Real> {
public:
    WindowStream(const StreamHead<Real>& head, int64_t window)
        : m_scale(head.scale)
        , m_kept(head.shape, window)
    {}

    void skip(const StreamToken<Real>& token) override { m_kept.push(token.k, token.v); }

    void step(const StreamToken<Real>& token, Real* out) override
    {
        skip(token);
        computeLogits(token.q, m_scale, m_kept.rows().k, m_logits);
        mixValues(m_logits, m_kept.rows().v, out);
    }

    int64_t stateElements() const override { return m_kept.elements(); }

    std::map<std::string, StateTensor> state() const override
    {
        const auto place = [this](int64_t i) { return m_kept.place(i); };
        return {{"k", stateRows(m_kept.rows().k, m_kept.count(), place)},
                {"v", stateRows(m_kept.rows().v, m_kept.count(), place)}};
    }

private:
    Real m_scale;
    KeyValueRing<Real> m_kept;
    std::vector<Real> m_logits;
};

/// Transformer-XL: when a segment has ended, all but the last `memory` tokens are dropped.
template <typename Real>
class SegmentStream : public Stream<Real> {
public:
    SegmentStream(const StreamHead<Real>& head, int64_t segment, int64_t memory)
        : m_scale(head.scale)
        , m_segment(segment)
        , m_memory(memory)
        , m_kept(head.shape)
    {}

    void skip(const StreamToken<Real>& token) override
    {
        if (m_time > 0 && m_time % m_segment == 0)
            m_kept.erase(0, std::max<int64_t>(0, m_kept.count() - m_memory));
        m_kept.push(token);
        ++m_time;
    }

    void step(const StreamToken<Real>& token, Real* out) override
    {
        skip(token);
        computeLogits(token.q, m_scale, m_kept.k, m_logits);
        mixValues(m_logits, m_kept.v, out);
    }

    int64_t stateElements() const override { return m_kept.elements(); }
    std::map<std::string, StateTensor> state() const override { return m_kept.state(); }

private:
    Real m_scale;
    int64_t m_segment, m_memory, m_time = 0;
    KeyValues<Real> m_kept;
    std::vector<Real> m_logits;
};

}

template <typename Real>
std::unique_ptr<Stream<Real>> makeCachedStream(const StreamSpec& spec, StreamHead<Real> head)
{
    if (spec.kind() == StreamKind::Window)
        return std::make_unique<WindowStream<Real>>(head, spec.integer("window"));
    if (spec.kind() == StreamKind::TransformerXl)
        return std::make_unique<SegmentStream<Real>>(head, spec.integer("segment"), spec.integer("memory"));
    if (spec.kind() == StreamKind::Cache)
        head.slope = 0;
    return std::make_unique<CacheStream<Real>>(head);
}

template std::unique_ptr<Stream<float>> makeCachedStream(const StreamSpec& spec, StreamHead<float> head);
template std::unique_ptr<Stream<double>> makeCachedStream(const StreamSpec& spec, StreamHead<double> head);

}
