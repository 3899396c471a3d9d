#include "core/base/error.h"
#include "core/distributed/processes.h"
#include "core/evaluate/batch_message.h"
#include "core/evaluate/evaluation_plan.h"
#include "core/evaluate/first_sample.h"
#include "core/evaluate/network_runs.h"
#include "core/evaluate/pipeline_meter.h"
#include "core/evaluate/queue/shared_work.h"
#include "core/evaluate/sample_predictions.h"
#include "core/evaluate/store_writer.h"
#include "core/run/compare.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

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

/// The networks' evaluations over the same batches, from their entries in the store to the last batch. With several processes the first one
/// writes the store, and each takes batches when it is free.
class Evaluation {
public:
    Evaluation(const std::vector<NetworkRequest>& networks, EvaluationObserver& observer, Collective& processes,
               std::stop_token stop)
        : m_observer(processes.isFirst() ? observer : m_silent)
        , m_processes(processes)
        , m_stop(std::move(stop))
        , m_outcomes(networks.size())
    {
        for (size_t i = 0; i < networks.size(); ++i)
            attempt(i, networks[i], [&] { add(i, networks[i]); });
    }

    std::vector<EvaluatedNetwork> run()
    {
        if (m_processes.isFirst())
            begin();
        agree();
        m_observer.onStart(m_networks.front().id, m_progress);
        nameFailed();
        try {
            if (!m_pending.empty()) {
                openCaches();
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
        return m_outcomes;
    }

private:
    /// One that is evaluated.
    struct Network {
        size_t place = 0;  // among the requests
        const NetworkRequest& source;
        EvaluationPlan plan;
        size_t firstRun = 0;
        std::unique_ptr<StoreWriter> store = {};  // in the first process
        int64_t id = 0;
        std::vector<int64_t> pending = {};  // batches, ascending
        bool saidChance = false;

        size_t endRun() const { return firstRun + source.request.attention.size(); }
        bool wants(int64_t batch) const { return std::ranges::binary_search(pending, batch); }
        std::string sentence(const std::string& text) const
        {
            return source.name.empty() ? text : source.name + ": " + text;
        }
    };

    /// Something that notes tell of a run: logits that are not finite, or what it fell back to.
    struct Remark {
        ptrdiff_t place = 0;  // of the first batch where it happened, in the order of prediction
        FallbackCount count;  // without clause: not finite
    };

    /// Where `work` fails the network at this place ends with a sentence, the last one with its error.
    template <std::invocable Work>
    void attempt(size_t place, const NetworkRequest& network, const Work& work)
    try {
        work();
    } catch (const Error& error) {
        m_outcomes[place].failure = error.what();
        if (std::ranges::none_of(m_outcomes, &std::string::empty, &EvaluatedNetwork::failure))
            throw;
        m_observer.onMessage(network.name + ": " + error.what() + " The other networks continue.");
    }

    bool isGoing(const Network& network) const { return m_outcomes[network.place].failure.empty(); }
    /// What networks have in common is the first one's.
    const EvaluationRequest& request() const { return m_networks.front().source.request; }
    const EvaluationPlan& plan() const { return m_networks.front().plan; }

    void add(size_t place, const NetworkRequest& source)
    {
        if (!source.failure.empty())
            throw Error("", source.failure);
        Network network{place, source, planEvaluation(*source.classifier, source.request, m_stop),
                        m_network.count()};
        if (!m_networks.empty()) {
            const BatchPlan &own = network.plan.batches, &first = plan().batches;
            if (own.batches != first.batches || own.batch != first.batch
                || !std::ranges::equal(network.plan.data->files, plan().data->files, {}, &LabelledFile::path,
                                       &LabelledFile::path))
                throw UsageError(source.request.data.root, "networks are evaluated together on the same files",
                                 "evaluate it alone");
            if (plan().data->video && own.reading.views != first.reading.views)
                throw UsageError(source.request.data.root, "it takes other views of videos than the first network",
                                 "evaluate it alone");
        }
        m_network.add(*source.classifier, source.request.attention, source.request.seed);
        m_networks.push_back(std::move(network));
    }

    /// Finds or creates the evaluations, and determines what is already done.
    void begin()
    {
        for (size_t run = 0; run < m_network.count(); ++run)
            m_runs.push_back(unmeasuredRun(m_network.prepared(run)));
        m_progress.runs.resize(m_runs.size());
        const auto runsOf = [&](const Network& network) {
            return std::vector(m_runs.begin() + ptrdiff_t(network.firstRun),
                               m_runs.begin() + ptrdiff_t(network.endRun()));
        };
        for (Network& network : m_networks) {  // before the first is in the store, which the next may resemble
            network.store = std::make_unique<StoreWriter>(request().store, m_observer, m_stop);
            if (request().resume)
                network.store->with([&](ResultStore& store) {
                    store.requireNothingSimilar(network.plan.settings, *network.plan.data, runsOf(network));
                });
        }
        for (Network& network : m_networks) {
            m_outcomes[network.place].evaluation = network.id = network.store->with([&](ResultStore& store) {
                return store.begin(network.plan.settings, *network.plan.data, runsOf(network), request().resume);
            });
            network.store->keepAlive(network.id);
            network.store->with([&](ResultStore& store) { readStored(network, store); });
        }
    }

    void readStored(Network& network, ResultStore& store)
    {
        const StoredEvaluation stored = store.evaluation(network.id);
        m_progress.evaluations.resize(m_outcomes.size());
        m_progress.evaluations[network.place] = network.id;
        m_progress.unreadable = network.firstRun == 0 ? stored.unreadable
                                                      : std::min(m_progress.unreadable, stored.unreadable);
        for (size_t i = network.firstRun; i < network.endRun(); ++i) {
            const auto same = std::ranges::find_if(
                stored.runs, [&](const StoredRun& run) { return run.attention == m_runs[i].attention; });
            if (same == stored.runs.end())
                throw StoreError(request().store.string(), "it lost the attention " + m_runs[i].attention);
            m_runs[i] = *same;
            m_progress.runs[i] = {store.accuracy(same->id), same->seconds, same->failure};
        }
        const std::vector<int64_t> finished = store.finishedBatches(network.id);
        std::ranges::set_difference(network.plan.batches.batches, finished, std::back_inserter(network.pending));
    }

    /// All processes learn from the first which batches are left, and which attentions failed.
    void agree()
    {
        if (m_processes.size() > 1) {
            const bool knows = m_processes.isFirst();
            std::vector<double> left;
            for (const Network& network : m_networks)
                for (const int64_t batch : plan().batches.batches)
                    left.push_back(knows && network.wants(batch) ? 1 : 0);
            for (size_t run = 0; run < m_network.count(); ++run)
                left.push_back(knows && !m_runs[run].failure.empty() ? 1 : 0);
            m_processes.sum(left);
            auto next = left.begin();
            for (Network& network : m_networks) {
                network.pending.clear();
                for (const int64_t batch : plan().batches.batches)
                    if (*next++ > 0)
                        network.pending.push_back(batch);
            }
            for (size_t run = 0; run < m_network.count(); ++run)
                if (*next++ > 0)
                    m_network.fail(run, "it failed before");
        }
        for (size_t run = 0; run < m_runs.size(); ++run)
            if (!m_runs[run].failure.empty())
                m_network.fail(run, m_runs[run].failure);
        spreadBatches();
    }

    /// Not class by class, so that what is known so far is about all of them. Which samples a batch has, and so every result, stays the same.
    void spreadBatches()
    {
        const int64_t batch = plan().batches.batch, all = (std::ssize(plan().data->files) + batch - 1) / batch;
        m_pending = spreadOrder(all);
        std::erase_if(m_pending, [&](int64_t number) {
            return std::ranges::none_of(m_networks, [&](const Network& network) { return network.wants(number); });
        });
        m_left = std::ssize(m_pending);
        m_progress.total = m_progress.done = plan().samples();
        for (const int64_t number : m_pending)
            m_progress.done -= std::ssize(plan().batches.samplesOf(number));
    }

    void nameFailed() const
    {
        for (size_t run = 0; run < m_runs.size(); ++run)
            if (!m_runs[run].failure.empty())
                m_observer.onMessage(networkOf(run).sentence(
                    m_runs[run].failure
                    + " It is not tried again where an evaluation is resumed; a new one tries it."));
    }

    const Network& networkOf(size_t run) const { return m_networks[m_network.networkOf(run)]; }

    /// Opens the caches of crops, if requested.
    void openCaches()
    {
        if (request().cache.empty())
            return;
        for (Network& network : m_networks) {
            ReadingRequest& reading = network.plan.batches.reading;
            const Transform& crop = reading.views.transform;
            reading.cache = std::make_shared<CropCache>(
                CropCache::Options{request().cache, cropDescription(reading),
                                   uint64_t(3 * crop.cropHeight * crop.cropWidth), request().cacheBytes});
        }
    }

    void reportCaches()
    {
        for (const Network& network : m_networks)
            if (const auto& cache = network.plan.batches.reading.cache)
                if (const std::string message = cache->takeMessage(); !message.empty())
                    m_observer.onMessage(message);
    }

    bool measuresSomething() const { return request().latency || request().memory || request().error; }

    bool isMeasured(const Network& network) const
    {
        const auto runs = std::span(m_runs).subspan(network.firstRun, network.endRun() - network.firstRun);
        return std::ranges::all_of(runs, [&](const StoredRun& run) {
            return !run.failure.empty()
                   || ((!request().latency || run.latency) && (!request().memory || run.memory)
                       && (!request().error || run.error
                           || std::ranges::find(run.notes, exactAttentionNote) != run.notes.end()));
        });
    }

    /// Once per evaluation, in the first process.
    void measure()
    {
        if (m_processes.isFirst() && measuresSomething())
            for (const Network& network : m_networks)
                if (!isMeasured(network))
                    measure(network);
    }

    void measure(const Network& network)
    {
        const auto record = measureFirstSample(*network.source.classifier, network.source.request,
                                               network.plan.batches.reading, m_stop);
        if (!record) {
            m_observer.onMessage(
                "None of the first 20 samples can be read, so latency and memory are not measured.");
            return;
        }
        for (size_t i = network.firstRun; i < network.endRun(); ++i) {
            const RunRecord& measured = record->runs[i - network.firstRun];
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
            if (m_runs[i].failure.empty() && !m_network.failure(i).empty() && isGoing(networkOf(i)))
                m_observer.onMessage(
                    networkOf(i).sentence(m_network.failure(i) + " The other attentions continue."));
            m_runs[i].failure = m_progress.runs[i].failure = m_network.failure(i);
            if (!m_notes.empty())
                m_runs[i].notes = m_notes[i];
            for (const Remark& remark : m_remarks.empty() ? std::vector<Remark>{} : m_remarks[i]) {
                if (remark.count.clause.empty())
                    addNote(m_runs[i].notes, notFiniteNote);
                else
                    remark.count.addTo(m_runs[i].notes, headsOfBatch);
            }
            networkOf(i).store->with([&](ResultStore& store) { store.setMeasurements(m_runs[i].id, m_runs[i]); });
        }
    }

    /// Of all networks, without batches: those of this process come one by one.
    std::vector<BatchPlan> plans() const
    {
        std::vector<BatchPlan> plans;
        for (const Network& network : m_networks)
            plans.push_back(network.plan.batches);
        plans.front().batches.clear();
        return plans;
    }

    void predictAll()
    {
        m_meter = PipelineMeter(plan().batches.workers
                                * m_processes.size());  // what came before doesn't count towards the throughput
        for (const StoredRun& run : m_runs)
            m_notes.push_back(run.notes);
        m_remarks.resize(m_runs.size());
        const at::Device device = m_network.classifier(0).device();
        const auto predictions = plan().data->video ? predictVideos(plans(), m_network, plan().viewsAtOnce)
                                                    : predictImages(plans(), m_network, imageResizer(device),
                                                                    deviceQueue(device));
        predictions->beforeEach([this](int64_t number) {
            for (size_t i = 0; i < m_networks.size(); ++i)
                m_network.turn(i, m_networks[i].wants(number));
        });
        SharedWork work(m_processes, m_pending, m_stop);
        for (std::deque<int64_t> own; !work.isOver();) {
            endFailed();
            const std::vector<int64_t> more = work.take(own.empty());
            predictions->append(more);
            own.insert(own.end(), more.begin(), more.end());
            const auto begin = Clock::now();
            if (!own.empty())
                predictOne(*predictions, own, work);
            const double seconds = secondsSince(begin), waited = predictions->takeWaited();
            fail(work.failures());
            if (const auto messages = work.arrived(); !messages.empty()) {
                for (const BatchMessage& message : messages)
                    take(message);
                endFailed();  // before a batch without predictions counts as done, so that --resume tries it again
                keep(messages, seconds, waited, predictions->load());
                work.setFailures(sentences());
            }
        }
    }

    /// The next batch of this process. What is not needed any more, because another process was faster, is given up.
    void predictOne(BatchPredictions& predictions, std::deque<int64_t>& own, SharedWork& work)
    {
        try {
            work.finish(messageOf(predictions.next(work.stopToken())));
            own.pop_front();
        } catch (const Cancelled&) {
            work.isOver();  // throws where it is not for that
            own.clear();
        }
    }

    /// The failure of each run; empty: none.
    std::vector<std::string> sentences() const
    {
        std::vector<std::string> failures;
        for (size_t run = 0; run < m_network.count(); ++run)
            failures.push_back(m_network.failure(run));
        return failures;
    }

    void fail(const std::vector<std::string>& failures)
    {
        for (size_t run = 0; run < failures.size(); ++run)
            if (!failures[run].empty())
                m_network.fail(run, failures[run]);
    }

    /// Ends networks of which no attention could continue.
    void endFailed()
    {
        for (size_t i = 0; i < m_networks.size(); ++i) {
            const Network& network = m_networks[i];
            if (!isGoing(network) || network.pending.empty() || m_network.anyLeft(i))
                continue;
            attempt(network.place, network.source, [&] {
                throw Error("", "no attention could continue: " + m_network.failure(network.firstRun));
            });
            finishEarly(network, EvaluationState::Interrupted);
        }
    }

    BatchMessage messageOf(FinishedBatch batch) const
    {
        BatchMessage message{std::move(batch), sentences(), {}, {}};
        for (size_t run = 0; run < m_network.count(); ++run) {
            message.notFinite.push_back(m_network.sawNotFinite(run));
            message.fallbacks.push_back(m_network.fallbacks(run));
        }
        return message;
    }

    /// What a process says of the runs. Its first batch with a remark has it, and so have all later ones.
    void take(const BatchMessage& message)
    {
        fail(message.failures);
        const auto place = std::ranges::find(m_pending, message.batch.number) - m_pending.begin();
        for (size_t run = 0; run < m_network.count(); ++run) {
            if (message.notFinite[run] != 0)
                remark(run, place, {});
            for (const FallbackCount& count : message.fallbacks[run])
                remark(run, place, count);
        }
    }

    /// Keeps the remark of the first batch in the order of prediction, whichever arrived first, so that notes are those of one process.
    void remark(size_t run, ptrdiff_t place, const FallbackCount& count)
    {
        auto& remarks = m_remarks[run];
        const auto same = std::ranges::find(remarks, count.clause,
                                            [](const Remark& one) { return one.count.clause; });
        if (same != remarks.end() && same->place <= place)
            return;
        if (same != remarks.end())
            remarks.erase(same);
        const auto next = std::ranges::upper_bound(remarks, place, {}, &Remark::place);
        remarks.insert(next, {place, count});
        m_remarked = true;
    }

    bool runsChanged()
    {
        bool changed = std::exchange(m_remarked, false);
        for (size_t i = 0; i < m_runs.size(); ++i)
            changed |= m_network.failure(i) != m_runs[i].failure;
        return changed;
    }

    /// One transaction per batch; after it the batch counts as done.
    void keep(const std::vector<BatchMessage>& messages, double seconds, double waited, const ReaderLoad& readers)
    {
        const auto begin = Clock::now();
        if (runsChanged())
            keepRuns();
        int64_t samples = 0;
        for (const BatchMessage& message : messages) {
            for (Network& network : m_networks)
                if (isGoing(network) && network.wants(message.batch.number))
                    keep(network, message.batch);
            reportProgress(message.batch);
            samples += std::ssize(message.batch.samples) + std::ssize(message.batch.unreadable);
        }
        m_meter.add(samples, waited, seconds - waited, secondsSince(begin), readers);
        m_progress.load = m_meter.load();
        m_left -= std::ssize(messages);
        m_progress.secondsLeft = m_meter.secondsFor(m_left);
        if (m_processes.size() > 1 && m_progress.secondsLeft)  // their batches arrive several at a time
            m_progress.secondsLeft = double(m_progress.total - m_progress.done)
                                     / std::max(m_progress.load.samplesPerSecond, 1e-9);
        for (Network& network : m_networks)
            reportChance(network);
        reportCaches();
        m_observer.onProgress(m_progress);
    }

    /// A network's part of a batch.
    void keep(Network& network, const FinishedBatch& batch)
    {
        FinishedBatch own{batch.number, batch.samples, {}, batch.unreadable, batch.partial};
        for (size_t run = network.firstRun; run < network.endRun(); ++run) {
            own.predictions.push_back(batch.predictions[run]);
            own.logits.push_back(batch.logits[run]);
            own.seconds.push_back(batch.seconds[run]);
            for (const SamplePrediction& prediction : batch.predictions[run])
                m_progress.runs[run].accuracy.count(prediction.labelRank);
            m_progress.runs[run].seconds += batch.seconds[run];
        }
        network.store->with([&](ResultStore& store) { store.add(network.id, own); });
    }

    void reportProgress(const FinishedBatch& batch)
    {
        m_progress.done += std::ssize(batch.samples) + std::ssize(batch.unreadable);
        m_progress.unreadable += std::ssize(batch.unreadable);
        for (const auto& sample : batch.unreadable)
            m_observer.onUnreadable(
                {sample.sample, plan().data->files[size_t(sample.sample)].path, sample.reason});
    }

    /// Early, before an hour is wasted.
    void reportChance(Network& network)
    {
        const int64_t classes = network.plan.batches.classes;
        if (network.saidChance || network.source.classifier->describe().weights == WeightsKind::Untrained
            || classes < 2)
            return;
        const RunProgress* best = nullptr;
        for (size_t run = network.firstRun; run < network.endRun(); ++run)
            if (const RunProgress& own = m_progress.runs[run];
                best == nullptr || own.accuracy.correct > best->accuracy.correct)
                best = &own;
        if (best->accuracy.samples < chanceSamples)
            return;
        network.saidChance = true;
        if (!looksLikeChance(best->accuracy, classes))
            return;
        m_observer.onMessage(network.sentence(
            "After " + std::to_string(best->accuracy.samples)
            + " samples no attention is better than chance among " + std::to_string(classes)
            + " classes; these labels are probably not in the order of the model's classes, or the weights do not "
              "belong to this data set. See docs/evaluate.md."));
    }

    void finish()
    {
        for (const Network& network : m_networks)
            if (m_processes.isFirst() && isGoing(network))
                network.store->with(
                    [&](ResultStore& store) { store.setState(network.id, EvaluationState::Finished); });
    }

    void finishEarly(EvaluationState state)
    {
        for (const Network& network : m_networks)
            finishEarly(network, state);
    }

    /// Best effort: the error that ended the evaluation is reported, not one of this function.
    void finishEarly(const Network& network, EvaluationState state)
    {
        if (!m_processes.isFirst())
            return;
        try {
            network.store->with([&](ResultStore& store) { store.setState(network.id, state); });
        } catch (const std::exception&) {
            // The owner's heartbeat becomes stale when this process ends.
        }
    }

    EvaluationObserver m_silent;  // with several processes only the first reports
    EvaluationObserver& m_observer;
    Collective& m_processes;
    std::stop_token m_stop;
    std::vector<EvaluatedNetwork> m_outcomes;  // of all requests
    std::vector<Network> m_networks;
    NetworkRuns m_network;  // of all networks
    PipelineMeter m_meter{1};
    std::vector<StoredRun> m_runs;   // in the first process
    std::vector<int64_t> m_pending;  // batches that a network has not stored, in the order of their prediction
    int64_t m_left = 0;              // of them
    std::vector<std::vector<std::string>> m_notes;  // of each run before the first batch
    std::vector<std::vector<Remark>> m_remarks;     // of each run
    bool m_remarked = false;                        // since the last time that the runs were stored
    EvaluationProgress m_progress;
};

}

std::vector<EvaluatedNetwork> evaluate(const std::vector<NetworkRequest>& networks, EvaluationObserver& observer,
                                       std::stop_token stop)
{
    const c10::InferenceMode guard;
    const auto processes = startProcesses();
    try {
        return Evaluation(networks, observer, *processes, std::move(stop)).run();
    } catch (const Cancelled&) {
        throw;  // all processes were cancelled together
    } catch (...) {
        processes->fail();
        throw;
    }
}

int64_t evaluate(const Classifier& classifier, const EvaluationRequest& request, EvaluationObserver& observer,
                 std::stop_token stop)
{
    const std::vector<NetworkRequest> only{{onlyNetwork(classifier).front().classifier, request}};
    return evaluate(only, observer, std::move(stop)).front().evaluation;
}

}
