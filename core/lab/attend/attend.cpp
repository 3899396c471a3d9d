#include "core/lab/attend/attend.h"

#include "core/attention/attention_backend.h"
#include "core/attention/numerics/fallbacks.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/dtype.h"
#include "core/device/torch_problem.h"
#include "core/lab/attend/attend_stream.h"
#include "core/lab/attend/dumped_case.h"
#include "core/lab/attend/dumped_tensors.h"
#include "core/lab/layers/opened_input.h"
#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <tuple>

namespace attnscope {

namespace {

/// What to run, before any tensor is read.
struct AttendTask {
    DumpedCase described;
    std::optional<AttentionSpec> requested;  ///< empty: the header's
};

/// If the attention was specified by the caller, a group file's tensors are named as in its cases of that backend.
DumpedCase caseFor(const AttentionSpec& spec, const std::vector<DumpedCase>& described)
{
    DumpedCase merged;
    merged.name = spec.canonical();
    if (described.size() == 1 && described.front().output == "out") {
        merged = described.front();
        merged.name = spec.canonical();
        return merged;
    }
    if (described.empty())
        return merged;
    merged.output.clear();
    for (const DumpedCase& one : described)
        if (one.backend == spec.backend())
            merged.inputs.insert(one.inputs.begin(), one.inputs.end());
    return merged;
}

std::vector<AttendTask> tasksOf(const AttendRequest& request, const Json& metadata)
{
    const std::vector<DumpedCase> described = dumpedCases(metadata, request.file.string());
    std::vector<AttendTask> tasks;
    for (const AttentionSpec& spec : request.attention) {
        if (spec.isNative())
            throw UsageError("native", "without a model, native attention is undefined for a file with q, k and v",
                             "specify the attention by name");
        if (spec.isMixed())
            throw UsageError(spec.canonical(),
                             "a file with q, k and v has no layers to assign different attentions to",
                             "specify one attention, and give the others with --attention of their own");
        tasks.push_back({caseFor(spec, described), spec});
    }
    if (!tasks.empty())
        return tasks;
    for (const DumpedCase& one : described)
        tasks.push_back({one, {}});
    if (tasks.empty())
        throw UsageError(request.file.string(), "its header has no `backend`",
                         "specify the attention to run with --attention");
    return tasks;
}

class CaseRun {
public:
    CaseRun(const AttendRequest& request, const StateDict& file, const AttendTask& task,
            const ProgressCallback& progress, std::stop_token stop)
        : m_request(request)
        , m_task(task)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_file(request.file.string())
        , m_device(request.device)
        , m_tensors(readDumpedTensors(file, m_file, task.described,
                                      {m_device, request.dtype, request.temperature, request.noise}))
    {
        layOut();
        chooseAttention();
        makeBackends();
    }

    AttendCase run()
    {
        measureError();
        countPairs();
        if (m_request.latency)
            measureLatency();
        measureMemory();
        countMultiplyAdds();
        return m_result;
    }

    const at::Tensor& output() const { return m_output; }
    /// (B,H,N); undefined for an attention without normalisers.
    const at::Tensor& normaliser() const { return m_normaliser; }

private:
    AttentionInput& input() { return m_tensors.input; }
    void note(std::string text) { m_result.notes.push_back(std::move(text)); }

    void layOut()
    {
        const DumpedLayout layout = dumpedLayout(m_task.described, m_file);
        m_frames = m_request.frames > 0 ? m_request.frames : layout.frames;
        const auto& q = input().q;
        const auto& k = input().k;
        m_result.name = m_task.described.name;
        m_result.batch = q.size(0), m_result.heads = q.size(1), m_result.queries = q.size(2),
        m_result.keys = k.size(2);
        m_result.width = q.size(3), m_result.valueDim = input().v.size(3), m_result.frames = m_frames;
        if (k.size(2) % m_frames != 0)
            throw FileError(m_file,
                            counted(k.size(2), "key") + " cannot be split into " + counted(m_frames, "frame"));
        input().tokens.frames = input().keyGroups = m_frames;
        std::optional<TokenGrid> grid = m_request.grid ? m_request.grid : layout.grid;
        if (!grid && m_tensors.moduleShape.size() == 4)
            grid = TokenGrid{m_tensors.moduleShape[1], m_tensors.moduleShape[2]};
        const auto prefix = m_request.grid ? std::nullopt : layout.prefix;
        if (grid)
            useGrid(*grid, prefix);
        else if (prefix && *prefix > q.size(2))
            throw FileError(m_file, "`prefix` in its header is " + std::to_string(*prefix) + ", but there are "
                                        + counted(q.size(2), "token"));
        else if (prefix)
            input().tokens.prefix = *prefix;
        useKeyGrid(layout);
    }

    /// `stated`: the tokens before the grid, if the header says so.
    void useGrid(const TokenGrid& grid, std::optional<int64_t> stated)
    {
        const int64_t cells = grid.rows * grid.columns * m_frames, tokens = m_result.queries;
        const std::string wanted = std::to_string(grid.rows) + "×" + std::to_string(grid.columns);
        const int64_t prefix = tokens - cells;
        if (stated && prefix != *stated)
            throw FileError(m_file,
                            "its " + std::to_string(tokens) + " tokens are not " + std::to_string(*stated)
                                + " and a grid of " + wanted,
                            "prefix, and rows times columns times frames, must add up to the number of tokens");
        if (prefix < 0 || (!stated && (prefix > 2 || (prefix > 0 && m_frames > 1))))
            throw FileError(m_file, "its " + std::to_string(tokens) + " tokens do not fill a grid of " + wanted,
                            "rows times columns must be the number of tokens minus one or two class tokens");
        input().tokens = {prefix, m_frames, grid.rows, grid.columns};
        if (prefix > 0)
            note("the first " + (prefix == 1 ? "token is" : std::to_string(prefix) + " tokens are")
                 + " treated as class tokens and excluded from the landmarks");
    }

    /// Keys with a grid, or only tokens before it, of their own.
    void useKeyGrid(const DumpedLayout& layout)
    {
        if (!layout.keyGrid && layout.keyPrefix == 0)
            return;
        const TokenGrid grid = layout.keyGrid.value_or(TokenGrid{});
        const TokenLayout keys{layout.keyPrefix, 1, grid.rows, grid.columns};
        if (m_frames > 1 || (layout.keyGrid ? keys.count() != m_result.keys : keys.prefix > m_result.keys))
            throw FileError(
                m_file,
                "its " + std::to_string(m_result.keys) + " keys are not those of `key_grid` and `key_prefix`",
                "key_prefix, and rows times columns, must add up to the number of keys, without frames");
        input().keyTokens = keys;
    }

    void chooseAttention()
    {
        if (m_task.requested) {
            m_spec = *m_task.requested;
        } else {
            TranslatedOptions translated = translateOptions(m_task.described, m_tensors.sizes(), m_file);
            m_spec = translated.spec;
            m_result.notes.insert(m_result.notes.end(), translated.notes.begin(), translated.notes.end());
        }
        m_result.attention = m_spec.canonical();
        m_made = m_spec;
        if (const BackendInfo* info = findBackend(m_spec.backend()); info->fitRecorded != nullptr)
            m_made = info->fitRecorded(m_spec, input(), m_result.notes);
        if (input().tokens.hasGrid())
            m_result.grid = TokenGrid{input().tokens.rows, input().tokens.columns};
    }

    void makeBackends()
    {
        BackendContext context{m_result.heads, m_result.width, input().tokens, m_tensors.parameters};
        m_backend = makeBackend(m_made, context);
        m_softmax = makeBackend(AttentionSpec::reference(), context);
        const bool given = input().queryLandmarks.defined();
        for (const std::string& text : m_backend->notes())
            if (!given || text.find("plain pooled landmarks") == std::string::npos)
                note(text);
    }

    /// (B,H,N,F,D) → (B,H,N·F,D): differences are computed over all rows of a head.
    static at::Tensor rows(const at::Tensor& x) { return x.dim() == 5 ? x.flatten(2, 3) : x; }

    void measureError()
    {
        const uint64_t first = m_spec.seedOr(m_request.seed);
        SeededNoise none(0, 0);
        const at::Tensor reference = rows(m_softmax->attend(input(), none));
        std::vector<at::Tensor> outputs;
        bool drawn = false;
        FallbackTally fallbacks;
        for (int64_t s = 0; s < m_request.seeds && (s == 0 || drawn); ++s) {
            checkStop(m_stop);
            SeededNoise seeded(first + uint64_t(s), 0);
            RecordedNoise noise(m_tensors.noise, seeded);
            at::Tensor out;
            {
                const CountFallbacks counting(fallbacks);
                out = m_backend->attend(input(), noise);
            }
            drawn = noise.drawn();
            if (s == 0)
                m_output = m_tensors.finished(out);
            outputs.push_back(rows(out));
            m_progress({m_result.name + " · error", s + 1, m_request.seeds});
        }
        fallbacks.addTo(m_result.notes);
        findNormaliser();
        collect(outputs, reference, !drawn);
        compareWithFile();
    }

    void findNormaliser()
    {
        if (!m_backend->hasNormaliser() || m_frames > 1)
            return;
        SeededNoise seeded(m_spec.seedOr(m_request.seed), 0);
        RecordedNoise noise(m_tensors.noise, seeded);
        const AttentionPart part = m_backend->attendPart(input(), noise);
        // Of the logits that the method sees: those of centred keys, as reference files have it.
        m_normaliser = part.centring.defined() ? part.logNormaliser - part.centring : part.logNormaliser;
    }

    void collect(const std::vector<at::Tensor>& outputs, const at::Tensor& reference, bool deterministic)
    {
        ErrorCollector errors(m_result.batch, int64_t(outputs.size()), deterministic);
        m_result.hasBaselines = m_frames == 1;
        for (int64_t b = 0; b < m_result.batch; ++b) {
            const at::Tensor exactHere = reference.narrow(0, b, 1);
            for (size_t s = 0; s < outputs.size(); ++s)
                errors.add(b, int64_t(s), outputs[s].narrow(0, b, 1), exactHere, input().tokens.prefix);
            if (m_result.hasBaselines)
                errors.addBaselines(b, input().v.narrow(0, b, 1), exactHere);
        }
        m_result.error = errors.result();
        if (m_frames > 1)
            m_result.error.exact = "softmax over the keys of each frame";
    }

    void compareWithFile()
    {
        const at::Tensor& expected = m_tensors.expected;
        if (!expected.defined())
            return;
        const double tolerance = m_task.described.tolerance();
        if (expected.sizes() != m_output.sizes()) {
            note("the file's own `" + printable(m_task.described.output)
                 + "` has a different shape and was not compared");
            m_result.expected = ExpectedOutput{m_task.described.output, std::numeric_limits<double>::infinity(),
                                               tolerance};
            return;
        }
        auto difference = (m_output.to(at::kDouble) - expected).abs().max().item<double>();
        if (m_tensors.expectedNormaliser.defined() && m_normaliser.defined())
            if (const double other = normaliserDifference(); !(other <= difference))
                difference = other;  // NaN too
        m_result.expected = ExpectedOutput{m_task.described.output, difference, tolerance};
    }

    /// −∞ is as expected where both are.
    double normaliserDifference() const
    {
        const at::Tensor& expected = m_tensors.expectedNormaliser;
        if (expected.sizes() != m_normaliser.sizes())
            return std::numeric_limits<double>::infinity();
        const auto ours = m_normaliser.to(at::kDouble);
        return (ours - expected).abs().masked_fill(ours == expected, 0).max().item<double>();
    }

    void timePass(const AttentionBackend& backend, TimingSamples& timings)
    {
        checkStop(m_stop);
        SeededNoise seeded(m_spec.seedOr(m_request.seed), 0);
        RecordedNoise noise(m_tensors.noise, seeded);
        SectionTimer timer(m_device);
        timer.begin();
        std::ignore = backend.attend(input(), noise);
        timer.end();
        const double milliseconds = timer.take();
        timings.totalMs.push_back(milliseconds);
        timings.attentionMs.push_back(milliseconds);
    }

    void measureLatency()
    {
        const std::array backends{m_backend.get(), m_softmax.get()};
        const int64_t throttled = timesThrottled();
        std::array<TimingSamples, 2> timings;
        std::array<int64_t, 2> perRound{};
        std::vector<size_t> turn{0};
        if (!(m_spec == m_softmax->spec()))
            turn.push_back(1);
        for (int warmUp = 0; warmUp < 2; ++warmUp)
            for (const size_t i : turn) {
                TimingSamples discarded;
                timePass(*backends[i], discarded);
                perRound[i] = timingsPerRound(discarded.totalMs.back(), m_request.minimumRepetitions,
                                              m_request.minimumSeconds);
            }
        std::minstd_rand order(1);
        const auto takeTurn = [&](size_t i) {
            for (int64_t n = 0; n < perRound[i]; ++n)
                timePass(*backends[i], timings[i]);
            m_progress({m_result.name + " · time", int64_t(timings[0].totalMs.size()), 0});
        };
        takeTurns(turn, order, takeTurn, [&](size_t i) {
            return timings[i].enough(m_request.minimumRepetitions, m_request.minimumSeconds);
        });
        m_result.latency = timings[0].summary();
        m_result.softmaxLatency = timings[turn.back()].summary();
        noteThrottling(throttled, m_result.notes);
    }

    int64_t peakOf(const AttentionBackend& backend)
    {
        checkStop(m_stop);
        SeededNoise seeded(m_spec.seedOr(m_request.seed), 0);
        RecordedNoise noise(m_tensors.noise, seeded);
        const AllocationMeter meter(m_device);
        std::ignore = backend.attend(input(), noise);
        return meter.peak();
    }

    void measureMemory()
    {
        m_result.peakBytes = peakOf(*m_backend);
        m_result.softmaxPeakBytes = peakOf(*m_softmax);
    }

    void countPairs()
    {
        SeededNoise seeded(m_spec.seedOr(m_request.seed), 0);
        RecordedNoise noise(m_tensors.noise, seeded);
        const AllowedPairs counted = m_backend->allowedPairs(input(), noise);
        m_result.sparseRows = counted.rows, m_result.allowedPairs = counted.pairs,
        m_result.emptyRows = counted.emptyRows;
        if (counted.emptyRows > 0)
            note(counted.emptyRowsNote());
    }

    void countMultiplyAdds()
    {
        const AttentionShape shape{m_result.heads, m_result.queries,  m_result.keys,
                                   m_result.width, m_result.valueDim, m_frames};
        const auto times = double(m_result.batch);
        m_result.macs = times * m_backend->multiplyAdds(shape);
        m_result.softmaxMacs = times * m_softmax->multiplyAdds(shape);
    }

    const AttendRequest& m_request;
    const AttendTask& m_task;
    const ProgressCallback& m_progress;
    std::stop_token m_stop;
    std::string m_file;
    at::Device m_device;
    DumpedTensors m_tensors;
    int64_t m_frames = 1;
    AttentionSpec m_spec = AttentionSpec::native();
    AttentionSpec m_made = AttentionSpec::native();  // what the backend is made with
    std::shared_ptr<AttentionBackend> m_backend, m_softmax;
    at::Tensor m_output, m_normaliser;
    AttendCase m_result;
};

std::optional<AttendCase> unavailable(const AttendTask& task)
{
    if (task.requested || isStream(task.described) || findBackend(task.described.backend) != nullptr)
        return {};
    AttendCase result;
    result.name = task.described.name;
    result.attention = printable(task.described.backend);
    if (const std::string why = whyOmitted(task.described.backend); !why.empty()) {
        result.unavailable = why;
        return result;
    }
    result.unavailable = "`" + result.attention + "` is not available; the attentions are "
                         + joinWords(backendNames(), "and");
    return result;
}

class Session {
public:
    Session(const AttendRequest& request, const ProgressCallback& progress, std::stop_token stop)
        : m_request(request)
        , m_progress(progress)
        , m_stop(std::move(stop))
    {}

    AttendReport run()
    {
        const std::string name = m_request.file.string();
        checkOutput();
        const StateDict file = readSafetensors(openFile(m_request.file), m_request.limits);
        m_report = {.file = name, .device = m_request.device, .seed = m_request.seed};
        m_report.dtype = dtypeName(computeType(file, name, m_request.dtype));
        const std::vector<AttendTask> tasks = tasksOf(m_request, file.metadata);
        for (const AttendTask& task : tasks)
            runTask(file, task, tasks.size());
        if (!m_request.out.empty())
            writeSafetensors(m_request.out, m_outputs, metadata());
        return std::move(m_report);
    }

private:
    void checkOutput() const
    {
        std::error_code ignored;
        if (!m_request.out.empty() && std::filesystem::equivalent(m_request.out, m_request.file, ignored))
            throw UsageError(m_request.out.string(), "the output would replace its own input",
                             "choose another name for --out");
        if (!m_request.out.empty())
            requireWritable(m_request.out);
    }

    void runTask(const StateDict& file, const AttendTask& task, size_t count)
    {
        if (auto missing = unavailable(task)) {
            m_report.cases.push_back(std::move(*missing));
            return;
        }
        try {
            if (!task.requested && isStream(task.described)) {
                AttendedStream stream = attendStream(m_request, file, task.described, m_progress, m_stop);
                m_report.cases.push_back(std::move(stream.result));
                for (auto& [name, tensor] : stream.outputs)
                    m_outputs[count == 1 ? name : name + "." + m_report.cases.back().name] = std::move(tensor);
                return;
            }
            CaseRun run(m_request, file, task, m_progress, m_stop);
            m_report.cases.push_back(run.run());
            const std::string ending = count == 1 ? "" : "." + m_report.cases.back().name;
            m_outputs["out" + ending] = safetensorsEntry(run.output());
            if (run.normaliser().defined())
                m_outputs["logz" + ending] = safetensorsEntry(run.normaliser());
        } catch (const UsageError& error) {
            // Without --attention the user made no mistake: the file contradicts itself.
            if (task.requested)
                throw UsageError(error.subject().empty() ? task.requested->canonical() : error.subject(),
                                 error.reason());
            throw FileError(m_report.file, task.described.name + ": " + error.reason());
        }
    }

    std::map<std::string, std::string> metadata() const
    {
        std::map<std::string, std::string> entries{{"producer", std::string("attnscope ") + version},
                                                   {"file", m_request.file.filename().string()},
                                                   {"seed", std::to_string(m_request.seed)}};
        const auto available = std::count_if(m_report.cases.begin(), m_report.cases.end(),
                                             [](const AttendCase& one) { return one.unavailable.empty(); });
        for (const AttendCase& one : m_report.cases)
            if (one.unavailable.empty())
                entries[available == 1 ? "attention" : "attention." + one.name] = one.attention;
        return entries;
    }

    const AttendRequest& m_request;
    const ProgressCallback m_progress;
    std::stop_token m_stop;
    AttendReport m_report;
    std::map<std::string, SafetensorsEntry> m_outputs;
};

}

AttendReport attend(const AttendRequest& request, const ProgressCallback& progress, std::stop_token stop)
{
    const c10::InferenceMode guard;
    return guardTorch(request.file.string(),
                      [&] { return Session(request, orSilent(progress), std::move(stop)).run(); });
}

}
