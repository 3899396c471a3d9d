#include "core/lab/decode/stream_tensors.h"

#include "core/attention/methods/positional.h"
#include "core/attention/noise.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/run/observers.h"

#include <cmath>
#include <utility>

namespace attnscope {

namespace {

void checkShapes(const StreamSpec& spec, const StreamInput& in)
{
    const bool fits = in.q.dim() == 4 && in.k.sizes() == in.q.sizes() && in.v.dim() == 4
                      && in.v.size(0) == in.q.size(0) && in.v.size(1) == in.q.size(1)
                      && in.v.size(2) == in.q.size(2) && in.q.numel() > 0 && in.v.numel() > 0;
    if (!fits)
        throw UsageError(spec.canonical(),
                         "q is " + describeShape(in.q.sizes()) + ", k " + describeShape(in.k.sizes()) + " and v "
                             + describeShape(in.v.sizes()),
                         "a stream needs as many keys and values as queries, with the same batch and heads, and q "
                         "and k of one width");
    const at::Tensor& gate = in.parameters.gate;
    if (gate.defined() && gate.sizes() != in.q.sizes().slice(0, 3))
        throw UsageError(spec.canonical(), "gate is " + describeShape(gate.sizes()),
                         "it needs batch, heads and tokens of q");
}

StreamShape shapeOf(const StreamInput& in)
{
    const at::Tensor& omega = in.parameters.omega;
    return {in.q.size(3), in.v.size(3), omega.defined() && omega.dim() == 3 ? omega.size(1) : 0};
}

/// The tensors of all heads as one, with (B,H) in front.
std::map<std::string, at::Tensor> merged(const std::vector<std::map<std::string, StateTensor>>& heads,
                                         const StreamInput& in)
{
    std::map<std::string, at::Tensor> state;
    for (const auto& [name, first] : heads.front()) {
        std::vector<at::Tensor> each;
        for (const auto& head : heads) {
            const StateTensor& tensor = head.at(name);
            auto values = tensor.values;
            each.push_back(at::from_blob(values.data(), tensor.shape, at::kDouble).to(in.q.scalar_type()).clone());
        }
        std::vector<int64_t> shape{in.q.size(0), in.q.size(1)};
        shape.insert(shape.end(), first.shape.begin(), first.shape.end());
        state[name] = at::stack(each).reshape(shape);
    }
    return state;
}

template <typename Real>
StreamRun run(const StreamSpec& spec, const StreamInput& in, StreamLosses losses, const std::stop_token& stop)
{
    const int64_t batch = in.q.size(0), heads = in.q.size(1), tokens = in.q.size(2);
    const at::Tensor q = in.q.contiguous(), k = in.k.contiguous(), v = in.v.contiguous();
    const at::Tensor gate = in.parameters.gate.defined() ? in.parameters.gate.to(q.scalar_type()).contiguous()
                                                         : at::Tensor();
    StreamRun result;
    result.out = at::empty_like(v);
    std::vector<std::map<std::string, StateTensor>> states;
    std::vector<double> allLosses;
    std::vector<StreamHead<Real>> made = streamHeads<Real>(spec, heads, shapeOf(in), in.parameters);
    for (int64_t row = 0; row < batch * heads; ++row) {
        StreamHead<Real> head = made[size_t(row % heads)];
        head.collectLosses = losses == StreamLosses::Collected;
        const auto stream = makeStream<Real>(spec, std::move(head));
        for (int64_t t = 0; t < tokens; ++t) {
            if (t % 256 == 0)
                checkStop(stop);
            const int64_t at = row * tokens + t;
            const StreamToken<Real> token{q.data_ptr<Real>() + at * q.size(3), k.data_ptr<Real>() + at * k.size(3),
                                          v.data_ptr<Real>() + at * v.size(3),
                                          gate.defined() ? gate.data_ptr<Real>()[at] : Real(1)};
            stream->step(token, result.out.data_ptr<Real>() + at * v.size(3));
            if (row == 0)
                result.stateElements.push_back(stream->stateElements());
        }
        states.push_back(stream->state());
        const std::vector<double> found = stream->losses();
        allLosses.insert(allLosses.end(), found.begin(), found.end());
    }
    result.state = merged(states, in);
    if (losses == StreamLosses::Collected && spec.kind() == StreamKind::Compressive) {
        const auto count = int64_t(allLosses.size()) / (batch * heads);
        result.losses =
            at::from_blob(allLosses.data(), {batch, heads, count}, at::kDouble).permute({2, 0, 1}).contiguous();
    }
    return result;
}

}

void completeParameters(const StreamSpec& spec, StreamInput& input, uint64_t seed)
{
    StreamParameters& parameters = input.parameters;
    if (spec.info().random && !parameters.omega.defined()) {
        SeededNoise noise(seed, 0);
        parameters.omega = noise.sharedNormal("omega", {input.q.size(1), spec.integer("samples"), input.q.size(3)},
                                              at::TensorOptions().dtype(input.q.scalar_type()));
    }
    if (spec.kind() == StreamKind::Rfa && !parameters.gate.defined() && spec.real("gate") < 1)
        parameters.gate = at::full({input.q.size(0), input.q.size(1), input.q.size(2)}, spec.real("gate"),
                                   at::TensorOptions().dtype(input.q.scalar_type()));
}

template <typename Real>
std::vector<StreamHead<Real>> streamHeads(const StreamSpec& spec, int64_t heads, const StreamShape& widths,
                                          const StreamParameters& parameters)
{
    const at::Tensor &omega = parameters.omega, &bias = parameters.gateBias;
    if (spec.info().random
        && (!omega.defined() || omega.dim() != 3 || omega.size(0) != heads || omega.size(2) != widths.width))
        throw UsageError(spec.canonical(),
                         omega.defined() ? "omega is " + describeShape(omega.sizes()) : "omega is missing",
                         "it needs " + std::to_string(heads) + " heads, samples and "
                             + std::to_string(widths.width) + " channels");
    if (bias.defined() && (bias.dim() != 1 || bias.size(0) != heads))
        throw UsageError(spec.canonical(), "gate_bias is " + describeShape(bias.sizes()),
                         "it needs one number for each of " + std::to_string(heads) + " heads");
    const std::vector<double> slopes = alibiSlopes(heads);
    std::vector<StreamHead<Real>> made;
    for (int64_t h = 0; h < heads; ++h) {
        StreamHead<Real> head;
        head.shape = {widths.width, widths.valueWidth, spec.info().random ? omega.size(1) : 0};
        head.scale = static_cast<Real>(1 / std::sqrt(double(widths.width)));
        if (spec.kind() == StreamKind::Alibi)
            head.slope = spec.real("slope") * slopes[size_t(h)];
        if (spec.kind() == StreamKind::Retrieval)
            head.retrieved = bias.defined() ? at::sigmoid(bias[h].to(at::kDouble)).item<double>()
                                            : spec.real("gate");
        if (spec.info().random) {
            const at::Tensor own = omega[h].to(at::kDouble).contiguous();
            head.omega.assign(own.data_ptr<double>(), own.data_ptr<double>() + own.numel());
        }
        head.gated = spec.kind() == StreamKind::Rfa && parameters.gate.defined();
        made.push_back(std::move(head));
    }
    return made;
}

template std::vector<StreamHead<float>> streamHeads(const StreamSpec& spec, int64_t heads,
                                                    const StreamShape& widths, const StreamParameters& parameters);
template std::vector<StreamHead<double>> streamHeads(const StreamSpec& spec, int64_t heads,
                                                     const StreamShape& widths,
                                                     const StreamParameters& parameters);

StreamRun runRecurrent(const StreamSpec& spec, const StreamInput& input, StreamLosses losses, std::stop_token stop)
{
    checkShapes(spec, input);
    if (input.q.scalar_type() == at::kDouble)
        return run<double>(spec, input, losses, stop);
    return run<float>(spec, input, losses, stop);
}

}
