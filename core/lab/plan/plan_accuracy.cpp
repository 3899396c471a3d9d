#include "core/lab/plan/plan_accuracy.h"

#include "core/base/error.h"
#include "core/device/torch_problem.h"
#include "core/lab/layers/opened_input.h"
#include "core/run/predictions.h"

#include <c10/core/InferenceMode.h>

namespace attnscope {

CorrectPredictions countRight(const Classifier& classifier, const LabelledInputs& inputs,
                              const std::vector<AttentionSpec>& attention, uint64_t seed,
                              const ProgressCallback& progress, std::stop_token stop)
{
    const c10::InferenceMode guard;
    const auto heads = headsOf(classifier.describe());
    std::vector<PreparedAttention> prepared;
    for (const AttentionSpec& spec : attention)
        prepared.push_back(classifier.prepare(spec, seed));
    CorrectPredictions predictions;
    predictions.right.resize(attention.size());
    const auto total = int64_t(inputs.sources.size());
    for (size_t i = 0; i < inputs.sources.size(); ++i) {
        progress({"accuracy", static_cast<int64_t>(i), total});
        NetworkInput view;
        try {
            view = guardInput(inputs.sources[i].path,
                              [&] { return openMeasuredView(inputs.sources[i], classifier); });
        } catch (const Error& error) {
            predictions.unreadable.push_back({inputs.sources[i].path, error.reason()});
            continue;
        }
        for (size_t a = 0; a < prepared.size(); ++a) {
            StoppableObserver observer(stop);
            prepared[a].drawFor(view.samples);
            const auto first = firstClasses(classifier.logits(view.values, prepared[a], &observer), heads);
            predictions.right[a] += first.front() == inputs.labels[i] ? 1 : 0;
        }
        ++predictions.samples;
    }
    return predictions;
}

}
