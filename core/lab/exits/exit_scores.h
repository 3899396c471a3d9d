#pragma once

#include "core/lab/exits/exit_outcome.h"
#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Early exits by numbers alone (Elbayad et al., "Depth-adaptive transformer", ICLR 2020, §3): which block of a network each sample leaves
/// at, given what each block would predict. Blocks are counted from 1 as "blocks run"; L is the last.
namespace attnscope {

/// What the exit behind one block predicts for one sample. Logits that are not finite predict nothing: confidence 0, class −1.
struct BlockPrediction {
    double confidence = 0;     ///< max_y p(y)
    double logLikelihood = 0;  ///< LL = log p(label); −∞ if it predicts nothing
    int64_t label = -1;        ///< argmax_y p(y); of equal ones the lowest class
};

/// The predictions of L blocks for any number of samples.
class ExitScores {
public:
    explicit ExitScores(size_t blocks)
        : m_blocks(blocks)
    {}

    /// logits (L,B,K) of any floating type, and the labels of the B samples.
    void add(const at::Tensor& logits, const std::vector<int64_t>& labels);

    size_t blocks() const { return m_blocks; }
    size_t samples() const { return m_labels.size(); }
    /// `block` from 1 to L.
    const BlockPrediction& prediction(size_t sample, size_t block) const
    {
        return m_predictions[sample * m_blocks + block - 1];
    }
    bool isCorrect(size_t sample, size_t block) const
    {
        return prediction(sample, block).label == m_labels[sample];
    }

private:
    size_t m_blocks;
    std::vector<BlockPrediction> m_predictions;  // sample by sample
    std::vector<int64_t> m_labels;
};

/// Blocks run by each sample, 1 … L.
using Exits = std::vector<size_t>;

/// The first block with confidence > threshold, else L: threshold 1 runs the whole network, 0 one block.
Exits confidenceExits(const ExitScores& scores, double threshold);

/// What an oracle, which knows the label, looks at.
enum class OracleScore {
    Likelihood,   ///< LLⁿ
    Correctness,  ///< Cⁿ = [the block predicts the label]
};

/// argmax_n scoreⁿ − penalty·n; of equal ones the earliest. An upper bound of what a rule without the label can do, not a rule.
Exits oracleExits(const ExitScores& scores, OracleScore score, double penalty);

/// Every sample runs as many blocks.
Exits fixedExits(const ExitScores& scores, size_t block);

ExitOutcome outcomeOf(const ExitScores& scores, const Exits& exits);

/// How often a sample that runs n blocks is predicted: a rule that looks at predictions needs one behind each block.
enum class Predictions { Once, EveryBlock };

/// Multiply-adds, mean over the samples: embedding + blocks run + the head, once or n times.
double meanMultiplyAdds(const ExitOutcome& outcome, const ExitCost& cost, Predictions predictions);

}
