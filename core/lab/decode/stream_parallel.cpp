#include "core/lab/decode/stream_tensors.h"

#include "core/attention/methods/positional.h"

#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double scaleOf(const at::Tensor& q)
{
    return 1 / std::sqrt(double(q.size(-1)));
}

at::Tensor transposed(const at::Tensor& x)
{
    return x.transpose(-1, -2);
}

/// i ≤ t, (T,T).
at::Tensor causal(int64_t tokens)
{
    return at::ones({tokens, tokens}, at::kBool).tril();
}

/// Of the last `window` tokens, t included.
at::Tensor inWindow(int64_t tokens, int64_t window)
{
    return causal(tokens) & ~at::ones({tokens, tokens}, at::kBool).tril(-window);
}

at::Tensor maskedSoftmax(const at::Tensor& logits, const at::Tensor& visible)
{
    return logits.masked_fill(~visible, -infinity).softmax(-1).nan_to_num();
}

at::Tensor logitsOf(const StreamInput& in)
{
    return scaleOf(in.q) * at::matmul(in.q, transposed(in.k));  // (B,H,T,T)
}

at::Tensor maskOf(const StreamSpec& spec, int64_t tokens)
{
    if (spec.kind() == StreamKind::Window)
        return inWindow(tokens, spec.integer("window"));
    if (spec.kind() != StreamKind::TransformerXl)
        return causal(tokens);
    const at::Tensor place = at::arange(tokens);
    const at::Tensor start = place.div(spec.integer("segment"), "floor") * spec.integer("segment");
    return causal(tokens) & (place.unsqueeze(0) >= (start - spec.integer("memory")).unsqueeze(1));
}

at::Tensor alibiBias(const StreamSpec& spec, const at::Tensor& q)
{
    const at::Tensor perHead = at::tensor(alibiSlopes(q.size(1)), at::kDouble).view({-1, 1, 1});
    const at::Tensor place = at::arange(q.size(2), at::kDouble);
    return (-spec.real("slope") * perHead * (place.unsqueeze(1) - place.unsqueeze(0)))
        .to(q.scalar_type());  // (H,T,T)
}

at::Tensor maskedAttention(const StreamSpec& spec, const StreamInput& in)
{
    at::Tensor logits = logitsOf(in);
    if (spec.kind() == StreamKind::Alibi)
        logits = logits + alibiBias(spec, in.q);
    return at::matmul(maskedSoftmax(logits, maskOf(spec, in.q.size(2))), in.v);
}

at::Tensor retrieval(const StreamSpec& spec, const StreamInput& in)
{
    const int64_t tokens = in.q.size(2), window = spec.integer("window");
    const at::Tensor logits = logitsOf(in), local = inWindow(tokens, window);
    const at::Tensor older = inWindow(tokens, window + spec.integer("capacity")) & ~local;
    const at::Tensor order = std::get<1>(logits.masked_fill(~older, -infinity).sort(true, -1, true));
    const at::Tensor rank = at::empty_like(order).scatter_(-1, order, at::arange(tokens).expand_as(order));
    const at::Tensor best = older & (rank < spec.integer("topk"));  // (B,H,T,T)
    if (spec.choice("combine") == "joint")
        return at::matmul(maskedSoftmax(logits, best | local), in.v);
    const at::Tensor& bias = in.parameters.gateBias;
    const at::Tensor gate = bias.defined() ? at::sigmoid(bias.to(at::kDouble))
                                           : at::full({in.q.size(1)}, spec.real("gate"), at::kDouble);
    const at::Tensor g = (gate.unsqueeze(-1) * older.any(-1)).unsqueeze(-1).to(in.q.scalar_type());  // (H,T,1)
    return (1 - g) * at::matmul(maskedSoftmax(logits, local), in.v)
           + g * at::matmul(maskedSoftmax(logits, best), in.v);
}

/// φ = S^-½ [sin ωx, cos ωx], (B,H,T,2S).
at::Tensor fourierFeatures(const at::Tensor& x, const at::Tensor& omega)
{
    const at::Tensor angle = at::matmul(x, transposed(omega));
    return at::cat({angle.sin(), angle.cos()}, -1) / std::sqrt(double(omega.size(-2)));
}

at::Tensor rfa(const StreamSpec& spec, const StreamInput& in)
{
    const at::Tensor omega = in.parameters.omega.to(in.q.scalar_type());
    const bool exact = spec.choice("norm") == "exact";
    const double root = std::sqrt(scaleOf(in.q));
    const auto scaled = [&](const at::Tensor& x) {
        return exact ? root * x : x / x.norm(2, -1, true).clamp_min(1e-12);
    };
    const at::Tensor q = scaled(in.q), k = scaled(in.k);
    at::Tensor weights = at::matmul(fourierFeatures(q, omega),
                                    transposed(fourierFeatures(k, omega)));  // (B,H,T,T)
    if (exact) {
        const at::Tensor halved = k.square().sum(-1) / 2;
        const at::Tensor top = std::get<0>(halved.cummax(-1));
        weights = weights * (halved.unsqueeze(-2) - top.unsqueeze(-1)).clamp_max(0).exp();
    }
    if (const at::Tensor& gate = in.parameters.gate; gate.defined()) {
        // Products, not sums of logs: a gate of 0 forgets everything.
        const at::Tensor g = gate.to(in.q.scalar_type()), tokens = at::arange(g.size(-1));
        const at::Tensor kept = at::where(tokens.unsqueeze(1) > tokens.unsqueeze(0), g.unsqueeze(-1),
                                          1.0);  // (…,t,i): g_t for i < t
        weights = weights * kept.cumprod(-2);
        if (spec.choice("gate_form") == "average")
            weights = weights * (1 - g).unsqueeze(-2);
    }
    weights = weights.tril();
    const at::Tensor sum = weights.sum(-1, true);
    const at::Tensor guarded = at::where(sum < 0, -1.0, 1.0).to(sum.scalar_type())
                               * sum.abs().clamp_min(spec.real("floor"));
    return (at::matmul(weights, in.v) / guarded).nan_to_num();
}

at::Tensor elu(const StreamSpec& spec, const StreamInput& in)
{
    const at::Tensor weights = at::matmul(at::elu(in.q) + 1, transposed(at::elu(in.k) + 1)).tril();
    return at::matmul(weights, in.v) / (weights.sum(-1, true) + spec.real("eps"));
}

at::Tensor performer(const StreamSpec& spec, const StreamInput& in)
{
    at::Tensor omega = in.parameters.omega.to(in.q.scalar_type());
    if (spec.choice("features") == "hyperbolic")
        omega = at::cat({omega, -omega}, -2);
    const double root = std::sqrt(scaleOf(in.q));
    const auto logs = [&](const at::Tensor& x) {
        return at::matmul(omega, transposed(root * x))
               - (root * x).square().sum(-1).unsqueeze(-2) / 2;  // (B,H,S,T)
    };
    const at::Tensor q = logs(in.q), k = logs(in.k);
    std::vector<at::Tensor> out;
    for (int64_t t = 0; t < in.q.size(2); ++t) {
        const at::Tensor seen = k.narrow(-1, 0, t + 1);
        const at::Tensor weights = (q.select(-1, t) + seen.logsumexp(-1)).softmax(-1);  // (B,H,S)
        const at::Tensor mixed = at::matmul(seen.softmax(-1), in.v.narrow(-2, 0, t + 1));
        out.push_back(at::matmul(weights.unsqueeze(-2), mixed));
    }
    return at::cat(out, -2);
}

/// One segment at a time: its queries see slots, memory and, causally, the segment.
class CompressiveSegments {
public:
    CompressiveSegments(const StreamSpec& spec, const StreamInput& in)
        : m_spec(spec)
        , m_in(in)
        , m_k(in.k.narrow(2, 0, 0))
        , m_v(in.v.narrow(2, 0, 0))
        , m_weight(at::empty({0}, in.q.options()))
        , m_received(at::empty({in.q.size(0), in.q.size(1), 0}, in.q.options()))
        , m_queries(at::empty({0}, in.q.options()))
    {}

    at::Tensor run()
    {
        const int64_t segment = m_spec.integer("segment"), tokens = m_in.q.size(2);
        std::vector<at::Tensor> out;
        for (int64_t first = 0; first < tokens; first += segment) {
            if (first > 0)
                compress();
            out.push_back(attendTo(first, std::min(segment, tokens - first)));
        }
        return at::cat(out, 2);
    }

private:
    at::Tensor attendTo(int64_t first, int64_t length)
    {
        const int64_t kept = m_k.size(2);
        m_k = at::cat({m_k, m_in.k.narrow(2, first, length)}, 2);
        m_v = at::cat({m_v, m_in.v.narrow(2, first, length)}, 2);
        const at::Tensor q = m_in.q.narrow(2, first, length);
        at::Tensor logits = scaleOf(q) * at::matmul(q, transposed(m_k));  // (B,H,L,n)
        if (m_spec.flag("counted"))
            logits = logits + at::constant_pad_nd(m_weight.log(), {0, m_k.size(2) - m_weight.size(0)});
        const at::Tensor weights = maskedSoftmax(logits, at::ones({length, m_k.size(2)}, at::kBool).tril(kept));
        m_received = at::constant_pad_nd(m_received, {0, length})
                     + weights.sum(-2).narrow(-1, m_weight.size(0), m_k.size(2) - m_weight.size(0));
        m_queries = at::cat({m_queries + length, at::arange(length, 0, -1).to(m_queries.scalar_type())});
        return at::matmul(weights, m_v);
    }

    void compress()
    {
        const int64_t slots = m_weight.size(0), excess = m_k.size(2) - slots - m_spec.integer("memory");
        if (excess <= 0)
            return;
        const int64_t rate = m_spec.integer("rate"), count = (excess + rate - 1) / rate;
        const at::Tensor use = (m_received / m_queries).narrow(-1, 0, excess);
        const at::Tensor best = std::get<0>(std::get<1>(use.sort(true, -1, true)).narrow(-1, 0, count).sort(-1));
        const auto pooled = [&](const at::Tensor& x) {
            const at::Tensor old = x.narrow(2, slots, excess);
            const std::string& function = m_spec.choice("function");
            if (function == "most-used")
                return old.gather(2, best.unsqueeze(-1).expand({-1, -1, -1, x.size(3)}));
            if (function == "dilated")
                return old.slice(2, 0, excess, rate);
            std::vector<at::Tensor> groups;
            for (const at::Tensor& group : old.split(rate, 2))
                groups.push_back(function == "mean" ? group.mean(2, true) : group.amax(2, true));
            return at::cat(groups, 2);
        };
        at::Tensor weight = at::full({count}, rate, m_weight.options());
        weight[count - 1] = excess - (count - 1) * rate;
        if (m_spec.choice("function") == "most-used")
            weight.fill_(double(excess) / double(count));
        const int64_t dropped = std::max<int64_t>(0, slots + count - m_spec.integer("compressed"));
        const auto joined = [&](const at::Tensor& x) {
            const at::Tensor all = at::cat(
                {x.narrow(2, 0, slots), pooled(x), x.narrow(2, slots + excess, x.size(2) - slots - excess)}, 2);
            return all.narrow(2, dropped, all.size(2) - dropped);
        };
        m_k = joined(m_k);
        m_v = joined(m_v);
        m_weight = at::cat({m_weight, weight});
        m_weight = m_weight.narrow(0, dropped, m_weight.size(0) - dropped);
        m_received = m_received.narrow(-1, excess, m_received.size(-1) - excess);
        m_queries = m_queries.narrow(0, excess, m_queries.size(0) - excess);
    }

    const StreamSpec& m_spec;
    const StreamInput& m_in;
    at::Tensor m_k, m_v;    // slots, memory, segment
    at::Tensor m_weight;    // (slots): tokens that each stands for
    at::Tensor m_received;  // (B,H,n − slots): attention received, and the number of queries that could give it
    at::Tensor m_queries;
};

}

at::Tensor runParallel(const StreamSpec& spec, const StreamInput& input)
{
    switch (spec.kind()) {
    case StreamKind::Cache:
    case StreamKind::Window:
    case StreamKind::Alibi:
    case StreamKind::TransformerXl:
        return maskedAttention(spec, input);
    case StreamKind::Compressive:
        return CompressiveSegments(spec, input).run();
    case StreamKind::Retrieval:
        return retrieval(spec, input);
    case StreamKind::Elu:
        return elu(spec, input);
    case StreamKind::Rfa:
        return rfa(spec, input);
    case StreamKind::Performer:
        break;
    }
    return performer(spec, input);
}

}
