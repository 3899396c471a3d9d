#include "core/lab/attend/attend_stream.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/device/dtype.h"
#include "core/lab/attend/dumped_tensors.h"
#include "core/lab/decode/stream_tensors.h"
#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/run/observers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>

namespace attnscope {

namespace {

constexpr int64_t goldenBytes = 4;  // of a number, in `state_bytes`

std::string specificationText(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Keys about shapes, which are not part of a specification.
bool isAboutShapes(const std::string& key)
{
    constexpr std::array<const char*, 5> keys{"mechanism", "heads", "grid", "prefix", "frames"};
    return std::ranges::find(keys, key) != keys.end();
}

class StreamCase {
public:
    StreamCase(const AttendRequest& request, const StateDict& file, const DumpedCase& described,
               const ProgressCallback& progress, std::stop_token stop)
        : m_request(request)
        , m_state(file)
        , m_case(described)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_file(request.file.string())
        , m_tensors(readTensors())
        , m_described(dumpedStream(described, omegaRows(), m_file))
        , m_input(inputOf())
    {
        describe();
    }

    AttendedStream run()
    {
        measureError();
        if (m_request.latency)
            measureLatency();
        measureCost();
        if (m_tensors.expected.defined())
            compareWithFile();
        collectOutputs();
        return std::move(m_attended);
    }

private:
    AttendCase& result() { return m_attended.result; }
    void note(std::string text) { result().notes.push_back(std::move(text)); }
    const StreamSpec& spec() const { return m_described.spec; }

    DumpedTensors readTensors() const
    {
        if (m_request.dtype != "auto" && m_request.dtype != "float32" && m_request.dtype != "float64")
            throw UsageError("--dtype", "streams are not computed in " + printable(m_request.dtype),
                             "choose auto, float32 or float64");
        if (m_request.frames > 1)
            throw UsageError("--frames", "a stream has no frames", "leave the option out");
        return readDumpedTensors(m_state, m_file, m_case,
                                 {at::kCPU, m_request.dtype, m_request.temperature, m_request.noise});
    }

    int64_t omegaRows() const
    {
        const auto omega = m_tensors.noise.find("omega");
        return omega == m_tensors.noise.end() ? 0 : omega->second.size(-2);
    }

    /// The name in the file of one of our tensors.
    std::string nameOf(const std::string& ours) const
    {
        const auto renamed = m_case.inputs.find(ours);
        return renamed == m_case.inputs.end() ? ours : renamed->second;
    }

    bool has(const std::string& name) const { return m_state.tensors.count(name) > 0; }

    at::Tensor stored(const std::string& name) const
    {
        const StoredTensor& tensor = m_state.tensors.at(name);
        auto values = tensor.readFloat();
        return at::from_blob(values.data(), tensor.shape, at::kFloat).to(at::kDouble);
    }

    StreamInput inputOf()
    {
        const AttentionInput& in = m_tensors.input;
        StreamInput input{in.q, in.k, in.v, {}};
        if (const auto omega = m_tensors.noise.find("omega"); omega != m_tensors.noise.end())
            input.parameters.omega = omega->second;
        if (spec().kind() == StreamKind::Rfa && in.gate.defined()) {
            if (!((in.gate >= 0) & (in.gate <= 1)).all().item<bool>())
                throw FileError(m_file, "`gate` has values outside 0 to 1",
                                "a gate is the part of the state that is kept");
            input.parameters.gate = in.gate;
        }
        if (const std::string name = nameOf("gate_bias"); spec().kind() == StreamKind::Retrieval && has(name)) {
            input.parameters.gateBias = stored(name);
            if (!input.parameters.gateBias.isfinite().all().item<bool>())
                throw FileError(m_file, "`" + printable(name) + "` has values that are not finite",
                                "give one number for each head");
        }
        return input;
    }

    void describe()
    {
        AttendCase& one = result();
        one.name = m_case.name;
        one.attention = spec().canonical();
        one.batch = m_input.q.size(0), one.heads = m_input.q.size(1), one.queries = m_input.q.size(2),
        one.keys = m_input.k.size(2);
        one.width = m_input.q.size(3), one.valueDim = m_input.v.size(3);
        one.notes = m_described.notes;
        if (m_request.grid)
            note("the grid is not used: a stream is a line of tokens");
        if (m_request.device != "cpu")
            note("streams run on the CPU");
    }

    StreamInput completed(int64_t repetition) const
    {
        StreamInput input = m_input;
        completeParameters(spec(), input, spec().seedOr(m_request.seed) + uint64_t(repetition));
        return input;
    }

    void measureError()
    {
        const StreamInput wide{
            m_input.q.to(at::kDouble), m_input.k.to(at::kDouble), m_input.v.to(at::kDouble), {}};
        const at::Tensor exact = runRecurrent(StreamSpec::parse("cache"), wide, StreamLosses::Skipped, m_stop).out;
        const bool drawn = spec().info().random && !m_input.parameters.omega.defined();
        const int64_t seeds = drawn ? m_request.seeds : 1;
        ErrorCollector errors(result().batch, seeds, !drawn);
        for (int64_t s = 0; s < seeds; ++s) {
            StreamRun run = runRecurrent(spec(), completed(s),
                                         s == 0 ? StreamLosses::Collected : StreamLosses::Skipped, m_stop);
            for (int64_t b = 0; b < result().batch; ++b)
                errors.add(b, s, run.out.narrow(0, b, 1), exact.narrow(0, b, 1), 0);
            if (s == 0)
                m_run = std::move(run);
            m_progress({m_case.name + " · error", s + 1, seeds});
        }
        result().hasBaselines = false;
        result().error = errors.result();
        result().error.exact = "softmax over the tokens so far";
        m_output = m_tensors.finished(m_run.out);
    }

    void measureLatency()
    {
        const std::array specs{spec(), StreamSpec::parse("cache")};
        const std::array inputs{completed(0), m_input};
        const int64_t throttled = timesThrottled();
        std::array<TimingSamples, 2> timings;
        std::array<int64_t, 2> perRound{};
        std::vector<size_t> turn{0, 1};
        const auto timePass = [&](size_t i, TimingSamples& samples) {
            SectionTimer timer(at::kCPU);
            timer.begin();
            runRecurrent(specs[i], inputs[i], StreamLosses::Skipped, m_stop);
            timer.end();
            samples.totalMs.push_back(timer.take());
            samples.attentionMs.push_back(samples.totalMs.back());
        };
        for (const size_t i : turn) {
            TimingSamples warmUp;
            timePass(i, warmUp);
            perRound[i] = timingsPerRound(warmUp.totalMs.back(), m_request.minimumRepetitions,
                                          m_request.minimumSeconds);
        }
        std::minstd_rand order(1);
        takeTurns(
            turn, order,
            [&](size_t i) {
                for (int64_t n = 0; n < perRound[i]; ++n)
                    timePass(i, timings[i]);
                m_progress({m_case.name + " · time", int64_t(timings[0].totalMs.size()), 0});
            },
            [&](size_t i) { return timings[i].enough(m_request.minimumRepetitions, m_request.minimumSeconds); });
        result().latency = timings[0].summary();
        result().softmaxLatency = timings[1].summary();
        noteThrottling(throttled, result().notes);
    }

    void measureCost()
    {
        const StreamShape shape{result().width, result().valueDim,
                                spec().info().random ? spec().integer("samples") : 0};
        const int64_t rows = result().batch * result().heads, bytes = m_input.q.element_size();
        const StreamSpec cache = StreamSpec::parse("cache");
        for (int64_t t = 1; t <= result().queries; ++t) {
            m_multiplyAdds.push_back(streamCost(spec(), shape, t).multiplyAdds);
            result().macs += double(rows * m_multiplyAdds.back());
            result().softmaxMacs += double(rows * streamCost(cache, shape, t).multiplyAdds);
        }
        result().peakBytes = rows * bytes * *std::ranges::max_element(m_run.stateElements);
        result().softmaxPeakBytes = rows * bytes * streamCost(cache, shape, result().queries).stateElements;
        note("memory is the largest state between two tokens, compared with that of the cache; time is that of "
             "the whole stream");
    }

    void compare(const std::string& name, const at::Tensor& ours, const at::Tensor& theirs)
    {
        if (ours.sizes() == theirs.sizes()) {
            const double difference = ours.numel() == 0
                                          ? 0
                                          : (ours.to(at::kDouble) - theirs).abs().max().item<double>();
            // NaN must not get lost in a maximum.
            m_difference = difference <= m_difference ? m_difference : difference;
            return;
        }
        m_difference = std::numeric_limits<double>::infinity();
        note("the file's own `" + printable(name) + "` is " + describeShape(theirs.sizes()) + " instead of "
             + describeShape(ours.sizes()));
    }

    void compareCounts(const std::string& name, const std::vector<int64_t>& ours)
    {
        if (!has(name))
            return;
        const StoredTensor& tensor = m_state.tensors.at(name);
        std::vector<int64_t> theirs;
        if (tensor.type == ElementType::Int64) {
            const auto bytes = tensor.read();
            theirs.resize(bytes.size() / sizeof(int64_t));
            std::memcpy(theirs.data(), bytes.data(), theirs.size() * sizeof(int64_t));
        }
        if (theirs == ours)
            return;
        m_difference = std::numeric_limits<double>::infinity();
        note("the file's own `" + name + "` is not what this stream counts");
    }

    std::vector<int64_t> stateBytes() const
    {
        std::vector<int64_t> bytes;
        for (const int64_t elements : m_run.stateElements)
            bytes.push_back(goldenBytes * elements);
        return bytes;
    }

    void compareWithFile()
    {
        compare(m_case.output, m_output, m_tensors.expected);
        if (m_case.output == "out") {
            for (const auto& [name, tensor] : m_run.state)
                if (has("state." + name))
                    compare("state." + name, tensor, stored("state." + name));
            if (m_run.losses.defined() && has("losses"))
                compare("losses", m_run.losses, stored("losses"));
            compareCounts("state_bytes", stateBytes());
            compareCounts("multiply_adds", m_multiplyAdds);
        }
        result().expected = ExpectedOutput{m_case.output, m_difference, m_case.tolerance()};
    }

    static SafetensorsEntry countsEntry(const std::vector<int64_t>& counts)
    {
        SafetensorsEntry entry{ElementType::Int64, {int64_t(counts.size())}, {}};
        entry.bytes.resize(counts.size() * sizeof(int64_t));
        std::memcpy(entry.bytes.data(), counts.data(), entry.bytes.size());
        return entry;
    }

    void collectOutputs()
    {
        auto& outputs = m_attended.outputs;
        outputs["out"] = safetensorsEntry(m_output);
        for (const auto& [name, tensor] : m_run.state)
            outputs["state." + name] = safetensorsEntry(tensor);
        if (m_run.losses.defined())
            outputs["losses"] = safetensorsEntry(m_run.losses);
        outputs["state_bytes"] = countsEntry(stateBytes());
        outputs["multiply_adds"] = countsEntry(m_multiplyAdds);
    }

    const AttendRequest& m_request;
    const StateDict& m_state;
    const DumpedCase& m_case;
    const ProgressCallback& m_progress;
    std::stop_token m_stop;
    std::string m_file;
    DumpedTensors m_tensors;
    DumpedStream m_described;
    StreamInput m_input;
    StreamRun m_run;
    at::Tensor m_output;
    std::vector<int64_t> m_multiplyAdds;
    double m_difference = 0;
    AttendedStream m_attended;
};

}

DumpedStream dumpedStream(const DumpedCase& described, int64_t omegaRows, const std::string& file)
{
    const auto mechanism = described.options.find("mechanism");
    if (mechanism == described.options.end() || !mechanism->is_string())
        throw FileError(file, "`options` in its header has no `mechanism`",
                        "the mechanisms are " + joinWords(streamNames(), "and"));
    const StreamInfo* info = findStream(mechanism->get<std::string>());
    if (info == nullptr)
        throw FileError(file, "unknown mechanism `" + printable(mechanism->get<std::string>()) + "` in its header",
                        "the mechanisms are " + joinWords(streamNames(), "and"));
    DumpedStream stream{StreamSpec::parse(info->name), {}};
    try {
        for (const auto& [key, value] : described.options.items()) {
            const bool known = std::ranges::any_of(info->options,
                                                   [&](const OptionInfo& option) { return option.name == key; });
            if (isAboutShapes(key) || value.is_null())
                continue;
            if (known)
                stream.spec = stream.spec.with(key, OptionValue(specificationText(value)));
            else
                stream.notes.push_back("the header's option `" + printable(key) + "` is not an option of "
                                       + info->name);
        }
    } catch (const UsageError& error) {
        throw FileError(file, described.name.empty() ? error.reason() : described.name + ": " + error.reason());
    }
    if (!info->random || omegaRows == 0)
        return stream;
    if (described.options.contains("samples") && stream.spec.integer("samples") != omegaRows)
        throw FileError(file,
                        "`omega` has " + std::to_string(omegaRows) + " rows and the header says samples="
                            + std::to_string(stream.spec.integer("samples")),
                        "both must be the number of features");
    stream.spec = stream.spec.with("samples", OptionValue(omegaRows));
    return stream;
}

AttendedStream attendStream(const AttendRequest& request, const StateDict& file, const DumpedCase& described,
                            const ProgressCallback& progress, std::stop_token stop)
{
    return StreamCase(request, file, described, progress, std::move(stop)).run();
}

}
