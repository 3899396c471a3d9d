#include "app/cli/commands/command_evaluate.h"

#include "app/cli/commands/lab_command.h"
#include "app/cli/input/declare_options.h"
#include "app/cli/input/inputs.h"
#include "app/cli/input/labels.h"
#include "app/cli/output/console.h"
#include "app/cli/output/evaluate_output.h"
#include "app/cli/output/feature_output.h"
#include "app/cli/output/progress_line.h"
#include "core/attention/plugin/plugin.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/distributed/launch.h"
#include "core/evaluate/evaluate.h"
#include "core/report/receipt.h"
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

struct EvaluateArguments {
    const CLI::App* command = nullptr;
    std::string features;  ///< a kind; empty: pooled
    std::vector<int64_t> voters;
    bool probe = false;
    std::string trainFolder;
    int64_t trainLimit = 0;
    std::string folder, layout = "auto", decode = "exact", orientation = "ignore", store, labels, shard, cache,
                        receipt;
    VideoArguments video;
    ModelRequest model;
    DeviceArguments device;
    OutputArguments output;
    std::vector<std::string> attention;
    AroundAttention around;
    EvaluationRequest request;
    bool dryRun = false, noMeasuring = false, strict = false, tables = true;
};

void addData(CLI::App& command, EvaluateArguments& arguments)
{
    EvaluationRequest& request = arguments.request;
    command
        .add_option("FOLDER", arguments.folder,
                    "A folder of class folders, a flat ImageNet folder, or a list (docs/evaluate.md)")
        ->required();
    addChoice(command, "--layout", arguments.layout, "Layout of the folder",
              {"auto", "imagenet", "kinetics", "list"});
    addText(command, "--labels", arguments.labels,
            "Class names of the model: one per line, or a JSON list or object");
    addInteger(command, "--limit", request.limit, "Number of samples to evaluate, spread evenly; 0: all", 0,
               int64_t{1} << 40);
    addText(command, "--shard", arguments.shard,
            "Evaluate only part I of N, that is every N-th batch; `merge` joins the parts", "I/N");
    addSampling(command, arguments.video, "10x3, with ssv2 1x3", {"auto", "published", "ssv2"});
    addImages(command, arguments.orientation, request.limits);
}

void addFeatureOptions(CLI::App& command, EvaluateArguments& arguments)
{
    addFeatures(command, arguments.features,
                "Evaluate features: pooled (what the head reads), token (class token), avg (mean of the patches) "
                "or token+avg; networks without "
                "a head evaluate pooled ones");
    addList(command, "--knn", arguments.voters,
            "Accuracy of this many nearest neighbours among the training features (default for features: 10, 20, "
            "100 and 200, as they fit)",
            "K,K,…");
    command.add_flag(
        "--probe", arguments.probe,
        "Accuracy of a linear probe of the features, trained on those of exact attention (default for features)");
    addText(command, "--train-folder", arguments.trainFolder,
            "Labelled folder or list whose features are trained on (default: `train` in FOLDER, or next to it)",
            "FOLDER");
    addInteger(command, "--train-limit", arguments.trainLimit, "Number of training samples, spread evenly; 0: all",
               0, int64_t{1} << 40);
}

void addWork(CLI::App& command, EvaluateArguments& arguments)
{
    EvaluationRequest& request = arguments.request;
    addText(command, "--store", arguments.store,
            "The results store to write (default: results.sqlite where the app keeps its data)");
    command.add_flag("--resume", request.resume, "Resume the evaluation that the same command started");
    addText(
        command, "--receipt", arguments.receipt,
        "Write what the results depend on, and their hashes, to FILE: `repeat` repeats the evaluation from it");
    addInteger(
        command, "--batch-size", request.batch,
        "Samples per batch; part of the result, so it must be the same for --resume; 0: 32 images or 1 video", 0,
        65536, "B");
    addInteger(command, "--workers", request.workers,
               "Threads that read and preprocess; 0: as many as --threads, or one per core with a GPU", 0, 1024);
    addText(
        command, "--cache", arguments.cache,
        "Cache preprocessed images in this folder, so that the next evaluation skips decoding (150 KB per image)",
        "FOLDER");
    addInteger(command, "--cache-bytes", request.cacheBytes, "Maximum size of this cache", 0, int64_t{1} << 50);
    addChoice(command, "--decode", arguments.decode,
              "How JPEGs are decoded: exact, as in the published evaluations, or fast: to 1/2, 1/4 or 1/8 of the "
              "size where they are shrunk that far, "
              "which changes pixels and is named in every record",
              {"exact", "fast"}, "HOW");
    command.add_flag("--error", request.error,
                     "Also measure the approximation error of the attention, on the first sample");
    command.add_flag("--no-measuring", arguments.noMeasuring, "Skip latency and memory");
    command.add_flag("--strict", arguments.strict,
                     "Exit with code 3 also if files were passed over, are listed twice or do not exist, or were "
                     "read in part (`issues` and `partial` of the JSON)");
    command.add_flag("--dry-run", arguments.dryRun,
                     "Report what was found and the estimated cost without evaluating");
}

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

std::vector<AttentionSpec> attentionOf(const EvaluateArguments& arguments)
{
    return parseSpecs(arguments.attention.empty() ? std::vector<std::string>{"native"} : arguments.attention,
                      arguments.around);
}

/// Where the app keeps its data.
fs::path defaultStore()
{
    const fs::path folder = appFolder("XDG_DATA_HOME", ".local/share");
    if (folder.empty())
        throw UsageError("--store", "there is no home folder to store results in", "specify a file");
    return folder / "results.sqlite";
}

fs::path storeOf(const EvaluateArguments& arguments)
{
    if (!arguments.store.empty())
        return arguments.store;
    const fs::path store = defaultStore();
    if (launch().isFirst() && !arguments.dryRun)
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
std::vector<std::string> settingsOf(const EvaluateArguments& arguments)
{
    std::vector<GivenOption> given = givenOptions(*arguments.command);
    std::erase_if(given,
                  [](const GivenOption& option) { return !isReceiptOption(option.name) || namesFile(option); });
    return optionWords(given);
}

/// What repeats the evaluation.
std::string commandOf(const EvaluateArguments& arguments, const fs::path& store)
{
    constexpr std::array notRepeated{"--resume", "--receipt", "--dry-run", "--json",
                                     "--quiet",  "--plugin",  "--store"};
    std::vector<GivenOption> given = givenOptions(*arguments.command);
    std::erase_if(given, [&](const GivenOption& option) {
        return std::ranges::find(notRepeated, option.name) != notRepeated.end();
    });
    given.push_back({"--store", {store.string()}});
    return commandLine("evaluate", optionWords(given));
}

/// What is evaluated: classes, features or both.
struct Scope {
    bool classes = true, features = false;
};

Scope scopeOf(const EvaluateArguments& arguments, const ModelSummary& model)
{
    const bool requested = !arguments.features.empty() || !arguments.voters.empty() || arguments.probe
                           || !arguments.trainFolder.empty() || arguments.trainLimit > 0;
    return {.classes = model.classes > 0, .features = requested || model.classes == 0};
}

/// Throws UsageError for what features can't be evaluated with.
void checkFeatures(const EvaluateArguments& arguments, const Scope& scope)
{
    const auto refuse = [](bool given, const char* option, const char* problem, const char* remedy) {
        if (given)
            throw UsageError(option, problem, remedy);
    };
    refuse(!arguments.shard.empty(), "--shard", "features are evaluated as a whole", "leave it out");
    refuse(!arguments.receipt.empty(), "--receipt", "there are receipts of evaluations of classes only",
           "leave it out");
    refuse(arguments.dryRun, "--dry-run", "the cost of an evaluation of features is not estimated",
           "use a small --limit and --train-limit instead");
    refuse(launch().several(), "mpirun", "features are evaluated by one process", "start the command without it");
    if (scope.classes)
        return;
    refuse(!arguments.labels.empty(), "--labels", "without a head the classes are those of the training folder",
           "leave it out");
    refuse(!arguments.video.views.empty(), "--views", "features are those of a video's middle clip and crop",
           "leave it out");
    refuse(!arguments.cache.empty(), "--cache", "evaluations of features read images anew", "leave it out");
    refuse(arguments.request.error, "--error", "an evaluation of features has no approximation error",
           "use `attnscope-cli compare`");
}

FeatureReadoutRequest readoutsOf(const EvaluateArguments& arguments)
{
    FeatureReadoutRequest request;
    if (!arguments.features.empty())
        request.kind = parseFeatureKind(arguments.features);
    const bool one = !arguments.voters.empty() || arguments.probe;
    request.neighbours = !one || !arguments.voters.empty();
    request.probe = !one || arguments.probe;
    request.k = arguments.voters;
    return request;
}

/// But for its data.
EvaluationRequest requestOf(const EvaluateArguments& arguments, const ModelRequest& model, const fs::path& store)
{
    EvaluationRequest request = arguments.request;
    request.attention = attentionOf(arguments);
    request.seed = arguments.device.seed;
    request.shard = parseShard(arguments.shard);
    request.reading = readingOf(arguments.video);
    request.reading.decoding = arguments.decode == "fast" ? JpegDecoding::Scaled : JpegDecoding::Exact;
    request.reading.orientation = arguments.orientation == "apply";
    request.views = gridOf(arguments.video);
    request.latency = request.memory = !arguments.noMeasuring;
    request.cache = arguments.cache;
    request.store = store;
    request.command = commandOf(arguments, request.store);
    noteOrigin(request, model);
    return request;
}

LabelledSet dataOf(const EvaluateArguments& arguments, const Classifier& classifier)
{
    std::vector<std::string> labels;
    if (!arguments.labels.empty())
        labels = readLabels(arguments.labels, summary(classifier).classes, arguments.request.limits,
                            Synsets::Kept);
    return evaluationSet(arguments.folder, parseFolderLayout(arguments.layout), classifier, labels);
}

/// What was evaluated so far.
struct Finished {
    std::optional<int64_t> classes;  ///< the evaluation in the store
    std::optional<FeatureReport> features;
    bool interrupted = false;
};

ExitCode print(const EvaluateArguments& arguments, const JsonTarget& target, const fs::path& file,
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
    if (arguments.tables)
        target.print(text, json);
    for (const StoredEvaluation& stored : all) {
        const auto failed = [&](const StoredRun& run) {
            const int64_t samples = store.accuracy(run.id).samples;
            return !run.failure.empty() || (samples > 0 && store.notFinite(run.id) == samples);
        };
        if (std::ranges::any_of(stored.runs, failed))
            return ExitCode::Failed;
        unreadable = unreadable || stored.unreadable > 0
                     || (arguments.strict
                         && (!stored.settings.issues.empty() || !store.partial(stored.id).empty()));
    }
    return unreadable ? ExitCode::SomeUnreadable : ExitCode::Done;
}

void writeReceipt(const EvaluateArguments& arguments, const fs::path& store, int64_t evaluation)
{
    const ResultStore results(store, ResultStore::Mode::Read);
    std::vector<std::string> options = settingsOf(arguments);
    const std::string sampling = results.evaluation(evaluation).settings.sampling;
    if (arguments.video.sampling == "auto" && !sampling.empty())
        options.insert(options.end(), {"--sampling", sampling});  // whatever a later version takes by default
    const Receipt receipt = receiptOf(results, evaluation, options);
    writeFileAtomically(arguments.receipt, toJson(receipt).dump(1) + "\n");
}

ExitCode dryRun(const EvaluateArguments& arguments, const Classifier& classifier, const EvaluationRequest& request,
                const JsonTarget& target, std::stop_token stop)
{
    const EvaluationEstimate found = estimate(classifier, request, stop);
    target.print(describeEstimate(found, request), estimateJson(found, request));
    return found.unreadable.empty() && (!arguments.strict || request.data.issues.empty())
               ? ExitCode::Done
               : ExitCode::SomeUnreadable;
}

ExitCode run(EvaluateArguments& arguments, std::stop_token stop)
{
    const JsonTarget target(arguments.output.json);
    const std::string device = chooseDevice(arguments.device);
    // What can be wrong without a model is found before one is loaded.
    attentionOf(arguments);
    parseShard(arguments.shard);
    const fs::path store = storeOf(arguments);
    if (!arguments.dryRun && launch().isFirst())
        requireWritable(store);
    const ModelRequest model = modelRequest(arguments.model, arguments.device, device, arguments.request.limits);
    const auto classifier = openModel(model);
    Scope scope = scopeOf(arguments, summary(*classifier));
    EvaluationRequest request = requestOf(arguments, model, store);
    FeatureJob job{.folder = arguments.folder,
                   .layout = parseFolderLayout(arguments.layout),
                   .trainingFolder = {},
                   .trainingLimit = arguments.trainLimit,
                   .readouts = readoutsOf(arguments),
                   .evaluation = request};
    std::string otherClasses;
    try {
        if (scope.classes)
            request.data = dataOf(arguments, *classifier);
    } catch (const FileError& error) {  // features need no classes of the head
        if (!scope.features)
            throw;
        scope.classes = false;
        otherClasses = std::string("the head's own predictions are not evaluated: ") + error.what();
    }
    if (scope.features) {
        checkFeatures(arguments, scope);
        job.trainingFolder = trainingFolderFor(arguments.folder, arguments.trainFolder);
    }
    if (arguments.dryRun)
        return dryRun(arguments, *classifier, request, target, stop);
    EvaluateConsole console(arguments.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic,
                            request.resume, arguments.store.empty() ? store.string() : "", stop);
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
        if (!arguments.receipt.empty())
            writeReceipt(arguments, request.store, *finished.classes);
        return print(arguments, target, request.store, finished);
    } catch (const Cancelled&) {
        console.finish();
        if (!finished.classes)
            finished.classes = console.evaluation();
        finished.interrupted = true;
        if (launch().isFirst() && finished.classes)
            print(arguments, target, request.store, finished);
        if (launch().isFirst() && (finished.classes || scope.features))
            writeMessage("all finished work is stored; resume with:\n  " + request.command + " --resume");
        throw;
    }
}

void addOptions(CLI::App& command, EvaluateArguments& arguments)
{
    arguments.command = &command;
    addData(command, arguments);
    declareOptions(command, arguments.model);
    addAttention(command, arguments.attention);
    addAroundAttention(command, arguments.around);
    addFeatureOptions(command, arguments);
    addWork(command, arguments);
    addDeviceAndOutput(command, arguments.device, arguments.output);
}

}

ExitCode evaluateWithoutTables(std::vector<std::string> words, std::stop_token stop)
{
    CLI::App app;
    EvaluateArguments arguments;
    addOptions(app, arguments);
    arguments.tables = false;
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
    return run(arguments, std::move(stop));
}

void addEvaluateCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<EvaluateArguments>(
        "evaluate", "Evaluates the accuracy of any number of attentions on a whole folder; resumable and exact",
        {"evaluate imagenet/val --weights deit_tiny.safetensors --attention softmax --attention lara:samples=49 "
         "--store runs.sqlite",
         "evaluate imagenet/val --weights deit_tiny.safetensors --attention softmax --store runs.sqlite --resume",
         "evaluate kinetics/val --weights motionformer.pyth --views 10x3 --dry-run",
         "evaluate imagenet/val --weights dinov2.safetensors --train-folder imagenet/train --train-limit 10000 "
         "--attention softmax "
         "--attention performer"},
        run);
    addOptions(command, arguments);
}

}
