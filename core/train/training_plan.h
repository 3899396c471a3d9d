#pragma once

#include "core/data/augment/augment_plan.h"

#include <cstdint>
#include <vector>

/// Plain values: how a network is trained.
namespace attnscope {

/// AdamW (Loshchilov and Hutter, 2019) with a cosine schedule and linear warm-up.
struct OptimizerPlan {
    double learningRate = 1e-3;  ///< maximum
    double finalRate = 1e-5;     ///< at the end of the schedule
    double weightDecay = 0.05;   ///< not applied to biases, norms, tokens and position embeddings
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double warmupEpochs = 5;
    double clip = 5;  ///< maximum norm of all gradients together; 0: no limit
    friend bool operator==(const OptimizerPlan&, const OptimizerPlan&) = default;
};

/// What the student learns from the teacher; see docs/training.md.
struct DistillationPlan {
    /// Weight of the relative squared error of each layer's attention output; 0: not used.
    double attentionWeight = 1;
    std::vector<double> layerWeights;  ///< one per layer; empty: all 1
    double logitWeight = 1;    ///< weight of the Kullback-Leibler divergence of the predictions; 0: not used
    double temperature = 1;    ///< of that divergence
    double labelWeight = 0.5;  ///< weight of the cross entropy with the labels; 0: labels are ignored
    /// Number of initial epochs that train only the attention's own parameters (landmark maps).
    int64_t parameterEpochs = 0;
    friend bool operator==(const DistillationPlan&, const DistillationPlan&) = default;
};

struct TrainingPlan {
    int64_t epochs = 300;
    int64_t batch = 64;      ///< samples per step in all processes, before accumulation
    int64_t accumulate = 1;  ///< number of steps whose gradients are added up before an update
    double labelSmoothing = 0.1;
    double dropPath = 0.1;  ///< of the last block; linear over depth
    double average = 0;     ///< decay of the exponential moving average of the weights; 0: none
    uint64_t seed = 0;
    int64_t workers = 0;          ///< threads that read and augment; 0: one per core
    int64_t limit = 0;            ///< number of training samples used; 0: all
    bool exits = false;           ///< only the exit heads of a trained network are trained, which stays as it is
    bool mixedPrecision = false;  ///< bfloat16 inside linear layers and convolutions
    AugmentPlan augment;
    OptimizerPlan optimizer;
    DistillationPlan distillation;
    friend bool operator==(const TrainingPlan&, const TrainingPlan&) = default;
};

}
