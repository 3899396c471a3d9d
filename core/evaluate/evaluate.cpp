#include "core/base/error.h"
#include "core/distributed/processes.h"
#include "core/evaluate/batch_message.h"
#include "core/evaluate/evaluation_plan.h"
#include "core/evaluate/network_runs.h"
#include "core/evaluate/pipeline_meter.h"
#include "core/evaluate/sample_predictions.h"
#include "core/evaluate/store_writer.h"
#include "core/run/compare.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

namespace attnscope {

namespace {

using Clock = std::chrono::steady_clock;

/// After this many samples it is reported if no attention is better than guessing.
constexpr int64_t chanceSamples = 500;

constexpr const char* notFiniteNote = "some logits are not finite; these samples count as wrong";
constexpr std::string_view headsOfBatch = "heads of a batch";

void addNote(std::vector<std::string>& notes, const std::string& note)
{
    if (std::ranges::find(notes, note) == notes.end())
        notes.push_back(note);
}

constexpr int64_t lookedAtFirst = 20;

std::optional<FloatArray> firstReadable(const ReadingRequest& reading)
{
    const bool video = reading.data->video;
    const SampleLoader load = video ? SampleLoader() : imageLoaders(reading)();
    const ViewOpener open = video ? videoOpeners(reading)() : ViewOpener();
    for (int64_t sample = 0; sample < std::min(lookedAtFirst, std::ssize(reading.data->files)); ++sample) {
        try {
            if (!video)
                return load(sample, 0);
            const OpenedViews views = open(sample);
            return views.view(views.count / 2);
        } catch (const FileError&) {
            // Reported with its batch.
        }
    }
    return std::nullopt;
}

/// Latency, memory and error of one input, measured like in `compare`, on the first readable sample (for a video its middle view). Empty if
/// none of the first 20 can be read.
std::optional<InputRecord> measureFirstSample(const Classifier& classifier, const EvaluationRequest& request,
                                              const ReadingRequest& reading, const std::stop_token& stop)
{
    const auto input = firstReadable(reading);
    if (!input)
        return std::nullopt;
    const RunRequest measured{.attention = request.attention,
                              .seed = request.seed,
                              .topK = 1,
                              .latency = request.latency,
                              .memory = request.memory,
                              .error = request.error};
    RunObserver silent;
    RunReport report = run(classifier,
                           {{"first sample", reading.data->video ? "video" : "image", [&] { return *input; }}},
                           measured, silent, stop);
    if (report.inputs.empty())
        throw Error("",
                    report.unreadable.empty() ? "nothing could be measured" : report.unreadable.front().reason);
    return std::move(report.inputs.front());
}

/// One evaluation, from its entry in the store to its last batch. With several processes the first one writes the store; in each round
/// every process predicts one batch.
class Evaluation {
public:
    Evaluation(const Classifier& classifier, const EvaluationRequest& request, EvaluationObserver& observer,
               Collective& processes, std::stop_token stop)
        : m_classifier(classifier)
        , m_request(request)
        , m_observer(processes.isFirst() ? observer : m_silent)
        , m_processes(processes)
        , m_stop(std::move(stop))
        , m_plan(planEvaluation(classifier, request, m_stop))
        , m_network(classifier, request.attention, request.seed)
    {}

    int64_t run()
    {
        if (m_processes.isFirst())
            begin();
        agree();
        m_observer.onStart(m_evaluation, m_progress);
        nameFailed();
        try {
            if (!m_pending.empty()) {
                spreadBatches();
                openCache();
                measure();
                predictAll();
            }
            finish();
        } catch (const Cancelled&) {
            finishEarly(EvaluationState::Paused);
            throw;
        } catch (...) {
            finishEarly(EvaluationState::Interrupted);
            throw;
        }
        return m_evaluation;
    }

private:
    /// Finds or creates the evaluation, and determines what is already done.
    void begin()
    {
        m_store.emplace(m_request.store, m_observer, m_stop);
        m_runs = m_network.unmeasured();
        m_evaluation = m_store->with([&](ResultStore& store) {
            if (m_request.resume)
                store.requireNothingSimilar(m_plan.settings, *m_plan.data, m_runs);
            return store.begin(m_plan.settings, *m_plan.data, m_runs, m_request.resume);
        });
        m_store->keepAlive(m_evaluation);
        m_store->with([&](ResultStore& store) { readStored(store); });
    }

    void readStored(ResultStore& store)
    {
        const StoredEvaluation stored = store.evaluation(m_evaluation);
        m_progress = {};
        m_progress.total = m_plan.samples();
        m_progress.done = stored.done;
        m_progress.unreadable = stored.unreadable;
        m_progress.runs.resize(m_runs.size());
        for (size_t i = 0; i < m_runs.size(); ++i) {
            const auto same = std::ranges::find_if(
                stored.runs, [&](const StoredRun& run) { return run.attention == m_runs[i].attention; });
            if (same == stored.runs.end())
                throw StoreError(m_request.store.string(), "it lost the attention " + m_runs[i].attention);
            m_runs[i] = *same;
            m_progress.runs[i] = {store.accuracy(same->id), same->seconds, same->failure};
        }
        const std::vector<int64_t> finished = store.finishedBatches(m_evaluation);
        std::ranges::set_difference(m_plan.batches.batches, finished, std::back_inserter(m_pending));
    }

    /// All processes learn from the first which batches are left, and which attentions failed.
    void agree()
    {
        if (m_processes.size() > 1) {
            const std::vector<int64_t>& batches = m_plan.batches.batches;
            std::vector<double> left(batches.size() + m_network.count());
            if (m_processes.isFirst()) {
                for (size_t i = 0; i < batches.size(); ++i)
                    left[i] = std::ranges::binary_search(m_pending, batches[i]) ? 1 : 0;
                for (size_t run = 0; run < m_network.count(); ++run)
                    left[batches.size() + run] = m_runs[run].failure.empty() ? 0 : 1;
            }
            m_processes.sum(left);
            m_pending.clear();
            for (size_t i = 0; i < batches.size(); ++i)
                if (left[i] > 0)
                    m_pending.push_back(batches[i]);
            for (size_t run = 0; run < m_network.count(); ++run)
                if (left[batches.size() + run] > 0)
                    m_network.fail(run, "it failed before");
        }
        for (size_t run = 0; run < m_runs.size(); ++run)
            if (!m_runs[run].failure.empty())
                m_network.fail(run, m_runs[run].failure);
    }

    /// Not class by class, so that what is known so far is about all of them. Which samples a batch has, and so every result, stays the same.
    void spreadBatches()
    {
        const int64_t batch = m_plan.batches.batch, all = (std::ssize(m_plan.data->files) + batch - 1) / batch;
        std::vector<int64_t> order = spreadOrder(all);
        std::erase_if(order, [&](int64_t number) { return !std::ranges::binary_search(m_pending, number); });
        m_pending = std::move(order);
    }

    void nameFailed() const
    {
        for (const StoredRun& run : m_runs)
            if (!run.failure.empty())
                m_observer.onMessage(
                    run.failure + " It is not tried again where an evaluation is resumed; a new one tries it.");
    }

    /// Opens the cache of crops, if requested.
    void openCache()
    {
        ReadingRequest& reading = m_plan.batches.reading;
        if (m_request.cache.empty())
            return;
        const Transform& crop = reading.views.transform;
        reading.cache = std::make_shared<CropCache>(
            CropCache::Options{m_request.cache, cropDescription(reading),
                               uint64_t(3 * crop.cropHeight * crop.cropWidth), m_request.cacheBytes});
    }

    void reportCache()
    {
        if (const auto& cache = m_plan.batches.reading.cache)
            if (const std::string message = cache->takeMessage(); !message.empty())
                m_observer.onMessage(message);
    }

    bool measuresSomething() const { return m_request.latency || m_request.memory || m_request.error; }

    bool isMeasured() const
    {
        return std::ranges::all_of(m_runs, [&](const StoredRun& run) {
            return !run.failure.empty()
                   || ((!m_request.latency || run.latency) && (!m_request.memory || run.memory)
                       && (!m_request.error || run.error
                           || std::ranges::find(run.notes, exactAttentionNote) != run.notes.end()));
        });
    }

    /// Once per evaluation, in the first process.
    void measure()
    {
        if (!m_processes.isFirst() || !measuresSomething() || isMeasured())
            return;
        const auto record = measureFirstSample(m_classifier, m_request, m_plan.batches.reading, m_stop);
        if (!record) {
            m_observer.onMessage(
                "None of the first 20 samples can be read, so latency and memory are not measured.");
            return;
        }
        for (size_t i = 0; i < m_runs.size(); ++i) {
            const RunRecord& measured = record->runs[i];
            m_runs[i].latency = measured.latency;
            m_runs[i].memory = measured.memory;
            if (measured.error)
                m_runs[i].error = measured.error->error;
            m_runs[i].emptyRows = measured.emptyRows;
            for (const std::string& note : measured.notes)
                addNote(m_runs[i].notes, note);
            if (!measured.failure.empty())
                m_network.fail(i, measured.failure);
        }
        keepRuns();
    }

    /// Stores what is known about the attentions, and reports failures.
    void keepRuns()
    {
        for (size_t i = 0; i < m_runs.size(); ++i) {
            if (m_runs[i].failure.empty() && !m_network.failure(i).empty())
                m_observer.onMessage(m_network.failure(i) + " The other attentions continue.");
            m_runs[i].failure = m_progress.runs[i].failure = m_network.failure(i);
            if (m_network.sawNotFinite(i))
                addNote(m_runs[i].notes, notFiniteNote);
            for (const FallbackCount& count : m_network.fallbacks(i))
                count.addTo(m_runs[i].notes, headsOfBatch);
            m_store->with([&](ResultStore& store) { store.setMeasurements(m_runs[i].id, m_runs[i]); });
        }
    }

    BatchPlan part() const
    {
        BatchPlan plan = m_plan.batches;
        plan.batches.clear();
        const auto size = size_t(m_processes.size());
        for (auto i = size_t(m_processes.rank()); i < m_pending.size(); i += size)
            plan.batches.push_back(m_pending[i]);
        return plan;
    }

    void predictAll()
    {
        const BatchPlan own = part();
        m_meter = PipelineMeter(own.workers
                                * m_processes.size());  // what came before doesn't count towards the throughput
        const auto predictions = m_plan.data->video ? predictVideos(own, m_network, m_plan.viewsAtOnce)
                                                    : predictImages(own, m_network);
        const auto size = size_t(m_processes.size());
        for (size_t round = 0; round * size < m_pending.size(); ++round) {
            checkStop();
            requireAnyLeft();
            std::vector<BatchMessage> messages;
            const auto begin = Clock::now();
            if (round < own.batches.size())
                messages.push_back(messageOf(predictions->next(within())));
            const double seconds = secondsSince(begin), waited = predictions->takeWaited();
            exchange(messages);
            requireAnyLeft();  // before a batch without predictions counts as done, so that --resume tries it again
            if (m_processes.isFirst())
                keep(messages, seconds, waited, predictions->load(),
                     int64_t(m_pending.size() - std::min((round + 1) * size, m_pending.size())));
        }
    }

    /// All processes stop together, since each waits for the others.
    void checkStop() const
    {
        if (m_processes.any(m_stop.stop_requested()))
            throw Cancelled();
    }

    /// What may stop a batch half way: nothing if others wait for its end.
    std::stop_token within() const { return m_processes.size() == 1 ? m_stop : std::stop_token(); }

    void requireAnyLeft() const
    {
        if (m_network.anyLeft())
            return;
        throw Error("", "no attention could continue: " + m_network.failure(0));
    }

    BatchMessage messageOf(FinishedBatch batch) const
    {
        BatchMessage message{std::move(batch), {}, {}, {}};
        for (size_t run = 0; run < m_network.count(); ++run) {
            message.failures.push_back(m_network.failure(run));
            message.notFinite.push_back(m_network.sawNotFinite(run));
            message.fallbacks.push_back(m_network.fallbacks(run));
        }
        return message;
    }

    /// Every process gets the messages of all, by rank.
    void exchange(std::vector<BatchMessage>& messages)
    {
        if (m_processes.size() == 1)
            return;
        const auto rank = size_t(m_processes.rank()), size = size_t(m_processes.size());
        const std::vector<double> own = messages.empty() ? std::vector<double>{} : encode(messages.front());
        std::vector<double> lengths(size);
        lengths[rank] = double(own.size());
        m_processes.sum(lengths);
        std::vector<double> all;
        std::vector<size_t> begins;
        for (const double length : lengths) {
            begins.push_back(all.size());
            all.resize(all.size() + size_t(length));
        }
        std::ranges::copy(own, all.begin() + ptrdiff_t(begins[rank]));
        m_processes.sum(all);
        messages.clear();
        for (size_t i = 0; i < size; ++i) {
            const auto from = all.begin() + ptrdiff_t(begins[i]);
            const auto length = ptrdiff_t(lengths[i]);
            if (length > 0)
                messages.push_back(decode({from, from + length}));
        }
        for (const BatchMessage& message : messages)
            for (size_t run = 0; run < m_network.count(); ++run) {
                if (!message.failures[run].empty())
                    m_network.fail(run, message.failures[run]);
                if (message.notFinite[run])
                    m_network.noteNotFinite(run);
                for (const FallbackCount& count : message.fallbacks[run])
                    m_network.noteFallback(run, count);
            }
    }

    bool runsChanged() const
    {
        for (size_t i = 0; i < m_runs.size(); ++i) {
            const auto& notes = m_runs[i].notes;
            const bool said = std::ranges::find(notes, notFiniteNote) != notes.end();
            const bool fell = std::ranges::any_of(m_network.fallbacks(i),
                                                  [&](const FallbackCount& count) { return !count.isIn(notes); });
            if (m_network.failure(i) != m_runs[i].failure || (m_network.sawNotFinite(i) && !said) || fell)
                return true;
        }
        return false;
    }

    /// One transaction per batch; after it the batch counts as done.
    void keep(const std::vector<BatchMessage>& messages, double seconds, double waited, const ReaderLoad& readers,
              int64_t left)
    {
        const auto begin = Clock::now();
        if (runsChanged())
            keepRuns();
        int64_t samples = 0;
        for (const BatchMessage& message : messages) {
            m_store->with([&](ResultStore& store) { store.add(m_evaluation, message.batch); });
            reportProgress(message.batch);
            samples += std::ssize(message.batch.samples) + std::ssize(message.batch.unreadable);
        }
        m_meter.add(samples, waited, seconds - waited, secondsSince(begin), readers);
        m_progress.load = m_meter.load();
        const auto size = m_processes.size();
        m_progress.secondsLeft = m_meter.secondsFor((left + size - 1) / size);
        reportChance();
        reportCache();
        m_observer.onProgress(m_progress);
    }

    void reportProgress(const FinishedBatch& batch)
    {
        m_progress.done += std::ssize(batch.samples) + std::ssize(batch.unreadable);
        m_progress.unreadable += std::ssize(batch.unreadable);
        for (size_t run = 0; run < batch.predictions.size(); ++run) {
            for (const SamplePrediction& prediction : batch.predictions[run])
                m_progress.runs[run].accuracy.count(prediction.labelRank);
            m_progress.runs[run].seconds += batch.seconds[run];
        }
        for (const auto& sample : batch.unreadable)
            m_observer.onUnreadable(
                {sample.sample, m_plan.data->files[size_t(sample.sample)].path, sample.reason});
    }

    /// Early, before an hour is wasted.
    void reportChance()
    {
        if (m_saidChance || m_classifier.describe().weights == WeightsKind::Untrained
            || m_plan.batches.classes < 2)
            return;
        const RunProgress* best = nullptr;
        for (const RunProgress& run : m_progress.runs)
            if (best == nullptr || run.accuracy.correct > best->accuracy.correct)
                best = &run;
        if (best->accuracy.samples < chanceSamples)
            return;
        m_saidChance = true;
        if (!looksLikeChance(best->accuracy, m_plan.batches.classes))
            return;
        m_observer.onMessage("After " + std::to_string(best->accuracy.samples)
                             + " samples no attention is better than chance among "
                             + std::to_string(m_plan.batches.classes)
                             + " classes; these labels are probably not in the order of the model's classes, or "
                               "the weights do not belong to this "
                               "data set. See docs/evaluate.md.");
    }

    void finish()
    {
        if (m_processes.isFirst())
            m_store->with([&](ResultStore& store) { store.setState(m_evaluation, EvaluationState::Finished); });
    }

    /// Best effort: the error that ended the evaluation is reported, not one of this function.
    void finishEarly(EvaluationState state)
    {
        if (!m_processes.isFirst())
            return;
        try {
            m_store->with([&](ResultStore& store) { store.setState(m_evaluation, state); });
        } catch (const std::exception&) {
            // The owner's heartbeat becomes stale when this process ends.
        }
    }

    const Classifier& m_classifier;
    const EvaluationRequest& m_request;
    EvaluationObserver m_silent;  // with several processes only the first reports
    EvaluationObserver& m_observer;
    Collective& m_processes;
    std::stop_token m_stop;
    EvaluationPlan m_plan;
    NetworkRuns m_network;
    PipelineMeter m_meter{1};
    std::optional<StoreWriter> m_store;  // in the first process
    std::vector<StoredRun> m_runs;       // in the first process
    int64_t m_evaluation = 0;
    std::vector<int64_t> m_pending;
    EvaluationProgress m_progress;
    bool m_saidChance = false;
};

}

int64_t evaluate(const Classifier& classifier, const EvaluationRequest& request, EvaluationObserver& observer,
                 std::stop_token stop)
{
    const c10::InferenceMode guard;
    const auto processes = startProcesses();
    try {
        return Evaluation(classifier, request, observer, *processes, std::move(stop)).run();
    } catch (const Cancelled&) {
        throw;  // all processes were cancelled together
    } catch (...) {
        processes->fail();
        throw;
    }
}

}
