#include "app/cli/commands/command_evaluate.h"

#include "app/cli/commands/lab_command.h"
#include "app/cli/input/inputs.h"
#include "app/cli/input/labels.h"
#include "app/cli/output/console.h"
#include "app/cli/output/evaluate_output.h"
#include "app/cli/output/feature_output.h"
#include "app/cli/output/progress_line.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/distributed/launch.h"
#include "core/evaluate/evaluate.h"
#include "core/report/receipt.h"
#include "models/evaluate_options.h"
#include "models/evaluation_set.h"
#include "models/feature_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

/// All of them are in the store and in the JSON: a terminal need not scroll by thousands.
constexpr int64_t maxSaid = 20;
constexpr auto spaceEvery = std::chrono::seconds(5);

std::string accuracies(const EvaluationProgress& progress)
{
    std::string text;
    for (const RunProgress& run : progress.runs)
        text += fmt::format("{}{:.1f}", text.empty() ? "" : " ", 100 * run.accuracy.value());
    const char* const soFar = progress.done < progress.total ? " so far" : "";
    return text.empty() ? text : "top-1 " + text + " %" + soFar;
}

std::string quantities(const EvaluationProgress& progress, Countdown& countdown)
{
    const PipelineLoad& load = progress.load;
    std::string text = fmt::format("{:.3g}/s · {} · queue {}/{}", load.samplesPerSecond, load.bottleneck,
                                   load.queued, load.queueSize);
    if (progress.secondsLeft && progress.done < progress.total)
        text += " · " + formatRemaining(countdown.follow(*progress.secondsLeft, Countdown::Clock::now()))
                + " left";
    return text;
}

/// Watches an evaluation for the terminal: rate, queue, what limits it, time to go; unreadable samples as they
/// come. On a full disk it waits, and tries again every few seconds.
class EvaluateConsole : public EvaluationObserver {
public:
    /// `store`: where results go, if that is to be said.
    EvaluateConsole(ProgressLine::Mode mode, bool resumes, std::string store, std::stop_token stop)
        : m_line(mode)
        , m_resumes(resumes)
        , m_store(std::move(store))
        , m_stop(std::move(stop))
    {}

    void onStart(int64_t evaluation, const EvaluationProgress& progress) override
    {
        m_evaluation = evaluation;
        m_unreadable = progress.unreadable;
        m_line.start(progress.total, "samples");
        nameStore();
        if (m_resumes)
            m_line.message(progress.done == progress.total ? fmt::format("all {} {} already been evaluated.",
                                                                         counted(progress.total, "sample"),
                                                                         nounFor(progress.total, "has", "have"))
                           : progress.done > 0             ? fmt::format("resumes after {} of {}.", progress.done,
                                                                         counted(progress.total, "sample"))
                                                           : "nothing to resume; starting from the beginning.");
    }

    void onProgress(const EvaluationProgress& progress) override
    {
        m_saidFull = false;
        m_line.reach(progress.done, quantities(progress, m_countdown));
        m_line.show(accuracies(progress));
    }

    void onUnreadable(const UnreadableSample& sample) override
    {
        if (++m_unreadable <= maxSaid)
            m_line.message(printable(sample.path) + ": " + sample.reason);
        if (m_unreadable == maxSaid)
            m_line.message("more unreadable samples are listed at the end, in the JSON and in the store.");
    }

    void onMessage(const std::string& sentence) override { m_line.message(sentence); }

    bool retriesWithoutSpace(const std::string& sentence) override
    {
        if (!m_saidFull)
            m_line.message(
                sentence
                + " Paused; it continues as soon as there is space. Ctrl-C stops it so that it can be resumed.");
        m_saidFull = true;
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait_for(lock, m_stop, spaceEvery, [] { return false; });
        return !m_stop.stop_requested();
    }

    void nameStore()
    {
        if (!m_store.empty())
            m_line.message("results are stored in " + printable(m_store) + ".");
        m_store.clear();
    }

    void finish() { m_line.finish(); }
    /// Of work that is no evaluation of its own.
    ProgressLine& line() { return m_line; }
    std::optional<int64_t> evaluation() const { return m_evaluation; }

private:
    ProgressLine m_line;
    bool m_resumes;
    std::string m_store;
    std::stop_token m_stop;
    std::optional<int64_t> m_evaluation;
    int64_t m_unreadable = 0;
    bool m_saidFull = false;
    Countdown m_countdown;
};

Shard parseShard(const std::string& text)
{
    if (text.empty())
        return {};
    const auto shard = parsePair<int64_t>(text, "/");
    if (!shard || shard->first < 1 || shard->first > shard->second || shard->second > 1'000'000)
        throw UsageError("--shard", "`" + printable(text) + "` is not a valid part",
                         "give I/N with 1 ≤ I ≤ N; 1/3, 2/3 and 3/3 together are complete");
    return {shard->first, shard->second};
}

std::vector<AttentionSpec> attentionOf(const EvaluateOptions& options)
{
    return parseSpecs(options.attention.empty() ? std::vector<std::string>{"native"} : options.attention,
                      options.around);
}

/// Where the app keeps its data.
fs::path defaultStore()
{
    const fs::path folder = appFolder("XDG_DATA_HOME", ".local/share");
    if (folder.empty())
        throw UsageError("--store", "there is no home folder to store results in", "specify a file");
    return folder / "results.sqlite";
}

fs::path storeOf(const EvaluateOptions& options)
{
    if (!options.store.empty())
        return options.store;
    const fs::path store = defaultStore();
    if (launch().isFirst() && !options.dryRun)
        createFolders(store.parent_path(), "specify a file with --store");
    return store;
}

/// A model's name may be that of a description's file.
bool namesFile(const GivenOption& option)
{
    std::error_code error;
    return option.name == "--model" && fs::exists(option.values.front(), error);
}

/// The options that determine results and name no file: what a receipt has.
std::vector<std::string> settingsOf(const EvaluateOptions& options)
{
    std::vector<GivenOption> given = givenOptions(options);
    std::erase_if(given,
                  [](const GivenOption& option) { return !isReceiptOption(option.name) || namesFile(option); });
    return optionWords(given);
}

/// What repeats the evaluation.
std::string commandOf(EvaluateOptions options, const fs::path& store)
{
    options.request.resume = options.dryRun = false;
    options.receipt.clear();
    options.output = {};
    options.store.clear();
    std::vector<std::string> words = optionWords(options);
    words.insert(words.end(), {"--store", store});
    return commandLine("evaluate", words);
}

/// What is evaluated: classes, features or both.
struct Scope {
    bool classes = true, features = false;
};

Scope scopeOf(const EvaluateOptions& options, const ModelSummary& model)
{
    const bool requested = options.features || !options.voters.empty() || options.probe
                           || !options.trainFolder.empty() || options.trainLimit > 0;
    return {.classes = model.classes > 0, .features = requested || model.classes == 0};
}

/// Throws UsageError for what features can't be evaluated with.
void checkFeatures(const EvaluateOptions& options, const Scope& scope)
{
    const auto refuse = [](bool given, const char* option, const char* problem, const char* remedy) {
        if (given)
            throw UsageError(option, problem, remedy);
    };
    refuse(!options.shard.empty(), "--shard", "features are evaluated as a whole", "leave it out");
    refuse(!options.receipt.empty(), "--receipt", "there are receipts of evaluations of classes only",
           "leave it out");
    refuse(options.dryRun, "--dry-run", "the cost of an evaluation of features is not estimated",
           "use a small --limit and --train-limit instead");
    refuse(launch().several(), "mpirun", "features are evaluated by one process", "start the command without it");
    if (scope.classes)
        return;
    refuse(!options.labels.empty(), "--labels", "without a head the classes are those of the training folder",
           "leave it out");
    refuse(!options.video.views.empty(), "--views", "features are those of a video's middle clip and crop",
           "leave it out");
    refuse(!options.request.cache.empty(), "--cache", "evaluations of features read images anew", "leave it out");
    refuse(options.request.error, "--error", "an evaluation of features has no approximation error",
           "use `attnscope-cli compare`");
}

FeatureReadoutRequest readoutsOf(const EvaluateOptions& options)
{
    FeatureReadoutRequest request;
    request.kind = options.features.value_or(request.kind);
    const bool one = !options.voters.empty() || options.probe;
    request.neighbours = !one || !options.voters.empty();
    request.probe = !one || options.probe;
    request.k = options.voters;
    return request;
}

/// But for its data.
EvaluationRequest requestOf(const EvaluateOptions& options, const ModelRequest& model, const fs::path& store)
{
    EvaluationRequest request = options.request;
    request.attention = attentionOf(options);
    request.seed = options.device.seed;
    request.shard = parseShard(options.shard);
    request.reading = readingOf(request.reading, options.video);
    request.views = gridOf(options.video);
    request.latency = request.memory = !options.noMeasuring;
    request.store = store;
    request.command = commandOf(options, request.store);
    noteOrigin(request, model);
    return request;
}

LabelledSet dataOf(const EvaluateOptions& options, const Classifier& classifier)
{
    std::vector<std::string> labels;
    if (!options.labels.empty())
        labels = readLabels(options.labels, summary(classifier).classes, options.request.limits, Synsets::Kept);
    return evaluationSet(options.folder, parseFolderLayout(options.layout), classifier, labels);
}

/// What was evaluated so far.
struct Finished {
    std::optional<int64_t> classes;  ///< the evaluation in the store
    std::optional<FeatureReport> features;
    bool interrupted = false;
};

ExitCode print(const EvaluateOptions& options, const JsonTarget& target, const fs::path& file,
               const Finished& finished)
{
    const ResultStore store(file, ResultStore::Mode::Read);
    const int64_t shown = finished.classes ? *finished.classes : finished.features->headline().evaluation;
    Json json = evaluationJson(store, shown);
    std::string text = evaluationTables(store, shown);
    std::vector<StoredEvaluation> all{store.evaluation(shown)};
    bool unreadable = false;
    if (finished.features) {
        addFeatures(json, store, *finished.features);
        text += "\n" + featureTables(store, *finished.features);
        unreadable = !finished.features->trainingUnreadable.empty();
        for (const FeatureEvaluation& one : finished.features->evaluations)
            all.push_back(store.evaluation(one.evaluation));
    }
    if (finished.interrupted)
        json["interrupted"] = true;
    if (options.tables)
        target.print(text, json);
    for (const StoredEvaluation& stored : all) {
        const auto failed = [&](const StoredRun& run) {
            const int64_t samples = store.accuracy(run.id).samples;
            return !run.failure.empty() || (samples > 0 && store.notFinite(run.id) == samples);
        };
        if (std::ranges::any_of(stored.runs, failed))
            return ExitCode::Failed;
        unreadable = unreadable || stored.unreadable > 0
                     || (options.strict && (!stored.settings.issues.empty() || !store.partial(stored.id).empty()));
    }
    return unreadable ? ExitCode::SomeUnreadable : ExitCode::Done;
}

void writeReceipt(const EvaluateOptions& options, const fs::path& store, int64_t evaluation)
{
    const ResultStore results(store, ResultStore::Mode::Read);
    std::vector<std::string> settings = settingsOf(options);
    const std::string sampling = results.evaluation(evaluation).settings.sampling;
    if (options.video.sampling == "auto" && !sampling.empty())
        settings.insert(settings.end(), {"--sampling", sampling});  // whatever a later version takes by default
    const Receipt receipt = receiptOf(results, evaluation, settings);
    writeFileAtomically(options.receipt, toJson(receipt).dump(1) + "\n");
}

ExitCode dryRun(const EvaluateOptions& options, const Classifier& classifier, const EvaluationRequest& request,
                const JsonTarget& target, std::stop_token stop)
{
    const EvaluationEstimate found = estimate(classifier, request, stop);
    target.print(describeEstimate(found, request), estimateJson(found, request));
    return found.unreadable.empty() && (!options.strict || request.data.issues.empty()) ? ExitCode::Done
                                                                                        : ExitCode::SomeUnreadable;
}

ExitCode run(EvaluateOptions& options, std::stop_token stop)
{
    const JsonTarget target(options.output.json);
    const std::string device = chooseDevice(options.device);
    // What can be wrong without a model is found before one is loaded.
    attentionOf(options);
    parseShard(options.shard);
    const fs::path store = storeOf(options);
    if (!options.dryRun && launch().isFirst())
        requireWritable(store);
    const ModelRequest model = modelRequest(options.model, options.device, device, options.request.limits);
    const auto classifier = openModel(model);
    Scope scope = scopeOf(options, summary(*classifier));
    EvaluationRequest request = requestOf(options, model, store);
    FeatureJob job{.folder = options.folder,
                   .layout = parseFolderLayout(options.layout),
                   .trainingFolder = {},
                   .trainingLimit = options.trainLimit,
                   .readouts = readoutsOf(options),
                   .evaluation = request};
    std::string otherClasses;
    try {
        if (scope.classes)
            request.data = dataOf(options, *classifier);
    } catch (const FileError& error) {  // features need no classes of the head
        if (!scope.features)
            throw;
        scope.classes = false;
        otherClasses = std::string("the head's own predictions are not evaluated: ") + error.what();
    }
    if (scope.features) {
        checkFeatures(options, scope);
        job.trainingFolder = trainingFolderFor(options.folder, options.trainFolder);
    }
    if (options.dryRun)
        return dryRun(options, *classifier, request, target, stop);
    EvaluateConsole console(options.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic,
                            request.resume, options.store.empty() ? store.string() : "", stop);
    Finished finished;
    try {
        if (scope.classes)
            finished.classes = evaluate(*classifier, request, console, stop);
        if (scope.features) {
            console.nameStore();
            finished.features = evaluateFeatures(classifier, job, console, shownBy(console.line()), stop);
            if (!otherClasses.empty())
                finished.features->notes.push_back(otherClasses);
            for (const UnreadableInput& sample : finished.features->trainingUnreadable)
                console.onUnreadable({0, sample.path, sample.reason});
        }
        console.finish();
        if (!launch().isFirst())
            return ExitCode::Done;
        if (!options.receipt.empty())
            writeReceipt(options, request.store, *finished.classes);
        return print(options, target, request.store, finished);
    } catch (const Cancelled&) {
        console.finish();
        if (!finished.classes)
            finished.classes = console.evaluation();
        finished.interrupted = true;
        if (launch().isFirst() && finished.classes)
            print(options, target, request.store, finished);
        if (launch().isFirst() && (finished.classes || scope.features))
            writeMessage("all finished work is stored; resume with:\n  " + request.command + " --resume");
        throw;
    }
}

}

ExitCode evaluateWithoutTables(std::vector<std::string> words, std::stop_token stop)
{
    CLI::App app;
    EvaluateOptions options;
    declareOptions(app, options);
    options.tables = false;
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
    return run(options, std::move(stop));
}

void addEvaluateCommand(CommandList& commands)
{
    commands.add<EvaluateOptions>(
        "evaluate", "Evaluates the accuracy of any number of attentions on a whole folder; resumable and exact",
        {"evaluate imagenet/val --weights deit_tiny.safetensors --attention softmax --attention lara:samples=49 "
         "--store runs.sqlite",
         "evaluate imagenet/val --weights deit_tiny.safetensors --attention softmax --store runs.sqlite --resume",
         "evaluate kinetics/val --weights motionformer.pyth --views 10x3 --dry-run",
         "evaluate imagenet/val --weights dinov2.safetensors --train-folder imagenet/train --train-limit 10000 "
         "--attention softmax "
         "--attention performer"},
        run);
}

}
