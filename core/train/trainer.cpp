#include "core/train/trainer.h"

#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/run/predictions.h"
#include "core/train/sample_order.h"
#include "core/train/soft_targets.h"
#include "core/train/stochastic_depth.h"
#include "core/train/throughput.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// A seed for the random numbers shared by all samples of a step (Performer's ω): different in each step (App. G.1).
uint64_t stepSeed(uint64_t seed, uint64_t step)
{
    uint64_t x = seed + 0x9e3779b97f4a7c15ULL * (step + 1);  // SplitMix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// Linear layers and convolutions in bfloat16 during its lifetime, if enabled. No loss scaling is needed: bfloat16 has float32's range.
class Autocast {
public:
    Autocast(at::Device device, bool on)
        : m_device(device.type())
        , m_on(on)
        , m_was(at::autocast::is_autocast_enabled(m_device))
    {
        if (!m_on)
            return;
        at::autocast::set_autocast_dtype(m_device, at::kBFloat16);
        at::autocast::set_autocast_enabled(m_device, true);
    }
    ~Autocast()
    {
        if (!m_on)
            return;
        at::autocast::set_autocast_enabled(m_device, m_was);
        at::autocast::clear_cache();
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    at::DeviceType m_device;
    bool m_on, m_was;
};

/// Those that the plan may update at all.
std::vector<NamedWeight> updated(std::vector<NamedWeight> weights, const TrainingPlan& plan)
{
    std::erase_if(weights, [&](const NamedWeight& weight) { return plan.exits && !weight.ofExit; });
    return weights;
}

std::vector<uint64_t> identities(const std::vector<int64_t>& samples)
{
    return {samples.begin(), samples.end()};
}

}

std::vector<int64_t> TrainingData::labelsOf(const std::vector<int64_t>& samples) const
{
    std::vector<int64_t> chosen;
    for (const int64_t sample : samples)
        chosen.push_back(labels[size_t(sample)]);
    return chosen;
}

at::Tensor tensorOf(LoadedBatch& batch, const Classifier& network)
{
    return at::from_blob(batch.input.values.data(), batch.input.shape, at::kFloat)
        .to(network.device(), network.dtype());
}

void setTraining(PreparedAttention& attention, bool on)
{
    for (const auto& layer : attention.layers)
        layer->train(on);
}

struct Trainer::StepResult {
    double loss = 0;  ///< mean over the step's samples
    double gradientNorm = 0, learningRate = 0;
    double waited = 0;  ///< seconds waiting for a batch
    int64_t samples = 0;
};

Trainer::Trainer(TrainingParts parts, TrainingObserver& observer)
    : m_parts(std::move(parts))
    , m_observer(observer)
    , m_weights(m_parts.student->weights())
    , m_optimizer(updated(m_weights, m_parts.plan), m_parts.plan.optimizer)
    , m_attention(m_parts.student->prepare(m_parts.attention, m_parts.plan.seed))
{
    setTraining(m_attention, !m_parts.plan.exits);  // a network that stays as it is works as it does in use
    m_stepsPerEpoch = batchesOf(m_parts.training.size(), m_parts.plan.batch * m_parts.plan.accumulate);
    chooseTrained(1);
    if (m_parts.teacher && m_parts.plan.distillation.parameterEpochs > 0 && trainedParameters() == 0)
        throw UsageError("", m_parts.attention.canonical() + " has no parameters of its own to train first",
                         "leave --parameter-epochs at 0, or add maps with --landmark-map light");
    if (m_parts.average) {
        const at::NoGradGuard guard;
        const auto average = m_parts.average->weights();
        for (size_t i = 0; i < average.size(); ++i)
            if (average[i].value.defined())
                average[i].value.copy_(m_weights[i].value);
    }
}

int64_t Trainer::workers() const
{
    const int64_t requested = m_parts.plan.workers;
    return requested > 0 ? requested : usableProcessors();
}

/// Selects the weights to update in this epoch.
void Trainer::chooseTrained(int64_t epoch)
{
    for (const NamedWeight& weight : m_weights)
        if (weight.value.defined())
            weight.value.requires_grad_(m_parts.plan.exits ? weight.ofExit
                                                           : !trainsParametersOnly(epoch) || weight.ofAttention);
}

int64_t Trainer::trainedParameters() const
{
    int64_t count = 0;
    for (const NamedWeight& weight : m_weights)
        if (weight.value.defined() && weight.value.requires_grad())
            count += weight.value.numel();
    return count;
}

BatchLoader::Plan Trainer::loaderPlan(int64_t epoch) const
{
    const TrainingPlan& plan = m_parts.plan;
    const auto order = epochOrder(m_parts.training.size(), plan.seed, uint64_t(epoch));
    BatchLoader::Plan loader;
    for (int64_t step = 0; step < m_stepsPerEpoch; ++step) {
        const auto samples = batchPart(order, plan.batch * plan.accumulate, step, m_parts.processes->rank(),
                                       m_parts.processes->size());
        for (int64_t part = 0; part < plan.accumulate; ++part)
            loader.batches.push_back(batchPart(samples, int64_t(samples.size()), 0, part, plan.accumulate));
    }
    loader.epoch = uint64_t(epoch);
    loader.workers = workers();
    loader.makeLoader = m_parts.training.makeLoader;
    return loader;
}

EpochRecord Trainer::runEpoch(int64_t epoch, std::stop_token stop)
{
    chooseTrained(epoch);
    const int64_t epochs = m_parts.plan.epochs, total = epochs * m_stepsPerEpoch;
    m_updates = (epoch - 1) * m_stepsPerEpoch;
    EpochRecord record{.epoch = epoch};
    double lossSum = 0;
    Throughput throughput(m_parts.plan.batch * m_parts.plan.accumulate);
    BatchLoader loader(loaderPlan(epoch));
    for (int64_t step = 1; step <= m_stepsPerEpoch; ++step) {
        checkStop(stop);
        const StepResult result = runStep(loader, epoch, step, within(stop));
        throughput.add(result.waited);
        lossSum += result.loss;
        record.samples += result.samples;
        record.learningRate = result.learningRate;
        m_observer.onStep({.epoch = epoch,
                           .step = step,
                           .steps = m_stepsPerEpoch,
                           .total = total,
                           .done = m_updates,
                           .loss = result.loss,
                           .meanLoss = lossSum / double(step),
                           .gradientNorm = result.gradientNorm,
                           .learningRate = result.learningRate,
                           .samplesPerSecond = throughput.samplesPerSecond(),
                           .waiting = throughput.waiting(),
                           .secondsLeft = throughput.secondsFor(total - m_updates)});
        throughput.goOn();
    }
    requireFiniteWeights("after epoch " + std::to_string(epoch),
                         "start again with a smaller --lr or --clip; the checkpoints of earlier epochs are kept");
    record.trainingLoss = lossSum / double(std::max<int64_t>(m_stepsPerEpoch, 1));
    record.seconds = throughput.seconds();
    if (!m_parts.validation)
        return record;
    record.validation = validated(*m_parts.student, epoch, stop);
    record.averageName = "weights";
    if (m_parts.average) {
        record.averageValidation = validated(*m_parts.average, epoch, stop);
        record.averageName = "average";
    }
    return record;
}

Trainer::StepResult Trainer::runStep(BatchLoader& loader, int64_t epoch, int64_t step, std::stop_token stop)
{
    const TrainingPlan& plan = m_parts.plan;
    const auto expected = double(std::min(plan.batch * plan.accumulate, m_parts.training.size()));
    StepResult result;
    m_optimizer.clearGradients();
    std::vector<double> sums{0, 0};  // loss, samples
    for (int64_t part = 0; part < plan.accumulate; ++part) {
        const auto begin = std::chrono::steady_clock::now();
        auto batch = loader.next(stop);
        result.waited += secondsSince(begin);
        noteUnreadable(m_parts.training, *batch);
        if (batch->samples.empty())
            continue;
        const at::Tensor loss = lossOf(*batch, epoch, uint64_t(m_updates), stop);
        (loss / expected).backward();
        sums[0] += loss.item<double>();
        sums[1] += double(batch->samples.size());
    }
    m_parts.processes->sum(sums);
    result.loss = sums[1] > 0 ? sums[0] / sums[1] : 0;
    result.samples = int64_t(sums[1]);
    if (!std::isfinite(result.loss) && m_updates == 0)
        requireFiniteWeights("at the start of training", "give other weights with --init");
    if (!std::isfinite(result.loss))
        throw Error("training",
                    "the loss of step " + std::to_string(step) + " in epoch " + std::to_string(epoch)
                        + " is not a finite number",
                    "start again with a smaller --lr or --clip; the checkpoints of earlier epochs are kept");
    exchangeGradients();
    result.gradientNorm = clipGradients(m_weights, plan.optimizer.clip);
    const double at = double(m_updates) / double(m_stepsPerEpoch);
    result.learningRate = learningRateAt(plan.optimizer, at, double(plan.epochs));
    m_optimizer.step(result.learningRate);
    ++m_updates;
    followAverage();
    return result;
}

at::Tensor Trainer::lossOf(LoadedBatch& batch, int64_t epoch, uint64_t step, std::stop_token stop)
{
    const TrainingPlan& plan = m_parts.plan;
    const int64_t classes = m_parts.student->describe().classes;
    MixedBatch mixed{at::from_blob(batch.input.values.data(), batch.input.shape, at::kFloat),
                     smoothedTargets(m_parts.training.labelsOf(batch.samples), classes, plan.labelSmoothing)};
    mixPairs(mixed, batch.samples, plan.augment, plan.seed, static_cast<uint64_t>(epoch));
    const auto input = mixed.input.to(m_parts.student->device(), m_parts.student->dtype());
    const auto targets = mixed.targets.to(m_parts.student->device());
    drawNoise(step, batch.samples);
    const StochasticDepth depth(plan.dropPath, m_parts.student->describe().layers, plan.seed, step,
                                identities(batch.samples));
    const Autocast autocast(m_parts.student->device(), plan.mixedPrecision);
    if (plan.exits)
        return exitLoss(input, targets, stop);
    if (m_parts.teacher)
        return distilledLoss(input, targets, depth, trainsParametersOnly(epoch), stop);
    StoppableObserver observer(stop);
    return softCrossEntropy(m_parts.student->trainingLogits(input, m_attention, &observer, &depth), targets);
}

at::Tensor Trainer::distilledLoss(const at::Tensor& input, const at::Tensor& targets, const StochasticDepth& depth,
                                  bool parametersOnly, std::stop_token stop)
{
    const DistillationPlan& plan = m_parts.plan.distillation;
    const TeacherView view = viewOf(*m_parts.teacher, input, stop);
    if (!isFinite(view.logits))
        throw Error("training", "the teacher's logits are not finite, so nothing can be learned from it",
                    "choose another teacher");
    if (parametersOnly)
        return attentionMatching(attendAsTeacher(view, m_attention), view.outputs, plan.layerWeights);
    AttentionRecorder recorder(stop);
    const auto logits = m_parts.student->trainingLogits(input, m_attention, &recorder, &depth);
    at::Tensor loss = at::zeros({}, logits.options());
    if (plan.labelWeight > 0)
        loss = loss + softCrossEntropy(logits, targets) * plan.labelWeight;
    if (plan.logitWeight > 0)
        loss = loss + predictionMatching(logits, view.logits, plan.temperature) * plan.logitWeight;
    if (plan.attentionWeight > 0)
        loss = loss + attentionMatching(recorder.outputs, view.outputs, plan.layerWeights) * plan.attentionWeight;
    return loss;
}

/// The mean over the exits: all but the last block's, which is the network's own prediction.
at::Tensor Trainer::exitLoss(const at::Tensor& input, const at::Tensor& targets, std::stop_token stop) const
{
    ExitObserver observer(std::move(stop), *m_parts.student);
    at::Tensor loss = at::zeros({}, input.options().dtype(at::kFloat));
    (void)m_parts.student->logits(input, m_attention, &observer);
    const size_t exits = observer.logits().size() - 1;
    for (size_t i = 0; i < exits; ++i)
        loss = loss + softCrossEntropy(observer.logits()[i], targets) / double(exits);
    return loss;
}

void Trainer::drawNoise(uint64_t step, const std::vector<int64_t>& samples)
{
    const uint64_t seed = stepSeed(m_parts.plan.seed, step);
    for (size_t layer = 0; layer < m_attention.noise.size(); ++layer)
        m_attention.noise[layer] = std::make_shared<SeededNoise>(seed, int64_t(layer), identities(samples));
    if (m_parts.teacher)
        m_parts.teacher->attention.drawFor(identities(samples));
}

void Trainer::checkStop(const std::stop_token& stop) const
{
    if (m_parts.processes->any(stop.stop_requested()))
        throw Cancelled();
}

std::stop_token Trainer::within(const std::stop_token& stop) const
{
    return m_parts.processes->size() == 1 ? stop : std::stop_token();
}

ValidationResult Trainer::validated(const TrainableClassifier& network, int64_t epoch, std::stop_token stop) const
{
    const ValidationResult result = validate(network, network.prepare(m_parts.attention, m_parts.plan.seed), epoch,
                                             std::move(stop));
    if (!std::isfinite(result.loss))
        throw Error("training",
                    "the validation loss after epoch " + std::to_string(epoch) + " is not a finite number",
                    "start again with a smaller --lr or --clip; the checkpoints of earlier epochs are kept");
    return result;
}

/// The last step of an epoch may have produced weights that no loss has been computed with yet.
void Trainer::requireFiniteWeights(const std::string& when, const std::string& remedy) const
{
    for (const NamedWeight& weight : m_weights)
        if (weight.value.defined() && !weight.value.detach().isfinite().all().item<bool>())
            throw Error("training", "`" + weight.name + "` holds values that are not finite " + when, remedy);
}

void Trainer::exchangeGradients()
{
    if (m_parts.processes->size() == 1)
        return;
    std::vector<at::Tensor> moving, gradients;
    std::vector<double> have;
    for (const NamedWeight& weight : m_weights)
        if (weight.value.defined() && weight.value.requires_grad()) {
            moving.push_back(weight.value);
            have.push_back(weight.value.grad().defined() ? 1 : 0);
        }
    // An unused weight has no gradient in any process and is not updated; one that is unused only in this part of the batch takes part.
    m_parts.processes->sum(have);
    for (size_t i = 0; i < moving.size(); ++i) {
        if (have[i] == 0)
            continue;
        if (!moving[i].grad().defined())
            moving[i].mutable_grad() = at::zeros_like(moving[i].detach());
        gradients.push_back(moving[i].grad());
    }
    m_parts.processes->sum(gradients);
}

void Trainer::followAverage()
{
    if (!m_parts.average)
        return;
    const at::NoGradGuard guard;
    // Initially the average follows quickly, as in TensorFlow's ExponentialMovingAverage(num_updates).
    const auto updates = double(m_updates);
    const double decay = std::min(m_parts.plan.average, (1 + updates) / (10 + updates));
    const auto average = m_parts.average->weights();
    for (size_t i = 0; i < average.size(); ++i)
        if (average[i].value.defined())
            average[i].value.lerp_(m_weights[i].value, 1 - decay);
}

void Trainer::noteUnreadable(const TrainingData& data, const LoadedBatch& batch) const
{
    for (const auto& sample : batch.unreadable)
        m_observer.onMessage(sample.reason.empty() ? data.names[size_t(sample.sample)] : sample.reason);
}

std::map<std::string, at::Tensor> Trainer::state() const
{
    std::map<std::string, at::Tensor> state = m_optimizer.state();
    const auto add = [&](const std::string& prefix, const std::vector<NamedWeight>& weights) {
        for (const NamedWeight& weight : weights)
            if (weight.value.defined())
                state[prefix + weight.name] = weight.value.detach();
    };
    add("weights/", m_weights);
    if (m_parts.average)
        add("average/", m_parts.average->weights());
    return state;
}

void Trainer::restore(const std::map<std::string, at::Tensor>& state, const std::string& subject)
{
    const at::NoGradGuard guard;
    const auto take = [&](const std::string& prefix, const std::vector<NamedWeight>& weights) {
        for (const NamedWeight& weight : weights) {
            if (!weight.value.defined())
                continue;
            const auto found = state.find(prefix + weight.name);
            if (found == state.end() || found->second.sizes() != weight.value.sizes())
                throw FileError(subject, "it has no `" + weight.name + "` of this network's shape",
                                "it belongs to another training run; start over with --overwrite");
            weight.value.copy_(found->second);
        }
    };
    take("weights/", m_weights);
    if (m_parts.average)
        take("average/", m_parts.average->weights());
    m_optimizer.restore(state, subject);
}

}
