#include "core/run/input_run.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/device/torch_problem.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace attnscope {

namespace {

void nameLayers(const std::vector<std::string>& names, ApproximationError& error)
{
    for (LayerError& layer : error.layers)
        if (size_t(layer.layer) < names.size())
            layer.name = names[size_t(layer.layer)];
}

/// Whether what is measured is exact attention itself in a network that differs otherwise: an error of 0 would say that nothing was lost.
bool isExactElsewhere(const PreparedAttention& prepared)
{
    if (isAttentionAlone(prepared.resolved.canonical()))
        return false;
    for (int64_t layer = 0; layer < std::ssize(prepared.layers); ++layer)
        if (!(prepared.resolved.layer(layer).definition() == prepared.exact.layer(layer).definition()))
            return false;
    return true;
}

/// Whether the outputs of blocks can be compared number by number.
bool haveSameBlocks(const ModelSummary& a, const ModelSummary& b)
{
    return a.family == b.family && a.layers == b.layers && a.width == b.width && a.tokens == b.tokens
           && a.layerNames == b.layerNames && a.input == b.input;
}

/// What a column in another network is compared with; `heads`: of the first network.
std::string againstNote(const EndToEnd& result, const std::vector<int64_t>& heads)
{
    std::string reference = "compared end to end with exact attention in " + printable(result.against);
    if (!result.hasClasses)
        return reference;
    if (result.matchedClasses == 0)
        return reference + "; no class has the name of one there, so predictions are not compared";
    const int64_t all = std::accumulate(heads.begin(), heads.end(), int64_t{0});
    return result.matchedClasses == all
               ? reference
               : reference + ", over the " + counted(result.matchedClasses, "class", "classes")
                     + " that both have";
}

}

InputRun::InputRun(const std::vector<ComparedNetwork>& networks, const RunRequest& request, RunObserver& observer,
                   std::stop_token stop, size_t index, std::optional<PassRecorder> recorder)
    : m_request(request)
    , m_observer(observer)
    , m_stop(std::move(stop))
    , m_index(index)
    , m_alternatives(request.attention.size())
    , m_recorder(request.recordPasses ? recorder.value_or(passRecorder(networks.front().classifier->device()))
                                      : PassRecorder())
{
    for (const ComparedNetwork& network : networks) {
        Place& place = m_places.emplace_back();
        place.network = &network;
        if (network.classifier != nullptr)
            place.heads = headsOf(network.classifier->describe());
    }
    for (size_t run = 0; run < m_alternatives.size(); ++run) {
        const ComparedNetwork* own = networkOf(request.attention[run], networks);
        m_alternatives[run].network = own == nullptr ? networks.size() : size_t(own - networks.data());
    }
}

bool InputRun::guarded(size_t run, InputRecord& record, RunStage stage, const Work& work)
{
    RunRecord& target = record.runs[run];
    const std::string failure = failureOf(target.attention,
                                          "choose a smaller input, or an attention with linear memory",
                                          [&] { work(run, target); });
    if (failure.empty())
        return true;
    target.failure = failure;
    m_observer.onRun(m_index, run, stage, target);
    return false;
}

void InputRun::forEachBackend(InputRecord& record, RunStage stage, const Work& work)
{
    for (size_t run = 0; run < record.runs.size(); ++run) {
        checkStop(m_stop);
        if (!record.runs[run].failure.empty())
            continue;
        m_observer.onProgress(m_index, run, stage, {record.runs[run].attention, 0, 1});
        if (guarded(run, record, stage, work))
            m_observer.onRun(m_index, run, stage, record.runs[run]);
    }
}

void InputRun::prepare(const std::vector<InputViews>& views, InputRecord& record)
{
    for (size_t run = 0; run < record.runs.size(); ++run) {
        guarded(run, record, RunStage::Predict, [&](size_t i, RunRecord& target) {
            if (m_alternatives[i].network == m_places.size())
                throw UsageError(target.attention,
                                 "the network that it names is not among those of this comparison",
                                 "leave out `;dtype=` and `;checkpoint=`, or give that network");
            target.checkpoint = placeOf(i).network->source;
            if (const std::string& failure = views[m_alternatives[i].network].failure; !failure.empty())
                throw Unsupported(target.attention, failure);
            const AttentionSpec& column = m_request.attention[i];
            PreparedAttention prepared = classifierOf(i).prepare(column.inNetwork(), m_request.seed);
            target.resolved = prepared.resolved.inNetworkOf(column).canonical();
            target.backend = prepared.resolved.backend();
            target.weights = prepared.weights;
            target.notes = prepared.notes;
            target.macs = classifierOf(i).multiplyAdds(prepared);
            m_alternatives[i].prepared = std::move(prepared);
        });
    }
}

void InputRun::measure(const std::vector<InputViews>& views, InputRecord& record)
{
    prepare(views, record);
    for (const RunStage stage : stageOrder(m_request, m_places.front().network->classifier->describe())) {
        if (stage == RunStage::Predict)
            predictViews(views, record);
        else if (stage == RunStage::Latency && m_request.latency)
            measureLatency(record);
        else if (stage == RunStage::Memory && m_request.memory)
            forEachBackend(record, stage, [&](size_t run, RunRecord& target) { measureMemory(run, target); });
        else if (stage == RunStage::Error && m_request.error) {
            forEachBackend(record, stage, [&](size_t run, RunRecord& target) { measureError(run, target); });
            for (Place& place : m_places)
                place.references.clear();  // their memory must not count towards the passes that follow
        }
    }
}

/// View by view and not backend by backend, so that only one view is in memory, and a video that must be decoded again is decoded once for
/// all.
void InputRun::predictViews(const std::vector<InputViews>& views, InputRecord& record)
{
    const size_t count = views.front().count;
    for (size_t view = 0; view < count; ++view) {
        std::vector<NetworkInput> inputs(m_places.size());
        inputs.front() = views.front().load(view);  // columns of other networks are compared with this one's
        for (size_t run = 0; run < record.runs.size(); ++run) {
            checkStop(m_stop);
            if (!record.runs[run].failure.empty())
                continue;
            m_observer.onProgress(m_index, run, RunStage::Predict,
                                  {record.runs[run].attention, int64_t(view), int64_t(count)});
            const size_t place = m_alternatives[run].network;
            const bool done = guarded(run, record, RunStage::Predict, [&](size_t i, RunRecord& target) {
                if (!inputs[place].values.defined())
                    inputs[place] = views[place].load(view);
                predict(i, inputs[place], views[place], target);
            });
            if (done && !record.views.empty())
                m_observer.onView(m_index, run, view, record.runs[run]);
            if (done && view + 1 == count)
                m_observer.onRun(m_index, run, RunStage::Predict, record.runs[run]);
        }
        if (view != views.front().measured)
            continue;
        for (size_t place = 0; place < m_places.size(); ++place)
            m_places[place].input = inputs[place];
    }
    for (Alternative& alternative : m_alternatives)
        if (alternative.prepared)
            alternative.prepared->drawFor(m_places[alternative.network].input.samples);
}

void InputRun::predict(size_t run, const NetworkInput& input, const InputViews& views, RunRecord& record)
{
    Alternative& alternative = m_alternatives[run];
    LayerVisitor observer(m_stop, [&](int64_t layer, const AttentionInput& in, const at::Tensor&) {
        const auto index = size_t(layer);
        if (index >= alternative.prepared->layers.size())
            return;
        const Cancellation own = alternative.prepared->layers[index]->cancellation(
            in, *alternative.prepared->noise[index]);
        alternative.cancellation.denominators += own.denominators;
        alternative.cancellation.cancelled += own.cancelled;
        alternative.allowed += alternative.prepared->layers[index]->allowedPairs(
            in, *alternative.prepared->noise[index]);
    });
    if (record.views.size() == views.measured && alternative.prepared->merging.merges()) {
        record.merged.emplace();
        observer.whenMerged([&](int64_t, const TokenMerger& merger) { take(merger, *record.merged); });
    }
    alternative.prepared->drawFor(input.samples);
    const auto output = [&] {
        const CountFallbacks counting(alternative.fallbacks);
        return classifierOf(run).logits(input.values, *alternative.prepared, &observer);
    }();
    ViewPrediction view;
    if (!placeOf(run).heads.empty())
        predictClasses(run, output[0].cpu(), record, view);
    if (m_request.features)
        addFeatures(run, input, output, record);
    if (views.count == 1)
        record.logits = view.logits;
    record.views.push_back(std::move(view));
    if (record.views.size() == views.count) {
        reportLeftOut(alternative.mean, "logits", ", so no class is predicted", record);
        reportLeftOut(alternative.features, "features", "", record);
        reportCancelled(alternative.cancellation, record);
        reportEmptyRows(alternative.allowed, record);
        alternative.fallbacks.addTo(record.notes);
    }
}

void InputRun::predictClasses(size_t run, const at::Tensor& logits, RunRecord& record, ViewPrediction& view)
{
    Alternative& alternative = m_alternatives[run];
    const std::vector<int64_t>& heads = placeOf(run).heads;
    if (m_request.keepLogits)
        view.logits = floatsOf(logits);
    if (!isFinite(logits)) {
        alternative.mean.leaveOut();
        return;
    }
    const auto probabilities = probabilitiesOf(logits, heads);
    view.top = topClasses(probabilities, m_request.topK, heads, labelsFor(run, record));
    view.probabilities = floatsOf(probabilities);
    alternative.mean.add(probabilities);
    record.top = topClasses(alternative.mean.mean(), m_request.topK, heads, labelsFor(run, record));
}

/// In a pass of their own, unless they are the output: one whose tokens are observed differs by rounding, and classes must not depend on it.
void InputRun::addFeatures(size_t run, const NetworkInput& input, const at::Tensor& output, RunRecord& record)
{
    Alternative& alternative = m_alternatives[run];
    const bool isOutput = placeOf(run).heads.empty() && *m_request.features == FeatureKind::Pooled;
    const auto features =
        isOutput
            ? output
            : readFeatures(classifierOf(run), *alternative.prepared, input.values, m_stop).of(*m_request.features);
    const auto row = features[0].to(at::kCPU, at::kDouble);
    if (isFinite(row))
        alternative.features.add(row);
    else
        alternative.features.leaveOut();
    const auto mean = alternative.features.counted() > 0 ? alternative.features.mean() : row;
    record.features = Features{toText(*m_request.features), floatsOf(mean), mean.norm().item<double>()};
}

void InputRun::reportLeftOut(const ViewMean& mean, const std::string& what, const std::string& consequence,
                             RunRecord& record)
{
    if (mean.leftOut() == 0)
        return;
    if (mean.counted() == 0)
        record.notes.push_back("the " + what + " are not finite" + consequence);
    else
        record.notes.push_back("the " + what + " of " + std::to_string(mean.leftOut()) + " of "
                               + counted(mean.leftOut() + mean.counted(), "view")
                               + nounFor(mean.leftOut(), " is not finite and is", " are not finite and are")
                               + " excluded from the "
                                 "mean");
}

void InputRun::reportCancelled(const Cancellation& cancellation, RunRecord& record)
{
    if (cancellation.cancelled > 0)
        record.notes.push_back(
            formatCount(cancellation.cancelled) + " of " + formatCount(cancellation.denominators)
            + " denominators nearly cancel (they are below a thousandth of their terms), so rounding dominates "
              "and other kernels or devices may predict differently");
}

void InputRun::reportEmptyRows(const AllowedPairs& allowed, RunRecord& record)
{
    record.emptyRows = allowed.emptyFraction();
    if (allowed.emptyRows > 0)
        record.notes.push_back(allowed.emptyRowsNote());
}

std::vector<std::string> InputRun::labelsFor(size_t run, const RunRecord& record) const
{
    return record.weights == WeightsKind::Untrained ? std::vector<std::string>{} : classifierOf(run).labels();
}

void InputRun::timePass(size_t run, TimingSamples& timings)
{
    checkStop(m_stop);
    if (const auto& recorded = m_alternatives[run].recorded) {
        const CudaGraphPass::PassTiming timing = recorded->run();
        timings.totalMs.push_back(timing.totalMs);
        timings.attentionMs.push_back(timing.attentionMs);
        return;
    }
    const Classifier& classifier = classifierOf(run);
    SectionTimer timer(classifier.device()), attention(classifier.device());
    LayerVisitor observer(
        m_stop, [&](auto&&...) { attention.end(); }, [&](int64_t) { attention.begin(); });
    timer.begin();
    classifier.logits(placeOf(run).input.values, *m_alternatives[run].prepared, &observer);
    timer.end();
    timings.totalMs.push_back(timer.take());
    timings.attentionMs.push_back(attention.take());
}

void InputRun::recordPass(size_t run, RunRecord& record)
{
    Recording recording = recorded(m_recorder, classifierOf(run), *m_alternatives[run].prepared,
                                   placeOf(run).input.values, m_stop);
    m_alternatives[run].recorded = std::move(recording.pass);
    record.notes.push_back(std::move(recording.note));
}

std::vector<int64_t> InputRun::warmUp(std::vector<size_t>& turn, InputRecord& record)
{
    constexpr int passes = 2;
    std::vector<int64_t> turns(record.runs.size(), 1);
    if (m_recorder)
        for (const size_t run : turn)
            guarded(run, record, RunStage::Latency, [&](size_t i, RunRecord& target) { recordPass(i, target); });
    for (int pass = 0; pass < passes; ++pass) {
        for (const size_t run : turn) {
            m_observer.onProgress(m_index, run, RunStage::Latency,
                                  {record.runs[run].attention, 0, m_request.minimumRepetitions});
            TimingSamples timings;
            if (record.runs[run].failure.empty()
                && guarded(run, record, RunStage::Latency, [&](size_t i, RunRecord&) { timePass(i, timings); }))
                turns[run] = timingsPerRound(timings.totalMs.back(), m_request.minimumRepetitions,
                                             m_request.minimumSeconds);
        }
    }
    std::erase_if(turn, [&](size_t run) { return !record.runs[run].failure.empty(); });
    return turns;
}

void InputRun::measureLatency(InputRecord& record)
{
    std::vector<size_t> turn;
    for (size_t run = 0; run < record.runs.size(); ++run)
        if (record.runs[run].failure.empty())
            turn.push_back(run);
    const std::vector<int64_t> turns = warmUp(turn, record);
    std::vector<TimingSamples> timings(record.runs.size());
    const int64_t session = int64_t{std::random_device{}()} + 1;
    std::minstd_rand order(1);
    const int64_t throttled = timesThrottled();
    const auto takeTurn = [&](size_t run) {
        guarded(run, record, RunStage::Latency, [&](size_t i, RunRecord&) {
            for (int64_t n = 0; n < turns[i]; ++n)
                timePass(i, timings[i]);
            timings[i].endRound();
        });
        const auto done = int64_t(timings[run].totalMs.size());
        m_observer.onProgress(
            m_index, run, RunStage::Latency,
            {record.runs[run].attention, done, std::max(done, turns[run] * m_request.minimumRepetitions)});
    };
    takeTurns(turn, order, takeTurn, [&](size_t run) {
        return !record.runs[run].failure.empty()
               || timings[run].enough(m_request.minimumRepetitions, m_request.minimumSeconds);
    });
    for (Alternative& alternative : m_alternatives)
        alternative.recorded.reset();  // its memory must not count towards the pass
    for (size_t run = 0; run < record.runs.size(); ++run) {
        if (timings[run].totalMs.empty() || !record.runs[run].failure.empty())
            continue;
        record.runs[run].latency = timings[run].summary();
        noteThrottling(throttled, record.runs[run].notes);
        record.runs[run].latency->session = session;
        m_observer.onRun(m_index, run, RunStage::Latency, record.runs[run]);
    }
}

void InputRun::measureMemory(size_t run, RunRecord& record)
{
    const Classifier& classifier = classifierOf(run);
    AllocationMeter meter(classifier.device());
    int64_t attentionPeak = 0;
    LayerVisitor observer(
        m_stop, [&](auto&&...) { attentionPeak = std::max(attentionPeak, meter.sectionPeak()); },
        [&](int64_t) { meter.beginSection(); });
    classifier.logits(placeOf(run).input.values, *m_alternatives[run].prepared, &observer);
    record.memory = Memory{meter.peak(), classifier.weightBytes(*m_alternatives[run].prepared), attentionPeak};
}

const InputRun::Reference& InputRun::referenceFor(Place& place, const PreparedAttention& prepared)
{
    const std::string& name = prepared.exact.canonical();
    const auto found = place.references.find(name);
    if (found != place.references.end())
        return found->second;
    const Classifier& classifier = *place.network->classifier;
    Reference reference;
    reference.prepared = classifier.prepare(prepared.exact, m_request.seed);
    reference.prepared.drawFor(place.input.samples);
    FeatureObserver observer(m_stop, nullptr);
    reference.logits = classifier.logits(place.input.values, reference.prepared, &observer);
    reference.blocks = observer.blocks();
    if (m_request.features)
        reference.features = exactFeatures(observer.features(classifier, place.input.values, reference.logits),
                                           m_request.patchColours);
    return place.references.emplace(name, std::move(reference)).first->second;
}

const InputRun::Reference& InputRun::firstReference()
{
    Place& first = m_places.front();
    return referenceFor(first, first.network->classifier->prepare(AttentionSpec::reference(), m_request.seed));
}

void InputRun::measureError(size_t run, RunRecord& record)
{
    const auto seeds = m_alternatives[run].prepared->overSeeds(std::max<int64_t>(m_request.seeds, 1));
    if (isExactElsewhere(seeds.front()))
        record.notes.emplace_back(exactAttentionNote);
    else
        measureErrorOfAttention(run, seeds, record);
    measureEndToEnd(run, seeds, record);
}

void InputRun::measureErrorOfAttention(size_t run, const std::vector<PreparedAttention>& seeds, RunRecord& record)
{
    Place& place = m_places[m_alternatives[run].network];
    ErrorCollector errors(int64_t(seeds.front().layers.size()), int64_t(seeds.size()),
                          seeds.front().deterministic);
    FallbackTally
        fallbacks;  // with other seeds, and on exact attention's own q, k and v, others may happen than in the prediction
    LayerVisitor observer(m_stop, [&](int64_t layer, const AttentionInput& in, const at::Tensor& output) {
        const auto index = size_t(layer);
        errors.addBaselines(layer, in.v, output);
        for (size_t seed = 0; seed < seeds.size(); ++seed) {
            checkStop(m_stop);
            const CountFallbacks counting(fallbacks);
            const auto out = seeds[seed].layers[index]->attend(in, *seeds[seed].noise[index]);
            errors.add(layer, int64_t(seed), out, output, in.tokens.prefix);
        }
    });
    classifierOf(run).logits(place.input.values, referenceFor(place, seeds.front()).prepared, &observer);
    record.error = errors.result();
    fallbacks.addTo(record.notes);
    record.error->exact = seeds.front().exactMeaning;
    nameLayers(classifierOf(run).describe().layerNames, *record.error);
    if (record.error->notFinite > 0)
        record.notes.push_back(std::to_string(record.error->notFinite)
                               + " of the head errors are not finite and are excluded from the means");
}

void InputRun::measureEndToEnd(size_t run, const std::vector<PreparedAttention>& seeds, RunRecord& record)
{
    Place &place = m_places[m_alternatives[run].network], &first = m_places.front();
    const bool isElsewhere = &place != &first;
    const Reference& exact = isElsewhere ? firstReference() : referenceFor(place, seeds.front());
    const ComparedClasses classes = isElsewhere ? ComparedClasses(place.heads, place.network->sameClasses)
                                                : ComparedClasses(place.heads);
    const std::vector<at::Tensor> none;
    const auto& blocksOfExact =
        isElsewhere && !haveSameBlocks(first.network->classifier->describe(), classifierOf(run).describe())
            ? none
            : exact.blocks;
    EndToEnd result;
    const auto count = double(seeds.size());
    result.hasClasses = !place.heads.empty() && !first.heads.empty();
    result.drift.assign(blocksOfExact.size(), 0.0);
    if (isElsewhere) {
        result.against = first.network->source.path;
        result.matchedClasses = classes.count();
        record.notes.push_back(againstNote(result, first.heads));
    }
    std::optional<FeatureDriftCollector> features;
    if (exact.features)
        features.emplace(*exact.features, *m_request.features, isElsewhere);
    for (size_t seed = 0; seed < seeds.size(); ++seed) {
        FeatureObserver blocks(m_stop, &blocksOfExact, features ? &blocksOfExact : nullptr);
        const auto logits = classifierOf(run).logits(place.input.values, seeds[seed], &blocks);
        if (features)
            features->add(blocks.features(classifierOf(run), place.input.values, logits), blocks.tokenCosines());
        const bool agrees = classes.agree(exact.logits, logits);
        result.kl += classes.divergence(exact.logits, logits) / count;
        result.top1Agreement += agrees ? 1 / count : 0;
        if (seed == 0)
            result.top1Agrees = agrees;
        for (size_t i = 0; i < blocks.drift().size(); ++i)
            result.drift[i] += blocks.drift()[i] / count;
    }
    record.endToEnd = result;
    if (features)
        record.featureDrift = features->result();
    if (!isFinite(exact.logits))
        record.notes.push_back(std::string("the ") + (first.heads.empty() ? "features" : "logits")
                               + " of exact attention are not finite, so there is nothing to compare with");
}

}
