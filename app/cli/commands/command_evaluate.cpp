#include "app/cli/commands/command_evaluate.h"

#include "app/cli/commands/laboratory/lab_command.h"
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
        , m_quiet(mode == ProgressLine::Mode::Silent)
        , m_resumes(resumes)
        , m_store(std::move(store))
        , m_stop(std::move(stop))
    {}

    void onStart(int64_t evaluation, const EvaluationProgress& progress) override
    {
        m_evaluations = progress.evaluations.empty() ? std::vector{evaluation} : progress.evaluations;
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
        m_load = progress.load;
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

    /// Says how fast each stage would have been alone, of which the slowest is what more hardware helps.
    void finish()
    {
        m_line.finish();
        if (m_quiet || m_load.samplesPerSecond <= 0)
            return;
        const auto alone = [this](const char* stage, double busy) {
            const double rate = m_load.samplesPerSecond / std::max(busy, 0.001);
            return fmt::format("{} {:.{}f}/s", stage, rate, rate < 10 ? 1 : 0);
        };
        m_line.message(fmt::format("limited by {}; each alone: {}, {}, {}.", m_load.bottleneck,
                                   alone("reading and decoding", m_load.decoding),
                                   alone("network", m_load.computing), alone("store", m_load.storing)));
    }
    /// Of work that is no evaluation of its own.
    ProgressLine& line() { return m_line; }
    /// Of the networks, as EvaluationProgress has them.
    const std::vector<int64_t>& evaluations() const { return m_evaluations; }

private:
    ProgressLine m_line;
    bool m_quiet, m_resumes;
    std::string m_store;
    std::stop_token m_stop;
    std::vector<int64_t> m_evaluations;
    int64_t m_unreadable = 0;
    bool m_saidFull = false;
    PipelineLoad m_load;  // at the end
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

bool requestsFeatures(const EvaluateOptions& options)
{
    return options.features || !options.voters.empty() || options.probe || !options.trainFolder.empty()
           || options.trainLimit > 0;
}

Scope scopeOf(const EvaluateOptions& options, const ModelSummary& model)
{
    return {.classes = model.classes > 0, .features = requestsFeatures(options) || model.classes == 0};
}

/// Throws UsageError for what features can't be evaluated with.
void checkFeatures(const EvaluateOptions& options, const Scope& scope)
{
    const auto refuse = [](bool given, const char* option, const char* problem, const char* remedy) {
        if (given)
            throw UsageError(option, problem, remedy);
    };
    refuse(!options.shard.empty(), "--shard", "features are evaluated as a whole", "leave it out");
    refuse(!options.protocol.empty(), "--protocol", "protocols are about predicted classes", "leave it out");
    refuse(!options.labelsFile.empty(), "--labels-file", "features are evaluated on folders and lists",
           "give the list itself instead of the folder");
    refuse(!options.receipt.empty(), "--receipt", "there are receipts of evaluations of classes only",
           "leave it out");
    refuse(options.dryRun, "--dry-run", "the cost of an evaluation of features is not estimated",
           "use a small --limit and --train-limit instead");
    refuse(options.request.keep == "logits", "--keep", "an evaluation of features keeps no logits",
           "leave it out");
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

/// But for attentions and data.
void complete(EvaluationRequest& request, const EvaluateOptions& options, const ModelRequest& model,
              const fs::path& store)
{
    request.seed = options.device.seed;
    request.shard = parseShard(options.shard);
    request.reading = readingOf(request.reading, options.video);
    request.views = gridOf(options.video);
    request.latency = request.memory = !options.noMeasuring;
    request.store = store;
    request.command = commandOf(options, request.store);
    noteOrigin(request, model);
}

LabelledSet dataOf(const EvaluateOptions& options, const Classifier& classifier)
{
    std::vector<std::string> labels;
    if (!options.labels.empty())
        labels = readLabels(options.labels, summary(classifier).classes, options.request.limits, Synsets::Kept);
    return evaluationSet({options.folder, parseFolderLayout(options.layout), options.labelsFile, options.protocol,
                          options.inDistribution},
                         classifier, labels);
}

/// What was evaluated so far.
struct Finished {
    std::vector<NetworkRequest> networks;
    std::vector<AttentionSpec> columns;      ///< one of each network
    std::vector<EvaluatedNetwork> outcomes;  ///< of each network
    std::optional<FeatureReport> features;
    bool interrupted = false;

    std::optional<int64_t> evaluation() const
    {
        const auto found = std::ranges::find_if(outcomes, &EvaluatedNetwork::evaluation);
        return found == outcomes.end() ? std::nullopt : std::optional(found->evaluation);
    }
};

/// The networks of the columns, but for their data.
Finished begun(const EvaluateOptions& options, const OpenedColumns& opened, const fs::path& store)
{
    Finished finished;
    for (const ComparedNetwork& compared : opened.networks) {
        NetworkRequest network{compared.classifier, options.request, {}, compared.failure};
        for (const AttentionSpec& column : opened.columns) {
            if (networkOf(column, opened.networks) != &compared)
                continue;
            if (network.request.attention.empty())
                finished.columns.push_back(column);
            network.request.attention.push_back(column.inNetwork());
        }
        if (network.request.attention.empty())
            continue;
        if (opened.networks.size() > 1)
            network.name = printable(compared.source.path)
                           + (compared.dtype.empty() ? "" : " in " + compared.dtype);
        if (network.failure.empty())
            complete(network.request, options, requestFor(finished.columns.back(), opened.checkpoints), store);
        finished.networks.push_back(std::move(network));
    }
    finished.outcomes.resize(finished.networks.size());
    return finished;
}

/// Of several networks one whose classes are not those of the data has a failure. Throws FileError, UsageError of the only one.
void labelSamples(const EvaluateOptions& options, std::vector<NetworkRequest>& networks)
{
    for (NetworkRequest& network : networks) {
        try {
            if (network.failure.empty())
                network.request.data = dataOf(options, *network.classifier);
        } catch (const Error& error) {
            if (networks.size() == 1)
                throw;
            network.failure = error.what();
        }
    }
}

ExitCode print(const EvaluateOptions& options, const JsonTarget& target, const fs::path& file,
               const Finished& finished)
{
    const ResultStore store(file, ResultStore::Mode::Read);
    std::vector<StoredEvaluation> all;
    Json failures = Json::array();
    for (size_t i = 0; i < finished.outcomes.size(); ++i) {
        const EvaluatedNetwork& outcome = finished.outcomes[i];
        if (!outcome.failure.empty())
            failures.push_back({{"network", finished.networks[i].name}, {"failure", outcome.failure}});
        if (outcome.evaluation == 0)
            continue;
        all.push_back(store.evaluation(outcome.evaluation));
        for (StoredRun& run : all.back().runs)  // as the command's columns
            run.attention = AttentionSpec::parse(run.attention).inNetworkOf(finished.columns[i]).canonical();
    }
    if (all.empty())
        all.push_back(store.evaluation(finished.features->headline().evaluation));
    const ScoreReader reader(store);
    Json json = networksJson(reader, all);
    std::string text = evaluationTables(reader, all);
    if (!failures.empty())
        json["failures"] = failures;
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
    if (!failures.empty())
        return ExitCode::Failed;
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

ExitCode dryRun(const EvaluateOptions& options, const Finished& networks, const JsonTarget& target,
                std::stop_token stop)
{
    const EvaluationEstimate found = estimate(networks.networks, stop);
    EvaluationRequest all;
    bool failed = false;
    for (size_t i = 0; i < networks.networks.size(); ++i) {
        const NetworkRequest& network = networks.networks[i];
        failed = failed || !network.failure.empty();
        if (!network.failure.empty())
            continue;
        all.data = network.request.data;
        for (const AttentionSpec& spec : network.request.attention)
            all.attention.push_back(spec.inNetworkOf(networks.columns[i]));
    }
    target.print(describeEstimate(found, all), estimateJson(found, all));
    if (failed)
        return ExitCode::Failed;
    return found.unreadable.empty() && (!options.strict || all.data.issues.empty()) ? ExitCode::Done
                                                                                    : ExitCode::SomeUnreadable;
}

/// Columns of one network alone are the attentions as they were given: one that is given twice is refused.
OpenedColumns openedColumns(const EvaluateOptions& options, const std::string& device)
{
    const std::vector<AttentionSpec> attention = attentionOf(options);
    OpenedColumns opened = openNetworks(options.requests(options.model), options.device, device,
                                        options.request.limits, attention, false);
    if (opened.networks.size() == 1) {
        opened.columns.clear();
        std::ranges::transform(attention, std::back_inserter(opened.columns), &AttentionSpec::inNetwork);
    }
    return opened;
}

/// Throws UsageError for what one network alone has.
void checkSeveral(const EvaluateOptions& options)
{
    if (!options.receipt.empty())
        throw UsageError("--receipt", "there are receipts of one network alone",
                         "leave it out, or give one --weights");
    if (requestsFeatures(options))
        throw UsageError("--features", "features are evaluated in one network at a time", "give one --weights");
}

/// Evaluates one data set. `finished` is what came of it.
ExitCode evaluateFolder(EvaluateOptions& options, Finished& finished, std::stop_token stop)
{
    if (options.folder.empty())
        throw UsageError("FOLDER", "no folder is given", "give one, or the file of a study with --from");
    if (options.checkpoints.empty())
        throw UsageError("--weights", "no network is given", "give a checkpoint, or untrained for random weights");
    const JsonTarget target(options.output.json);
    const std::string device = chooseDevice(options.device);
    // What can be wrong without a model is found before one is loaded.
    attentionOf(options);
    parseShard(options.shard);
    const fs::path store = storeOf(options);
    if (!options.dryRun && launch().isFirst())
        requireWritable(store);
    finished = begun(options, openedColumns(options, device), store);
    std::vector<NetworkRequest>& networks = finished.networks;
    Scope scope;
    if (networks.size() > 1 || !networks.front().failure.empty())
        checkSeveral(options);
    else
        scope = scopeOf(options, summary(*networks.front().classifier));
    FeatureJob job{.folder = options.folder,
                   .layout = parseFolderLayout(options.layout),
                   .trainingFolder = {},
                   .trainingLimit = options.trainLimit,
                   .readouts = readoutsOf(options),
                   .evaluation = networks.front().request};
    std::string otherClasses;
    try {
        if (scope.classes)
            labelSamples(options, networks);
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
        return dryRun(options, finished, target, stop);
    EvaluateConsole console(options.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic,
                            options.request.resume, options.store.empty() ? store.string() : "", stop);
    try {
        if (scope.classes)
            finished.outcomes = evaluate(networks, console, stop);
        if (scope.features) {
            console.nameStore();
            finished.features = evaluateFeatures(networks.front().classifier, job, console,
                                                 shownBy(console.line()), stop);
            if (!otherClasses.empty())
                finished.features->notes.push_back(otherClasses);
            for (const UnreadableInput& sample : finished.features->trainingUnreadable)
                console.onUnreadable({0, sample.path, sample.reason});
        }
        console.finish();
        if (!launch().isFirst())
            return ExitCode::Done;
        if (!options.receipt.empty())
            writeReceipt(options, store, *finished.evaluation());
        return print(options, target, store, finished);
    } catch (const Cancelled&) {
        console.finish();
        if (!finished.evaluation())
            for (size_t i = 0; i < console.evaluations().size(); ++i)
                finished.outcomes[i].evaluation = console.evaluations()[i];
        finished.interrupted = true;
        if (launch().isFirst() && finished.evaluation())
            print(options, target, store, finished);
        if (launch().isFirst() && (finished.evaluation() || scope.features))
            writeMessage("all finished work is stored; resume with:\n  " + commandOf(options, store)
                         + " --resume");
        throw;
    }
}

ExitCode run(EvaluateOptions& options, std::stop_token stop)
{
    if (!options.from.empty()) {
        if (!options.folder.empty())
            throw UsageError("--from", "a study names its data sets itself", "leave out the folder");
        return evaluateStudy(options, stop);
    }
    Finished finished;
    return evaluateFolder(options, finished, std::move(stop));
}

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

EvaluateOptions evaluateOptionsOf(std::vector<std::string> words)
{
    CLI::App app;
    EvaluateOptions options;
    declareOptions(app, options);
    options.tables = false;
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
    return options;
}

ExitCode evaluateWithoutTables(EvaluateOptions& options, std::vector<int64_t>& evaluations, std::stop_token stop)
{
    Finished finished;
    const auto keep = [&] {
        for (const EvaluatedNetwork& outcome : finished.outcomes)
            if (outcome.evaluation != 0)
                evaluations.push_back(outcome.evaluation);
        if (finished.features)
            for (const FeatureEvaluation& one : finished.features->evaluations)
                evaluations.push_back(one.evaluation);
    };
    try {
        const ExitCode code = evaluateFolder(options, finished, std::move(stop));
        keep();
        return code;
    } catch (...) {
        keep();
        throw;
    }
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
