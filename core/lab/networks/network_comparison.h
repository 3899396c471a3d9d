#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/run/compare.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

/// Two networks layer by layer. Independent of torch.
namespace attnscope {

struct NetworkComparisonRequest {
    AttentionSpec first = AttentionSpec::native(), second = AttentionSpec::native();  ///< of each network
    uint64_t seed = 0;
    int64_t batch = 16;  ///< inputs whose features are in memory at once, 4 or more
};

/// A tensor that both networks have in the same shape.
struct TensorDifference {
    std::string name;
    std::vector<int64_t> shape;
    double relative = 0;  ///< ‖second − first‖ / ‖first‖; infinite where the first is 0 and the second is not
    double largest = 0;  ///< largest |second − first|
};

/// A key of the two model descriptions with other values, as JSON; empty: there is none.
struct DescriptionDifference {
    std::string key, first, second;
};

struct NetworkComparison {
    ModelSummary first, second;
    std::string firstAttention, secondAttention;  ///< as resolved
    std::string firstDtype, secondDtype;          ///< of the computation
    std::vector<InputRecord> inputs;              ///< that were read, without runs
    std::vector<UnreadableInput> unreadable;
    std::vector<std::string> firstBlocks, secondBlocks;  ///< names of the outputs that are compared: "block.3"
    /// Unbiased linear CKA of each block of the first with each of the second, over the inputs, with all tokens of an input as its features
    /// [first][second]; empty: see `whyNoCka`.
    std::vector<std::vector<double>> cka;
    std::string whyNoCka;
    /// ‖second − first‖ / ‖first‖ of the output of each block, mean over inputs; empty unless both have the same blocks.
    std::vector<double> drift;
    int64_t matchedClasses = 0;
    double kl =
        0;  ///< KL(first ‖ second) over the classes that both have, nats, mean over inputs; NaN: there are none
    double agreement = 0;                   ///< fraction of inputs with the same first class; NaN: the same
    std::vector<TensorDifference> weights;  ///< in the order of the first's
    std::vector<std::string> onlyInFirst, onlyInSecond;  ///< tensors, also those of another shape
    std::vector<DescriptionDifference> description;
    bool complete = true;
};

/// Runs both networks on every input: one pass of each. `weights`, `description` and what is only in one of them are left to whoever knows
/// the files. Throws UsageError for attentions that do not fit, Cancelled before the first batch.
NetworkComparison compareNetworks(const ComparedNetwork& first, const ComparedNetwork& second,
                                  const std::vector<InputSource>& inputs, const NetworkComparisonRequest& request,
                                  const ProgressCallback& progress, std::stop_token stop);

/// Where the blocks of the second network are most alike to each of the first, and how far they have drifted.
Table blockTable(const NetworkComparison& comparison);
/// The tensors that differ most, at most `count`.
Table weightTable(const NetworkComparison& comparison, size_t count);
Table descriptionTable(const NetworkComparison& comparison);

/// Drift along the blocks.
Chart blockDrift(const NetworkComparison& comparison);
/// CKA of each block of the first network (down) with each of the second. Throws UsageError where there is none.
HeatMap ckaMap(const NetworkComparison& comparison);

Json toJson(const NetworkComparison& comparison);

}
