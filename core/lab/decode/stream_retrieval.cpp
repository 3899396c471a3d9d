#include "core/lab/decode/stream_kinds.h"

#include <numeric>

namespace attnscope {

namespace {

template <typename Real>
class RetrievalStream : public Stream<Real> {
public:
    RetrievalStream(const StreamHead<Real>& head, const StreamSpec& spec)
        : m_scale(head.scale)
        , m_gate(static_cast<Real>(head.retrieved))
        , m_topk(spec.integer("topk"))
        , m_joint(spec.choice("combine") == "joint")
        , m_local(head.shape, spec.integer("window"))
        , m_older(head.shape, spec.integer("capacity"))
        , m_retrieved(size_t(head.shape.valueWidth))
    {}

    void skip(const StreamToken<Real>& token) override
    {
        if (m_local.full())
            m_older.push(m_local.key(0), m_local.value(0));
        m_local.push(token.k, token.v);
    }

    void step(const StreamToken<Real>& token, Real* out) override
    {
        skip(token);
        const Rows<Real>& values = m_local.rows().v;
        computeLogits(token.q, m_scale, m_local.rows().k, m_logits);
        if (m_older.count() == 0) {
            mixValues(m_logits, values, out);
            return;
        }
        retrieve(token.q);
        if (m_joint) {
            joinBest(out);
            return;
        }
        mixValues(m_logits, values, out);
        m_bestLogits.clear();
        for (const int64_t i : m_best)
            m_bestLogits.push_back(m_olderLogits[size_t(i)]);
        const Real sum = exponentiate(m_bestLogits);
        std::fill(m_retrieved.begin(), m_retrieved.end(), Real(0));
        for (size_t i = 0; i < m_best.size(); ++i)
            addScaled(m_bestLogits[i] / sum, m_older.value(m_best[i]), m_retrieved.data(), values.width());
        for (int64_t c = 0; c < values.width(); ++c)
            out[c] = (1 - m_gate) * out[c] + m_gate * m_retrieved[size_t(c)];
    }

    int64_t stateElements() const override { return m_local.elements() + m_older.elements(); }

    std::map<std::string, StateTensor> state() const override
    {
        std::map<std::string, StateTensor> tensors;
        for (const auto& [ring, suffix] : {std::pair(&m_local, ""), std::pair(&m_older, ".older")}) {
            const auto place = [ring = ring](int64_t i) { return ring->place(i); };
            tensors[std::string("k") + suffix] = stateRows(ring->rows().k, ring->count(), place);
            tensors[std::string("v") + suffix] = stateRows(ring->rows().v, ring->count(), place);
        }
        return tensors;
    }

private:
    /// m_best: indices of the best older tokens, the oldest being 0; ties: the older.
    void retrieve(const Real* q)
    {
        const int64_t count = m_older.count();
        m_olderLogits.resize(size_t(count));
        for (int64_t i = 0; i < count; ++i)
            m_olderLogits[size_t(i)] = m_scale * dot(q, m_older.key(i), m_older.rows().k.width());
        m_best.resize(size_t(count));
        std::iota(m_best.begin(), m_best.end(), 0);
        if (count <= m_topk)
            return;
        const auto isBetter = [this](int64_t a, int64_t b) {
            const Real left = m_olderLogits[size_t(a)], right = m_olderLogits[size_t(b)];
            return left > right || (left == right && a < b);
        };
        std::nth_element(m_best.begin(), m_best.begin() + m_topk, m_best.end(), isBetter);
        m_best.resize(size_t(m_topk));
    }

    /// One softmax over the window and the best.
    void joinBest(Real* out)
    {
        const Rows<Real>& values = m_local.rows().v;
        const size_t local = m_logits.size();
        for (const int64_t i : m_best)
            m_logits.push_back(m_olderLogits[size_t(i)]);
        const Real sum = exponentiate(m_logits);
        std::fill_n(out, values.width(), Real(0));
        for (size_t i = 0; i < m_logits.size(); ++i)
            addScaled(m_logits[i] / sum, i < local ? values.row(int64_t(i)) : m_older.value(m_best[i - local]),
                      out, values.width());
    }

    Real m_scale, m_gate;
    int64_t m_topk;
    bool m_joint;
    KeyValueRing<Real> m_local, m_older;
    std::vector<Real> m_retrieved, m_logits, m_olderLogits, m_bestLogits;
    std::vector<int64_t> m_best;
};

}

template <typename Real>
std::unique_ptr<Stream<Real>> makeRetrievalStream(const StreamSpec& spec, StreamHead<Real> head)
{
    return std::make_unique<RetrievalStream<Real>>(head, spec);
}

template std::unique_ptr<Stream<float>> makeRetrievalStream(const StreamSpec& spec, StreamHead<float> head);
template std::unique_ptr<Stream<double>> makeRetrievalStream(const StreamSpec& spec, StreamHead<double> head);

}
