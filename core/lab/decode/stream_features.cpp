#include "core/lab/decode/stream_kinds.h"

#include <utility>

namespace attnscope {

namespace {

/// S (features, Dv) and z (features): fades, is written to and read in one pass over S.
template <typename Real>
struct FeatureState {
    int64_t valueWidth;
    std::vector<Real> S, z;

    FeatureState(int64_t features, int64_t width)
        : valueWidth(width)
        , S(size_t(features * width))
        , z(size_t(features))
    {}

    int64_t elements() const { return int64_t(S.size() + z.size()); }

    /// S_s ← fade·S_s + write·v, z_s alike.
    void write(size_t s, Real fade, Real write, const Real* v)
    {
        Real* row = S.data() + int64_t(s) * valueWidth;
        for (int64_t c = 0; c < valueWidth; ++c)
            row[c] = fade * row[c] + write * v[c];
        z[s] = fade * z[s] + write;
    }

    /// out ← weightsᵀS.
    void read(const std::vector<Real>& weights, Real* out) const
    {
        std::fill_n(out, valueWidth, Real(0));
        for (size_t s = 0; s < z.size(); ++s)
            addScaled(weights[s], S.data() + int64_t(s) * valueWidth, out, valueWidth);
    }

    std::map<std::string, StateTensor> state() const
    {
        const auto rows = int64_t(z.size());
        return {{"S", {{rows, valueWidth}, {S.begin(), S.end()}}}, {"z", stateVector(z)}};
    }
};

/// A token without an output is written just the same; reading is the smaller part.
template <typename Real>
class FeatureStream : public Stream<Real> {
public:
    void step(const StreamToken<Real>& token, Real* out) override
    {
        write(token);
        read(token, out);
    }
    void skip(const StreamToken<Real>& token) override { write(token); }

protected:
    virtual void write(const StreamToken<Real>& token) = 0;
    virtual void read(const StreamToken<Real>& token, Real* out) = 0;
};

template <typename Real>
class EluStream : public FeatureStream<Real> {
public:
    EluStream(const StreamHead<Real>& head, const StreamSpec& spec)
        : m_epsilon(static_cast<Real>(spec.real("eps")))
        , m_state(head.shape.width, head.shape.valueWidth)
        , m_features(size_t(head.shape.width))
    {}

    int64_t stateElements() const override { return m_state.elements(); }
    std::map<std::string, StateTensor> state() const override { return m_state.state(); }

private:
    static Real feature(Real x) { return x > 0 ? x + 1 : std::expm1(x) + 1; }

    void write(const StreamToken<Real>& token) override
    {
        for (size_t s = 0; s < m_features.size(); ++s)
            m_state.write(s, 1, feature(token.k[s]), token.v);
    }

    void read(const StreamToken<Real>& token, Real* out) override
    {
        for (size_t s = 0; s < m_features.size(); ++s)
            m_features[s] = feature(token.q[s]);
        const Real denominator = dot(m_features.data(), m_state.z.data(), int64_t(m_features.size())) + m_epsilon;
        m_state.read(m_features, out);
        for (int64_t c = 0; c < m_state.valueWidth; ++c)
            out[c] /= denominator;
    }

    Real m_epsilon;
    FeatureState<Real> m_state;
    std::vector<Real> m_features;
};

template <typename Real>
class RfaStream : public FeatureStream<Real> {
public:
    RfaStream(StreamHead<Real> head, const StreamSpec& spec)
        : m_head(std::move(head))
        , m_exact(spec.choice("norm") == "exact")
        , m_average(spec.choice("gate_form") == "average")
        , m_floor(static_cast<Real>(spec.real("floor")))
        , m_state(2 * m_head.shape.samples, m_head.shape.valueWidth)
        , m_scaled(size_t(m_head.shape.width))
        , m_features(size_t(2 * m_head.shape.samples))
    {}

    int64_t stateElements() const override { return m_state.elements() + (m_exact ? 1 : 0); }

    std::map<std::string, StateTensor> state() const override
    {
        auto tensors = m_state.state();
        if (m_exact)
            tensors["top"] = {{1}, {double(m_top)}};
        return tensors;
    }

private:
    /// m_features ← S^-½ [sin ωx̂, cos ωx̂]; returns ‖x̂‖².
    Real computeFeatures(const Real* x)
    {
        const int64_t width = m_head.shape.width, samples = m_head.shape.samples;
        const Real norm = std::sqrt(dot(x, x, width));
        const Real factor = m_exact ? std::sqrt(m_head.scale) : 1 / std::max(norm, Real(1e-12));
        for (int64_t c = 0; c < width; ++c)
            m_scaled[size_t(c)] = factor * x[c];
        const Real ratio = 1 / std::sqrt(static_cast<Real>(samples));
        for (int64_t s = 0; s < samples; ++s) {
            const Real angle = dot(m_head.omega.data() + s * width, m_scaled.data(), width);
            m_features[size_t(s)] = ratio * std::sin(angle);
            m_features[size_t(samples + s)] = ratio * std::cos(angle);
        }
        return factor * factor * norm * norm;
    }

    void write(const StreamToken<Real>& token) override
    {
        const Real squared = computeFeatures(token.k);
        Real fade = 1, weight = 1;
        if (m_exact) {
            const Real top = std::max(m_top, squared / 2);
            fade = std::exp(m_top - top);  // 0 at the first token
            weight = std::exp(squared / 2 - top);
            m_top = top;
        }
        if (m_head.gated) {
            fade *= token.gate;
            weight *= m_average ? 1 - token.gate : Real(1);
        }
        for (size_t s = 0; s < m_features.size(); ++s)
            m_state.write(s, fade, weight * m_features[s], token.v);
    }

    void read(const StreamToken<Real>& token, Real* out) override
    {
        computeFeatures(token.q);
        const Real sum = dot(m_features.data(), m_state.z.data(), int64_t(m_features.size()));
        const Real denominator = std::copysign(std::max(std::abs(sum), m_floor), sum < 0 ? Real(-1) : Real(1));
        m_state.read(m_features, out);
        // A gate of 1 writes nothing: without a floor there would be 0/0.
        for (int64_t c = 0; c < m_state.valueWidth; ++c)
            out[c] = denominator == 0 ? Real(0) : out[c] / denominator;
    }

    StreamHead<Real> m_head;
    bool m_exact, m_average;
    Real m_floor;
    Real m_top = -std::numeric_limits<Real>::infinity();
    FeatureState<Real> m_state;
    std::vector<Real> m_scaled, m_features;
};

template <typename Real>
class PerformerStream : public FeatureStream<Real> {
public:
    PerformerStream(StreamHead<Real> head, const StreamSpec& spec)
        : m_head(std::move(head))
        , m_state(featuresOf(spec, m_head), m_head.shape.valueWidth)
        , m_scaled(size_t(m_head.shape.width))
        , m_top(m_state.z.size(), -std::numeric_limits<Real>::infinity())
        , m_logs(m_state.z.size())
    {}

    int64_t stateElements() const override { return m_state.elements() + int64_t(m_top.size()); }

    std::map<std::string, StateTensor> state() const override
    {
        auto tensors = m_state.state();
        tensors["top"] = stateVector(m_top);
        return tensors;
    }

private:
    static int64_t featuresOf(const StreamSpec& spec, const StreamHead<Real>& head)
    {
        return spec.choice("features") == "hyperbolic" ? 2 * head.shape.samples : head.shape.samples;
    }

    /// m_logs ← ω x̂ − ½‖x̂‖², then the same with −ω for hyperbolic features.
    void computeLogs(const Real* x)
    {
        const int64_t width = m_head.shape.width, samples = m_head.shape.samples;
        const Real root = std::sqrt(m_head.scale);
        for (int64_t c = 0; c < width; ++c)
            m_scaled[size_t(c)] = root * x[c];
        const Real half = dot(m_scaled.data(), m_scaled.data(), width) / 2;
        const bool both = int64_t(m_logs.size()) > samples;
        for (int64_t s = 0; s < samples; ++s) {
            const Real projected = dot(m_head.omega.data() + s * width, m_scaled.data(), width);
            m_logs[size_t(s)] = projected - half;
            if (both)
                m_logs[size_t(samples + s)] = -projected - half;
        }
    }

    void write(const StreamToken<Real>& token) override
    {
        computeLogs(token.k);
        for (size_t s = 0; s < m_logs.size(); ++s) {
            const Real top = std::max(m_top[s], m_logs[s]);
            m_state.write(s, std::exp(m_top[s] - top), std::exp(m_logs[s] - top), token.v);
            m_top[s] = top;
        }
    }

    void read(const StreamToken<Real>& token, Real* out) override
    {
        computeLogs(token.q);
        for (size_t s = 0; s < m_logs.size(); ++s)
            m_logs[s] += std::log(m_state.z[s]) + m_top[s];
        const Real sum = exponentiate(m_logs);
        for (size_t s = 0; s < m_logs.size(); ++s)
            m_logs[s] /= sum * m_state.z[s];
        m_state.read(m_logs, out);
    }

    StreamHead<Real> m_head;
    FeatureState<Real> m_state;
    std::vector<Real> m_scaled;
    std::vector<Real> m_top;   // running maxima
    std::vector<Real> m_logs;  // of the present token
};

}

template <typename Real>
std::unique_ptr<Stream<Real>> makeFeatureStream(const StreamSpec& spec, StreamHead<Real> head)
{
    if (spec.kind() == StreamKind::Elu)
        return std::make_unique<EluStream<Real>>(head, spec);
    if (spec.kind() == StreamKind::Rfa)
        return std::make_unique<RfaStream<Real>>(std::move(head), spec);
    return std::make_unique<PerformerStream<Real>>(std::move(head), spec);
}

template std::unique_ptr<Stream<float>> makeFeatureStream(const StreamSpec& spec, StreamHead<float> head);
template std::unique_ptr<Stream<double>> makeFeatureStream(const StreamSpec& spec, StreamHead<double> head);

}
