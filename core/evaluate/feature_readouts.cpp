#include "core/evaluate/feature_readouts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/evaluate/batch_predictions.h"
#include "core/evaluate/sample_predictions.h"
#include "core/lab/neighbours/neighbour_classes.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

FeatureRows rowsOf(const LabelledFeatures& training)
{
    return {training.features.const_data_ptr<float>(), training.features.size(0), training.features.size(1),
            "training features"};
}

LabelledFeatures contiguous(LabelledFeatures training)
{
    training.features = training.features.to(at::kCPU, at::kFloat).contiguous();
    return training;
}

std::vector<int64_t> votersOf(const FeatureReadoutRequest& request, int64_t samples)
{
    if (request.k.empty())
        return defaultVoters(samples);
    for (const int64_t k : request.k)
        if (k < 1 || k > samples)
            throw UsageError("k",
                             counted(k, "neighbour") + nounFor(k, " is", " are") + " beyond the "
                                 + counted(samples, "training sample"),
                             "give 1 to " + std::to_string(samples));
    return request.k;
}

}

FeatureReadouts::FeatureReadouts(LabelledFeatures training, const FeatureReadoutRequest& request,
                                 const std::stop_token& stop)
    : m_training(contiguous(std::move(training)))
    , m_index(rowsOf(m_training))
{
    if (request.neighbours)
        for (const int64_t k : votersOf(request, m_training.features.size(0)))
            m_readouts.push_back({k});
    if (!request.probe)
        return;
    m_readouts.push_back({});
    ChosenProbe chosen = chooseLinearProbe(m_training, stop);
    m_trained = {.c = chosen.probe.c,
                 .iterations = chosen.probe.iterations,
                 .converged = chosen.probe.converged,
                 .trials = {}};
    for (const ProbeCandidate& candidate : chosen.candidates)
        m_trained->trials.push_back({candidate.c, candidate.correct, candidate.samples});
    m_probe = std::move(chosen.probe);
}

std::vector<std::vector<SamplePrediction>> FeatureReadouts::predict(const at::Tensor& features,
                                                                    const std::vector<int64_t>& labels,
                                                                    const std::stop_token& stop) const
{
    std::vector<std::vector<SamplePrediction>> all(m_readouts.size(),
                                                   std::vector(labels.size(), noPrediction(m_training.classes)));
    const at::Tensor places =
        at::isfinite(features).all(1).nonzero().flatten().contiguous();  // of the rows with a prediction
    if (places.numel() == 0)
        return all;
    const at::Tensor queries = features.index_select(0, places);
    const auto voters = std::ranges::max_element(m_readouts, {}, &FeatureReadout::k);
    Neighbours found;
    if (voters->k > 0)
        found = m_index.nearest(queries, {voters->k, FeatureDistance::Cosine, {}}, stop);
    const at::Tensor scores = m_probe ? m_probe->scores(queries).contiguous() : at::Tensor();
    const at::Tensor probabilities = m_probe ? scores.softmax(1) : at::Tensor();
    for (int64_t q = 0; q < places.numel(); ++q) {
        const auto place = size_t(places.const_data_ptr<int64_t>()[q]);
        const auto first = size_t(q * voters->k);
        std::vector<int64_t> classes;
        for (int64_t i = 0; i < voters->k; ++i)
            classes.push_back(m_training.labels[size_t(found.indices[first + size_t(i)])]);
        for (size_t readout = 0; readout < m_readouts.size(); ++readout) {
            const auto k = size_t(m_readouts[readout].k);
            if (k == 0) {
                all[readout][place] = predictionOf(rowOf(scores, q), rowOf(probabilities, q), labels[place]);
                continue;
            }
            const auto votes = neighbourProbabilities({found.distances.data() + first, k}, classes,
                                                      defaultTemperature(FeatureDistance::Cosine),
                                                      m_training.classes);
            all[readout][place] = predictionOf(votes, votes, labels[place]);
        }
    }
    return all;
}

}
