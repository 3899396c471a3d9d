#include "core/lab/exits/exits.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/figure/chart.h"
#include "core/lab/exits/exit_scores.h"
#include "core/lab/layers/opened_input.h"
#include "core/lab/sample_batches.h"
#include "core/run/compare.h"
#include "core/run/observers.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

ExitRequest checked(ExitRequest request)
{
    if (request.attention.empty())
        throw UsageError("", "no attention was specified", "give at least one with --attention");
    for (const double threshold : request.thresholds)
        if (!(threshold >= 0 && threshold <= 1))
            throw UsageError("--thresholds", axisNumber(threshold, AxisNumbers::Plain) + " is not a probability",
                             "give 0 (leave behind the first block) to 1 (run the whole network)");
    for (const double penalty : request.penalties)
        if (!(penalty >= 0 && penalty <= 1e6))
            throw UsageError("--penalties", axisNumber(penalty, AxisNumbers::Plain) + " is out of range",
                             "give 0 to 1000000");
    if (request.thresholds.empty())
        for (int i = 0; i <= 20; ++i)
            request.thresholds.push_back(i / 20.0);
    if (request.penalties.empty())
        request.penalties = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
    return request;
}

void requireExits(const ModelSummary& model, const std::vector<std::string>& blocks)
{
    if (blocks.empty())
        throw Unsupported(model.name, "its head does not read the tokens of a block",
                          "choose a model of another family");
    if (!model.classifierHeads.empty())
        throw Unsupported(model.name, "it has two predictions, and a sample has one label",
                          "choose a model with one head");
}

/// One attention with what was seen of it so far.
struct ScoredSamples {
    PreparedAttention prepared;
    ExitScores scores;
    int64_t notFinite = 0;
    FallbackTally fallbacks;
};

/// Logits (L,B,K) behind every readable block.
at::Tensor exitLogits(const Classifier& classifier, PreparedAttention& prepared, const NetworkInput& input,
                      const std::stop_token& stop)
{
    const c10::InferenceMode guard;
    ExitObserver observer(stop, classifier);
    prepared.drawFor(input.samples);
    classifier.logits(input.values, prepared, &observer);
    return at::stack(observer.logits()).to(at::kCPU, at::kDouble);
}

AttentionExits figuresOf(const ScoredSamples& measured, const ExitCost& cost, const ExitRequest& request)
{
    const ExitScores& scores = measured.scores;
    AttentionExits figures{.attention = measured.prepared.requested.canonical(),
                           .resolved = measured.prepared.resolved.canonical(),
                           .backend = measured.prepared.resolved.backend(),
                           .weights = measured.prepared.weights,
                           .notFinite = measured.notFinite,
                           .notes = measured.prepared.notes};
    const auto point = [&](double setting, const Exits& exits, Predictions predictions) {
        ExitPoint made{.setting = setting, .outcome = outcomeOf(scores, exits)};
        made.macs = meanMultiplyAdds(made.outcome, cost, predictions);
        return made;
    };
    for (size_t block = 1; block <= scores.blocks(); ++block)
        figures.depth.push_back(point(double(block), fixedExits(scores, block), Predictions::Once));
    figures.macs = figures.depth.back().macs;
    for (const double threshold : request.thresholds)
        figures.confidence.push_back(
            point(threshold, confidenceExits(scores, threshold), Predictions::EveryBlock));
    for (const double penalty : request.penalties) {
        figures.likelihood.push_back(
            point(penalty, oracleExits(scores, OracleScore::Likelihood, penalty), Predictions::Once));
        figures.correctness.push_back(
            point(penalty, oracleExits(scores, OracleScore::Correctness, penalty), Predictions::Once));
    }
    measured.fallbacks.addTo(figures.notes);
    if (measured.notFinite > 0)
        figures.notes.push_back(counted(measured.notFinite, "sample")
                                + " with logits that are not finite, which predict nothing");
    return figures;
}

std::vector<std::string> notesOn(const Classifier& classifier, const LabelledSamples& samples)
{
    const ModelSummary& model = classifier.describe();
    const int64_t exits = std::ssize(classifier.readableBlocks());
    std::vector<std::string> notes;
    if (!classifier.hasExitHeads())
        notes.emplace_back("untrained exits: norm and head were trained for the last block alone; `train --exits` "
                           "trains a norm and a head for each of the others");
    if (exits < model.layers)
        notes.push_back("exits are behind the last " + std::to_string(exits) + " of "
                        + std::to_string(model.layers)
                        + " blocks: tokens before them have another width than the head reads");
    if (model.weights == WeightsKind::Untrained)
        notes.emplace_back("the weights are random: their predictions are not meaningful");
    if (samples.data.video && model.input.size() == 4)
        notes.emplace_back("of a video, the clip and crop in its middle");
    notes.insert(notes.end(), samples.data.notes.begin(), samples.data.notes.end());
    return notes;
}

}

ExitReport measureExits(const Classifier& classifier, const LabelledSamples& samples, const ExitRequest& requested,
                        const ProgressCallback& progress, std::stop_token stop)
{
    const ExitRequest request = checked(requested);
    ExitReport report{.model = beginReport(classifier, {.seed = request.seed}),
                      .folder = samples.data.root,
                      .blocks = classifier.readableBlocks(),
                      .trained = classifier.hasExitHeads()};
    requireExits(report.model.model, report.blocks);
    report.notes = notesOn(classifier, samples);
    std::vector<ScoredSamples> attentions;
    for (const AttentionSpec& spec : request.attention)
        attentions.push_back({classifier.prepare(spec, request.seed), ExitScores(report.blocks.size())});
    int64_t done = 0;
    const auto takeBatch = [&](const SampleBatch& batch) {
        std::vector<int64_t> labels;
        for (const int64_t sample : batch.samples)
            labels.push_back(samples.file(sample).label);
        std::vector<at::Tensor> logits;  // of all attentions, before any counts the batch
        for (ScoredSamples& measured : attentions) {
            if (labels.empty())
                continue;
            const CountFallbacks counting(measured.fallbacks);
            logits.push_back(exitLogits(classifier, measured.prepared, batch.input, stop));
        }
        for (size_t i = 0; i < logits.size(); ++i) {
            attentions[i].notFinite += logits[i].isfinite().all(2).all(0).logical_not().sum().item<int64_t>();
            attentions[i].scores.add(logits[i], labels);
        }
        for (const auto& sample : batch.unreadable)
            report.unreadable.push_back({samples.file(sample.sample).path, sample.reason});
        report.samples += std::ssize(labels);
        done += std::ssize(labels) + std::ssize(batch.unreadable);
        orSilent(progress)({"exits", done, std::ssize(samples.data.files)});
    };
    try {
        while (const auto batch = samples.next(stop))
            takeBatch(*batch);
    } catch (const Cancelled&) {
        if (report.samples == 0)
            throw;
        report.complete = false;
    }
    for (const ScoredSamples& measured : attentions) {
        AttentionExits& figures = report.attention.emplace_back(
            figuresOf(measured, classifier.exitCost(measured.prepared), request));
        if (report.trained && figures.weights == WeightsKind::Swapped)
            figures.notes.push_back("its exit heads were trained with " + report.model.model.nativeAttention);
    }
    return report;
}

}
