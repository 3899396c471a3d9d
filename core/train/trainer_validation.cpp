#include "core/data/preprocess/sample_identity.h"
#include "core/measure/approximation_error.h"
#include "core/run/predictions.h"
#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// Number of samples whose attention is compared with the teacher's; accuracy uses all.
constexpr int64_t comparedSamples = 256;

/// The batches of one process over a set, or over `limit` samples spread evenly over it.
BatchLoader::Plan inOrder(const TrainingData& data, int64_t batch, int64_t workers, int64_t rank, int64_t size,
                          int64_t limit)
{
    BatchLoader::Plan plan;
    const int64_t count = std::min(data.size(), limit);
    for (int64_t begin = 0, index = 0; begin < count; begin += batch, ++index) {
        if (index % size != rank)
            continue;
        auto& samples = plan.batches.emplace_back();
        for (int64_t i = begin; i < std::min(begin + batch, count); ++i)
            samples.push_back(i * data.size() / count);
    }
    plan.workers = workers;
    plan.makeLoader = data.makeLoader;
    return plan;
}

/// Which rows of logits (B,classes) are finite, and so give a prediction → (B).
at::Tensor finiteRows(const at::Tensor& logits)
{
    return logits.isfinite().all(1);
}

/// Adds a batch's predictions to the counts. Ranks like `evaluate`: among equal logits the lower class comes first, and non-finite logits
/// count as wrong.
void count(ValidationResult& result, const at::Tensor& logits, const std::vector<int64_t>& labels)
{
    const auto wanted = at::tensor(labels, at::kLong).to(logits.device()).unsqueeze(1);
    const auto own = logits.gather(1, wanted);
    const auto earlier = at::arange(logits.size(1), wanted.options()).unsqueeze(0) < wanted;
    const auto rank = ((logits > own) | ((logits == own) & earlier)).sum(1);
    const auto finite = finiteRows(logits);
    const auto samples = int64_t(labels.size());
    result.samples += samples;
    result.correct += (finite & (rank < 1)).sum().item<int64_t>();
    result.correct5 += (finite & (rank < 5)).sum().item<int64_t>();
    result.notFinite += samples - finite.sum().item<int64_t>();
    result.loss -= logits.log_softmax(1).gather(1, wanted).sum().item<double>();
}

/// Adds a batch's predictions behind each block. The mean loss of all but the last takes the place of the network's own.
void countExits(ValidationResult& result, const std::vector<at::Tensor>& logits,
                const std::vector<int64_t>& labels)
{
    const double before = result.loss;
    count(result, logits.back(), labels);
    result.loss = before;
    for (size_t i = 0; i < result.exitsCorrect1.size(); ++i) {
        ValidationResult exit;
        count(exit, logits[i], labels);
        result.exitsCorrect1[i] += exit.correct;
        result.loss += exit.loss / double(result.exitsCorrect1.size());
    }
}

/// The number of rows of two batches of logits with the same first class.
int64_t sameFirst(const at::Tensor& a, const at::Tensor& b)
{
    return (finiteRows(a) & finiteRows(b) & (a.argmax(1) == b.argmax(1))).sum().item<int64_t>();
}

void sumOver(Collective& processes, ValidationResult& result)
{
    std::vector<double> sums{double(result.samples),
                             double(result.unreadable),
                             double(result.correct),
                             double(result.correct5),
                             result.loss,
                             double(result.notFinite)};
    sums.insert(sums.end(), result.exitsCorrect1.begin(), result.exitsCorrect1.end());
    processes.sum(sums);
    result.samples = std::llround(sums[0]);
    result.unreadable = std::llround(sums[1]);
    result.correct = std::llround(sums[2]);
    result.correct5 = std::llround(sums[3]);
    result.notFinite = std::llround(sums[5]);
    for (size_t i = 0; i < result.exitsCorrect1.size(); ++i)
        result.exitsCorrect1[i] = std::llround(sums[6 + i]);
    result.loss = result.notFinite > 0 ? std::numeric_limits<double>::quiet_NaN()
                  : result.samples > 0 ? sums[4] / sums[0]
                                       : 0;
}

}

ValidationResult Trainer::validate(const Classifier& network, const PreparedAttention& attention, int64_t epoch,
                                   std::stop_token stop) const
{
    const at::NoGradGuard guard;
    const TrainingData& data = *m_parts.validation;
    Collective& processes = *m_parts.processes;
    ValidationResult result;
    if (m_parts.plan.exits)
        result.exitsCorrect1.resize(network.readableBlocks().size() - 1);
    const int64_t size = processes.size(), part = std::max<int64_t>(m_parts.plan.batch / size, 1);
    BatchLoader loader(inOrder(data, part, workers(), processes.rank(), size, data.size()));
    StoppableObserver observer(within(stop));
    int64_t done = 0;
    PreparedAttention drawn = attention;
    // In step with the other processes, some of which may have one batch less.
    for (int64_t round = 0; round * part * size < data.size(); ++round) {
        checkStop(stop);
        auto batch = loader.next(within(stop));
        if (!batch)
            continue;
        noteUnreadable(data, *batch);
        result.unreadable += int64_t(batch->unreadable.size());
        done += int64_t(batch->unreadable.size() + batch->samples.size());
        if (!batch->samples.empty()) {
            drawn.drawFor(sampleIdentities(batch->input, network.transform()));
            const auto labels = data.labelsOf(batch->samples);
            if (m_parts.plan.exits) {
                ExitObserver exits(within(stop), network);
                (void)network.logits(tensorOf(*batch, network), drawn, &exits);
                countExits(result, exits.logits(), labels);
            } else {
                count(result, network.logits(tensorOf(*batch, network), drawn, &observer), labels);
            }
        }
        m_observer.onValidation({epoch, std::min(done * size, data.size()), data.size()});
    }
    sumOver(processes, result);
    return result;
}

DistillationState Trainer::distillationState(std::stop_token stop) const
{
    const at::NoGradGuard guard;
    const TrainingData& data = *m_parts.validation;
    const std::shared_ptr<const Classifier> network = m_parts.average ? m_parts.average : m_parts.student;
    PreparedAttention student = network->prepare(m_parts.attention, m_parts.plan.seed);
    Teacher exact{network, network->prepare(student.exact, m_parts.plan.seed)}, teacher = *m_parts.teacher;
    DistillationState state;
    state.student = validate(*network, student, 0, stop);
    // Every process uses the same samples, as they are few.
    BatchLoader loader(inOrder(data, m_parts.plan.batch, workers(), 0, 1, comparedSamples));
    double divergence = 0;
    int64_t agreeing = 0, compared = 0;
    std::vector<double> relative(student.layers.size());
    while (auto batch = loader.next(within(stop))) {
        checkStop(stop);
        if (batch->samples.empty())
            continue;
        const at::Tensor input = tensorOf(*batch, *network);
        for (PreparedAttention* attention : {&student, &exact.attention, &teacher.attention})
            attention->drawFor(sampleIdentities(batch->input, network->transform()));
        StoppableObserver observer(within(stop));
        const auto logits = network->logits(input, student, &observer);
        const auto predictions = teacher.network->logits(input, teacher.attention, &observer);
        divergence += attnscope::divergence(predictions, logits, {logits.size(1)});
        agreeing += sameFirst(predictions, logits);
        const auto count = int64_t(batch->samples.size());
        compared += count;
        const TeacherView own = viewOf(exact, input, within(stop));
        const auto outputs = attendAsTeacher(own, student);
        for (size_t layer = 0; layer < outputs.size(); ++layer)
            for (const HeadDifference& head : headDifferences(outputs[layer], own.outputs[layer]))
                relative[layer] += head.relative * double(count) / double(outputs[layer].size(1));
    }
    const auto total = double(std::max<int64_t>(compared, 1));
    for (const double sum : relative) {
        state.layerErrors.push_back(sum / total);
        state.relativeError += sum / total / double(relative.size());
    }
    state.divergence = divergence / total;
    state.agreement = double(agreeing) / total;
    return state;
}

}
