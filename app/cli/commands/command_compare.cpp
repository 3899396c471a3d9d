// What runs a model on inputs: `classify` and `compare`.
#include "app/cli/commands/command.h"
#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/input/labels.h"
#include "app/cli/output/console.h"
#include "app/cli/output/patch_images.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/report_tables.h"
#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/attention_fraction.h"
#include "core/run/compare.h"
#include "core/run/record_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::cli {

namespace {

constexpr std::array<const char*, 4> stageNames{"predict", "latency", "memory", "error"};

/// Watches a run for the terminal: draws progress, says at once what could not be read or run, and keeps every figure as it
/// comes, so that an interrupted run loses nothing.
class RunConsole : public RunObserver {
public:
    RunConsole(ProgressLine& progress, size_t inputs, const RunRequest& request, const ModelSummary& model)
        : m_progress(progress)
        , m_request(request)
        , m_order(stageOrder(request, model))
    {
        m_progress.start(int64_t(inputs), inputs == 1 ? "input" : "inputs");
    }

    void onInput(size_t input, const InputRecord& record) override
    {
        m_inputs[input] = record;
        m_reached.assign(record.runs.size(), 0);
        m_finishedRuns = 0;
        m_progress.show(printable(record.path));
    }

    void onRun(size_t input, size_t run, RunStage stage, const RunRecord& record) override
    {
        RunRecord& kept = m_inputs.at(input).runs.at(run);
        const bool failedNow = !record.failure.empty() && kept.failure.empty();
        kept = record;
        const bool isOver = failedNow || (record.failure.empty() && stage == lastStage());
        reach(run, isOver ? m_order.back() : stage, 1);
        if (failedNow)
            m_progress.message(printable(m_inputs[input].path) + ": " + record.failure);
        if (isOver && ++m_finishedRuns == m_reached.size())
            m_progress.advance();
    }

    void onView(size_t input, size_t run, size_t, const RunRecord& record) override
    {
        m_inputs.at(input).runs.at(run) = record;
    }

    void onUnreadable(size_t input, const UnreadableInput& unreadable) override
    {
        m_inputs.erase(input);
        m_unreadable.push_back(unreadable);
        m_progress.message(printable(unreadable.path) + ": " + unreadable.reason);
        m_progress.advance();
    }

    void onProgress(size_t input, size_t run, RunStage stage, const Progress& progress) override
    {
        // A backend that failed may still be announced for the round in which it did.
        if (progress.total > 0 && m_inputs.at(input).runs.at(run).failure.empty())
            reach(run, stage, double(progress.done) / double(progress.total));
        std::string what = printable(m_inputs.at(input).path) + " · " + progress.what + " · "
                           + stageNames.at(size_t(stage));
        if (progress.total > 1)
            what += " " + std::to_string(progress.done) + "/" + std::to_string(progress.total);
        m_progress.show(what);
    }

    std::vector<InputRecord> inputs() const
    {
        std::vector<InputRecord> read;
        for (const auto& [place, record] : m_inputs)
            read.push_back(record);
        return read;
    }
    const std::vector<UnreadableInput>& unreadable() const { return m_unreadable; }

private:
    /// About how many passes a stage costs a backend; 0 where the request leaves it out.
    double costOf(RunStage stage) const
    {
        constexpr double passesPerSecond =
            50;  // a guess: only the part of the line that it is given depends on it
        const double timed = std::max(double(m_request.minimumRepetitions),
                                      passesPerSecond * m_request.minimumSeconds);
        switch (stage) {
        case RunStage::Predict:
            return 1;
        case RunStage::Latency:
            return m_request.latency ? 2 + timed : 0;
        case RunStage::Memory:
            return m_request.memory ? 1 : 0;
        case RunStage::Error:
            break;
        }
        return m_request.error ? 3 * double(m_request.seeds) : 0;
    }

    RunStage lastStage() const
    {
        return *std::ranges::find_if(std::views::reverse(m_order),
                                     [this](RunStage stage) { return costOf(stage) > 0; });
    }

    /// Backend `run` is done with that fraction of `stage`, and with all stages before it.
    void reach(size_t run, RunStage stage, double fraction)
    {
        const auto sum = [this](auto first, auto last) {
            return std::accumulate(first, last, 0.0,
                                   [this](double costs, RunStage one) { return costs + costOf(one); });
        };
        const double before = sum(m_order.begin(), std::ranges::find(m_order, stage)),
                     all = sum(m_order.begin(), m_order.end());
        m_reached.at(run) = (before + fraction * costOf(stage)) / all;
        m_progress.within(std::accumulate(m_reached.begin(), m_reached.end(), 0.0) / double(m_reached.size()));
    }

    ProgressLine& m_progress;
    const RunRequest& m_request;
    std::array<RunStage, 4> m_order;
    std::vector<double> m_reached;           ///< of each backend on the input under way, 0 to 1
    size_t m_finishedRuns = 0;               ///< backends that are through with it, or failed
    std::map<size_t, InputRecord> m_inputs;  ///< that could be read, by their place in the request
    std::vector<UnreadableInput> m_unreadable;
};

ExitCode exitCodeOf(const RunReport& report)
{
    const bool anyFailure = std::ranges::any_of(report.inputs, [](const InputRecord& input) {
        return std::ranges::any_of(input.runs, [](const RunRecord& run) { return !run.failure.empty(); });
    });
    if (report.inputs.empty() || anyFailure)
        return ExitCode::Failed;
    return report.unreadable.empty() ? ExitCode::Done : ExitCode::SomeUnreadable;
}

/// A checkpoint that does not fit is told in full in the JSON, in a sentence on standard error.
LabColumns openReported(ClassifyOptions& options, const JsonTarget& target, std::stop_token stop)
{
    try {
        return openColumns(options, options.requests(options.model), parseSpecs(options.attention, options.around),
                           std::move(stop));
    } catch (const CheckpointMismatch& mismatch) {
        target.write({{"error", mismatch.what()}, {"load", toJson(mismatch.report())}});
        throw;
    }
}

/// Opens the model, runs the request on every input, prints with `describe`, writes JSON.
/// Failed when every input was unreadable or an attention could not run; SomeUnreadable when some inputs were.
ExitCode runOnInputs(ClassifyOptions& options, std::string (*describe)(const RunReport&), std::stop_token stop)
{
    options.request.seed = options.device.seed;
    const JsonTarget target(options.output.json);
    const LabColumns lab = openReported(options, target, stop);
    const Classifier& first = *lab.networks.front().classifier;
    options.request.attention = lab.columns;
    std::vector<std::string> labels;
    if (!options.labels.empty())
        labels = readLabels(options.labels, lab.summary.classes, options.inputs.limits);
    const std::optional<AttentionFraction> fraction = attentionFraction(first);
    const auto print = [&](RunReport& report, bool interrupted) {
        nameClasses(report, labels);
        Json json = toJson(report);
        if (fraction)
            json["model"]["attention_macs"] = fraction->attention;
        if (interrupted)
            json["interrupted"] = true;
        const std::string text = report.inputs.empty() ? ""
                                                       : describeConditions(report, fraction) + describe(report);
        try {
            if (!options.pca.empty())
                writePatchImages(report, options.pca, json);
        } catch (const Error&) {  // what was measured is not lost
            target.print(text, json);
            throw;
        }
        target.print(text, json);
    };
    ProgressLine progress(options.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic);
    RunConsole console(progress, lab.inputs.size(), options.request, lab.summary);
    RunReport begun = beginReport(lab.networks,
                                  options.request);  // for what was finished, should the user stop the run
    try {
        RunReport report = run(lab.networks, lab.inputs, options.request, console, stop);
        progress.finish();
        print(report, false);
        return exitCodeOf(report);
    } catch (const Cancelled&) {
        progress.finish();
        begun.inputs = console.inputs();
        begun.unreadable = console.unreadable();
        print(begun, true);
        throw;
    }
}

ExitCode classify(ClassifyOptions& options, std::stop_token stop)
{
    if (options.attention.empty())
        options.attention = {"native"};
    options.request.latency = options.request.memory = options.request.error = false;
    return runOnInputs(options, describePredictions, stop);
}

ExitCode compare(CompareOptions& options, std::stop_token stop)
{
    if (options.attention.empty())
        throw UsageError("compare", "no attention was specified",
                         "give --attention at least once; the attentions are "
                             + joinWords(attentionNames(), "and"));
    options.request.latency = !options.withoutLatency;
    options.request.recordPasses = !options.withoutGraphs;
    options.request.memory = !options.withoutMemory;
    options.request.error = !options.withoutError;
    if (!options.pca.empty()) {
        if (options.withoutError)
            throw UsageError("--pca", "its colours compare features with those of exact attention",
                             "leave out --no-error");
        preparePatchImages(options.pca);
        options.request.patchColours = true;
        if (!options.request.features)
            options.request.features = FeatureKind::Pooled;
    }
    return runOnInputs(options, describeComparison, stop);
}

}

void addClassifyCommand(CommandList& commands)
{
    commands.add<ClassifyOptions>(
        "classify", "Predicts classes of images and videos",
        {"classify cat.jpg --weights deit_tiny.safetensors --model deit_tiny_patch16_224",
         "classify photos/ --weights W.safetensors --attention softmax --attention lara:samples=49 --json -",
         "classify juggling.mp4 --weights mformer.pyth --labels kinetics400.json --views 10x3"},
        classify);
}

void addCompareCommand(CommandList& commands)
{
    commands.add<CompareOptions>(
        "compare",
        "Compares predictions, latency, memory and approximation error of several attentions side by side",
        {"compare cat.jpg --weights untrained --model deit_tiny_patch16_224 --attention softmax --attention "
         "performer",
         "compare photos/ --weights W.safetensors --attention softmax --attention lara:samples=49,beta=2 --seeds "
         "10 --json result.json",
         "compare juggling.mp4 --weights mformer.pyth --attention softmax --attention lara --views 2x1",
         "compare photos/ --weights dinov2.safetensors --attention lara --attention performer --pca colours/",
         "compare cat.jpg --weights deit_small.safetensors --attention softmax --attention wildcat --tokens none "
         "--tokens tome:r=13",
         "compare cat.jpg --weights deit.safetensors --weights deit_lara.safetensors --attention softmax "
         "--attention native --attention 'lara;checkpoint=1'"},
        compare);
}

}
