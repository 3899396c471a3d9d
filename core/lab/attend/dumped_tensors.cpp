#include "core/lab/attend/dumped_tensors.h"

#include "core/attention/backend_info.h"
#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/shapes.h"
#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace attnscope {

namespace {

at::ScalarType storedType(const StoredTensor& tensor, const std::string& name, const std::string& file)
{
    const auto type = scalarType(tensor.type);
    if (!type)
        throw FileError(file, "`" + printable(name) + "` is " + toText(tensor.type),
                        "attention needs float16, bfloat16, float32 or float64");
    return *type;
}

class DumpReader {
public:
    DumpReader(const StateDict& state, const std::string& file, const DumpedCase& described,
               const DumpedReading& reading)
        : m_state(state)
        , m_file(file)
        , m_case(described)
        , m_reading(reading)
        , m_type(computeType(state, file, reading.dtype))
    {}

    DumpedTensors read()
    {
        DumpedTensors tensors;
        if (has("q") || !has("x"))
            readQueries(tensors);
        else if (has("kv.weight"))
            readReducedModule(tensors);
        else
            readModule(tensors);
        checkInput(tensors.input);
        tensors.input.scale = 1 / std::sqrt(double(tensors.input.q.size(3)));
        if (m_reading.temperature != 1) {
            tensors.input.q = tensors.input.q * std::sqrt(m_reading.temperature);
            tensors.input.k = tensors.input.k * std::sqrt(m_reading.temperature);
        }
        readLandmarks(tensors.input);
        if (m_reading.noise == NoiseOrigin::File)
            readNoise(tensors);
        readParameters(tensors);
        if (has(m_case.output))
            tensors.expected = raw(m_case.output).to(m_reading.device, at::kDouble);
        if (m_case.output == "out" && has("logz"))
            tensors.expectedNormaliser = raw("logz").to(m_reading.device, at::kDouble);
        return tensors;
    }

private:
    bool has(const std::string& name) const { return m_state.tensors.count(name) > 0; }

    /// The name in the file of one of our tensors; empty if this case does not use it.
    std::string nameOf(const std::string& ours) const
    {
        if (const auto renamed = m_case.inputs.find(ours); renamed != m_case.inputs.end())
            return renamed->second;
        return m_case.inputs.empty() && m_case.output == "out" ? ours : "";
    }

    at::Tensor raw(const std::string& name)
    {
        m_used.insert(name);
        const StoredTensor& stored = m_state.tensors.at(name);
        const at::ScalarType type = storedType(stored, name, m_file);
        auto bytes = stored.read();
        return at::from_blob(bytes.data(), stored.shape, type).clone();
    }

    at::Tensor take(const std::string& name)
    {
        if (!has(name))
            throw FileError(
                m_file, "it has no tensor `" + name + "`",
                "give q, k and v (batch, heads, tokens, channels), or x with the weights qkv and proj");
        const at::Tensor tensor = raw(name).to(m_type);
        const auto wrong = tensor.numel() - tensor.isfinite().sum().item<int64_t>();
        if (wrong > 0)
            throw FileError(m_file,
                            "`" + printable(name) + "` has " + formatCount(wrong) + " of "
                                + formatCounted(tensor.numel(), "value") + " that are not finite",
                            "attention needs finite values");
        return tensor.to(m_reading.device);
    }

    void readQueries(DumpedTensors& tensors)
    {
        for (const char* name : {"q", "k", "v"})
            if (has(name) && m_state.tensors.at(name).shape.size() != 4)
                throw FileError(m_file,
                                std::string("`") + name + "` is " + describeShape(m_state.tensors.at(name).shape),
                                "four dimensions are needed: batch, heads, tokens, channels");
        tensors.input.q = take("q");
        tensors.input.k = take("k");
        tensors.input.v = take("v");
    }

    /// x (B,N,C) or (B,h,w,C), qkv.weight (3C,C): rows ordered q|k|v, then head, then channel.
    void readModule(DumpedTensors& tensors)
    {
        const at::Tensor x = take("x"), weight = take("qkv.weight"), projection = take("proj.weight");
        const auto width = x.dim() > 0 ? x.size(-1) : 0;
        if ((x.dim() != 3 && x.dim() != 4) || x.numel() == 0)
            throw FileError(m_file, "`x` is " + describeShape(x.sizes()),
                            "(batch, tokens, channels) or (batch, rows, columns, channels)");
        const int64_t count = headsOf(width);
        if (weight.sizes() != at::IntArrayRef({3 * width, width})
            || projection.sizes() != at::IntArrayRef({width, width}))
            throw FileError(m_file,
                            "qkv.weight is " + describeShape(weight.sizes()) + " and proj.weight "
                                + describeShape(projection.sizes()),
                            "x has " + counted(width, "channel"));
        const auto bias = vectorOf("qkv.bias", 3 * width);
        const auto tokens = x.reshape({x.size(0), -1, width});
        const auto qkv =
            at::linear(tokens, weight, bias).reshape({x.size(0), tokens.size(1), 3, count, width / count});
        const auto split = qkv.permute({2, 0, 3, 1, 4});  // (3,B,H,N,D)
        tensors.input.q = split[0].contiguous();
        tensors.input.k = split[1].contiguous();
        tensors.input.v = split[2].contiguous();
        tensors.projectionWeight = projection;
        tensors.projectionBias = vectorOf("proj.bias", width);
        tensors.moduleShape = x.sizes().vec();
    }

    /// x (B,rows·columns,C) with PVTv2's weights: q (C,C), kv (2C,C), and `sr`, `norm` if keys are reduced.
    void readReducedModule(DumpedTensors& tensors)
    {
        const at::Tensor x = take("x"), projection = take("proj.weight");
        const auto width = x.dim() == 3 ? x.size(2) : 0;
        if (width < 1)
            throw FileError(m_file, "`x` of an SRA module needs three dimensions: batch, tokens, channels");
        const auto heads = headsOf(width);
        const TokenLayout tokens = gridOf(x);
        const auto split = [&](const at::Tensor& y) {
            return y.reshape({y.size(0), y.size(1), heads, width / heads})
                .transpose(1, 2)
                .contiguous();  // (B,H,N,D)
        };
        const auto matrix = [&](const std::string& name, int64_t rows) {
            const at::Tensor weight = take(name);
            if (weight.sizes() != at::IntArrayRef({rows, width}))
                throw FileError(m_file, "`" + name + "` is " + describeShape(weight.sizes()),
                                "x has " + counted(width, "channel"));
            return weight;
        };
        const auto reduced = reduceKeys(x, tokens, tensors.input.keyTokens);
        const auto keyValue =
            at::linear(reduced, matrix("kv.weight", 2 * width), vectorOf("kv.bias", 2 * width)).chunk(2, -1);
        tensors.input.q = split(at::linear(x, matrix("q.weight", width), vectorOf("q.bias", width)));
        tensors.input.k = split(keyValue[0]);
        tensors.input.v = split(keyValue[1]);
        tensors.projectionWeight = projection;
        tensors.projectionBias = vectorOf("proj.bias", width);
        tensors.moduleShape = x.sizes().vec();
    }

    at::Tensor reduceKeys(const at::Tensor& x, const TokenLayout& tokens, TokenLayout& keyTokens)
    {
        if (!has("sr.weight"))
            return x;
        const auto width = x.size(2);
        const auto linear = m_case.options.find("linear");
        SpatialReduction reduction;
        reduction.pooled = linear != m_case.options.end() && linear->is_boolean() && linear->get<bool>();
        reduction.convolution.weight = take("sr.weight");
        const at::Tensor& kernels = reduction.convolution.weight;
        const auto ratio = kernels.dim() == 4 ? kernels.size(3) : 0;
        if (ratio < 1 || kernels.sizes() != at::IntArrayRef({width, width, ratio, ratio}))
            throw FileError(m_file, "`sr.weight` is " + describeShape(kernels.sizes()),
                            "x has " + counted(width, "channel"));
        reduction.ratio = ratio;
        reduction.convolution.bias = vectorOf("sr.bias", width);
        reduction.norm.weight = vectorOf("norm.weight", width);
        reduction.norm.bias = vectorOf("norm.bias", width);
        keyTokens = reduction.reduced(tokens);
        if (keyTokens.count() == 0)
            throw FileError(m_file,
                            "its grid is smaller than the cells of `sr.weight`, " + describeShape({ratio, ratio}));
        return reduction.apply(x, tokens);
    }

    int64_t headsOf(int64_t width) const
    {
        const auto heads = m_case.options.find("heads");
        const int64_t count = heads != m_case.options.end() && heads->is_number_integer() ? heads->get<int64_t>()
                                                                                          : 0;
        if (count < 1 || width % count != 0)
            throw FileError(m_file, "its header's option `heads` does not divide the width of x, "
                                        + std::to_string(width));
        return count;
    }

    TokenLayout gridOf(const at::Tensor& x) const
    {
        const auto grid = dumpedLayout(m_case, m_file).grid;
        if (!grid || grid->rows * grid->columns != x.size(1) || x.size(0) < 1)
            throw FileError(
                m_file, "its header's option `grid` does not hold the " + counted(x.size(1), "token") + " of x",
                "reduced keys need [rows, columns]");
        return {.prefix = 0, .frames = 1, .rows = grid->rows, .columns = grid->columns};
    }

    at::Tensor vectorOf(const std::string& name, int64_t length)
    {
        if (!has(name))
            return {};
        const at::Tensor tensor = take(name);
        if (tensor.sizes() != at::IntArrayRef({length}))
            throw FileError(m_file, "`" + name + "` is " + describeShape(tensor.sizes()) + " instead of "
                                        + std::to_string(length));
        return tensor;
    }

    void checkInput(const AttentionInput& in) const
    {
        const std::string shapes = "q is " + describeShape(in.q.sizes()) + ", k " + describeShape(in.k.sizes())
                                   + " and v " + describeShape(in.v.sizes());
        if (in.q.numel() == 0 || in.k.numel() == 0 || in.v.numel() == 0)
            throw FileError(m_file, "there is nothing to attend to: " + shapes);
        const bool fits = in.q.size(0) == in.k.size(0) && in.q.size(0) == in.v.size(0)
                          && in.q.size(1) == in.k.size(1) && in.q.size(1) == in.v.size(1)
                          && in.q.size(3) == in.k.size(3) && in.k.size(2) == in.v.size(2);
        if (!fits)
            throw FileError(m_file, shapes + ", which do not match",
                            "batch and heads must agree, q and k need the same head dimension, and k and v the "
                            "same number of tokens");
    }

    void readLandmarks(AttentionInput& in)
    {
        const std::array<std::pair<const char*, at::Tensor*>, 3> landmarks{
            {{"q_land", &in.queryLandmarks}, {"k_land", &in.keyLandmarks}, {"v_land", &in.valueLandmarks}}};
        for (const auto& [ours, target] : landmarks) {
            const std::string name = nameOf(ours);
            if (name.empty() || !has(name))
                continue;
            *target = take(name);
            const int64_t width = std::string(ours) == "v_land" ? in.v.size(3) : in.q.size(3);
            const at::Tensor& x = *target;
            if (x.dim() != 4 || x.size(0) != in.q.size(0) || x.size(1) != in.q.size(1) || x.size(2) < 1
                || x.size(3) != width)
                throw FileError(m_file, "`" + printable(name) + "` is " + describeShape(x.sizes())
                                            + ", which does not match q, " + describeShape(in.q.sizes()));
            if (in.queryLandmarks.defined() && x.size(2) != in.queryLandmarks.size(2))
                throw FileError(m_file, "q_land and " + printable(name) + " have different numbers of landmarks");
        }
        if (m_reading.temperature != 1) {
            for (at::Tensor* x : {&in.queryLandmarks, &in.keyLandmarks})
                if (x->defined())
                    *x = *x * std::sqrt(m_reading.temperature);
        }
        readGate(in);
        readKeyWeights(in);
    }

    void readKeyWeights(AttentionInput& in)
    {
        const std::string name = nameOf("key_log_weights");
        if (name.empty() || !has(name))
            return;
        in.keyLogWeights = raw(name).to(m_type).to(m_reading.device);
        if (in.keyLogWeights.sizes() != in.k.sizes().slice(0, 3))
            throw FileError(m_file, "`key_log_weights` is " + describeShape(in.keyLogWeights.sizes()),
                            "it needs batch, heads and tokens of k");
        if (!(in.keyLogWeights < std::numeric_limits<double>::infinity()).all().item<bool>())
            throw FileError(m_file, "`key_log_weights` has values that are neither finite nor −∞",
                            "log-weights are numbers, and −∞ removes a key");
    }

    void readGate(AttentionInput& in)
    {
        const std::string name = nameOf("gate");
        if (name.empty() || !has(name))
            return;
        in.gate = take(name);
        if (in.gate.sizes() != at::IntArrayRef({in.q.size(0), in.q.size(1), in.q.size(2)}))
            throw FileError(m_file, "`gate` is " + describeShape(in.gate.sizes()),
                            "it needs batch, heads and tokens of q");
    }

    void readNoise(DumpedTensors& tensors)
    {
        for (const char* ours : {"omega", "u", "eps", "planes"}) {
            const std::string name = nameOf(ours);
            if (name.empty() || !has(name))
                continue;
            const at::Tensor tensor = take(name);
            if (tensor.dim() < 2 || tensor.numel() == 0)
                throw FileError(m_file, "`" + printable(name) + "` is " + describeShape(tensor.sizes()),
                                "noise needs two dimensions or more");
            tensors.noise[ours] = tensor;
        }
        if (const std::string name = nameOf("first"); !name.empty() && has(name))
            tensors.noise["first"] = indices(name, 2, "one index for each batch element and head is needed");
        readChoices(tensors);
        if (const std::string name = nameOf("flip"); !name.empty() && has(name))
            tensors.noise["flip"] = indices(name, 3, "a number for each batch element, head and bucket is needed");
        const auto u = tensors.noise.find("u");
        if (u != tensors.noise.end() && !((u->second >= 0) & (u->second < 1)).all().item<bool>())
            throw FileError(m_file, "`u` has values outside [0, 1)",
                            "it selects keys and must be uniform in that range");
    }

    /// What sparse attentions choose at random, or are told: hash rotations, spans, lists of blocks and of queries.
    void readChoices(DumpedTensors& tensors)
    {
        for (const char* ours : {"rotations", "spans"})
            if (const std::string name = nameOf(ours); !name.empty() && has(name))
                tensors.noise[ours] = take(name);
        constexpr std::array<std::pair<const char*, size_t>, 3> lists{
            {{"random_blocks", 3}, {"perm", 2}, {"starts", 3}}};
        for (const auto& [ours, rank] : lists)
            if (const std::string name = nameOf(ours); !name.empty() && has(name))
                tensors.noise[ours] = indices(name, rank, std::to_string(rank) + " dimensions are needed");
    }

    /// Numbers of tokens or blocks; integers of any type.
    at::Tensor indices(const std::string& name, size_t rank, const std::string& right)
    {
        m_used.insert(name);
        const StoredTensor& stored = m_state.tensors.at(name);
        if (stored.shape.size() != rank)
            throw FileError(m_file, "`" + printable(name) + "` is " + describeShape(stored.shape), right);
        auto values = stored.readFloat();
        return at::from_blob(values.data(), stored.shape, at::kFloat).to(m_reading.device, at::kDouble);
    }

    void readParameters(DumpedTensors& tensors)
    {
        const auto isRecorded = [](const std::string& name) {
            return std::any_of(backends().begin(), backends().end(), [&](const BackendInfo& info) {
                return std::count(info.recordedParameters.begin(), info.recordedParameters.end(), name) > 0;
            });
        };
        for (const auto& [name, stored] : m_state.tensors) {
            const bool wanted = isLearnedParameter(name) || isRecorded(name);
            if (wanted && m_used.count(name) == 0)
                tensors.parameters[name] = take(name);
        }
    }

    const StateDict& m_state;
    const std::string& m_file;
    const DumpedCase& m_case;
    const DumpedReading& m_reading;
    at::ScalarType m_type;
    std::set<std::string> m_used;
};

/// Several times q, k, v in the compute dtype: rejected before anything is allocated.
void checkMemory(const StateDict& state, const std::string& file)
{
    int64_t bytes = 0;
    for (const auto& [name, tensor] : state.tensors)
        bytes = checkedAdd(bytes, checkedMultiply(tensor.elements(), 8).value_or(INT64_MAX)).value_or(INT64_MAX);
    const int64_t free = cpuDevice().freeBytes;
    if (free > 0 && bytes > free / 4)
        throw FileError(file,
                        "its tensors need about "
                            + formatBytes(checkedMultiply(bytes, 4).value_or(INT64_MAX)).text()
                            + " of memory, but " + formatBytes(free).text() + " are free",
                        "use fewer tokens or heads at a time");
}

}

DumpedSizes DumpedTensors::sizes() const
{
    DumpedSizes sizes;
    sizes.width = input.q.size(3);
    if (input.queryLandmarks.defined())
        sizes.landmarks = input.queryLandmarks.size(2);
    if (const auto eps = noise.find("eps"); eps != noise.end() && eps->second.dim() == 4)
        sizes.epsRows = eps->second.size(2);
    for (const char* name : {"eval_proj", "random_proj"})
        if (const auto found = parameters.find(name); found != parameters.end() && found->second.dim() == 3)
            sizes.features = found->second.size(1);
    if (const auto omega = noise.find("omega"); omega != noise.end())
        sizes.features = omega->second.size(-2);
    return sizes;
}

at::Tensor DumpedTensors::finished(const at::Tensor& attended) const
{
    if (moduleShape.empty())
        return attended;
    const auto merged = attended.transpose(1, 2).reshape({attended.size(0), attended.size(2), -1});  // (B,N,H·D)
    return at::linear(merged, projectionWeight, projectionBias).reshape(moduleShape);
}

DumpedTensors readDumpedTensors(const StateDict& file, const std::string& name, const DumpedCase& described,
                                const DumpedReading& reading)
{
    checkMemory(file, name);
    return DumpReader(file, name, described, reading).read();
}

at::ScalarType computeType(const StateDict& file, const std::string& name, const std::string& dtype)
{
    if (const auto type = scalarType(dtype))
        return *type;
    if (dtype != "auto")
        throw UsageError("", "unknown dtype `" + printable(dtype) + "`",
                         "dtypes are auto, float32, float64, bfloat16 and float16");
    const auto query = file.tensors.find(file.tensors.count("q") > 0 ? "q" : "x");
    const bool wide = query != file.tensors.end() && storedType(query->second, query->first, name) == at::kDouble;
    return wide ? at::kDouble : at::kFloat;
}

}
