// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/augment_plan.h"

#include <cstdint>
#include <string>
#include <vector>

/// Plain values: how a network is trained.
namespace attnscope {

/// AdamW (Loshchilov and Hutter, 2019) under a cosine with linear warm-up.
struct OptimizerPlan {
    double learningRate = 1e-3;  ///< at the top of the schedule
    double finalRate = 1e-5;     ///< at its end
    double weightDecay = 0.05;   ///< not of biases, norms, tokens and positions
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double warmupEpochs = 5;
    double clip = 5;             ///< largest norm of all gradients together; 0: no limit
    friend bool operator==(const OptimizerPlan&, const OptimizerPlan&) = default;
};

/// What the student learns from the teacher; see docs/training.md.
struct DistillationPlan {
    double attentionWeight = 1;  ///< of the relative squared error of each layer's attention output; 0: not matched
    std::vector<double> layerWeights;  ///< one a layer; empty: all 1
    double logitWeight = 1;      ///< of the Kullback-Leibler divergence of the answers; 0: not matched
    double temperature = 1;      ///< of that divergence
    double labelWeight = 0.5;    ///< of the cross entropy with the labels; 0: labels are not looked at
    std::int64_t parameterEpochs = 0;  ///< first epochs that train the attention's own parameters alone (landmark maps)
    friend bool operator==(const DistillationPlan&, const DistillationPlan&) = default;
};

struct TrainingPlan {
    std::int64_t epochs = 300;
    std::int64_t batch = 64;         ///< samples of one step in all processes, before accumulation
    std::int64_t accumulate = 1;     ///< steps whose gradients are added up before the weights move
    double labelSmoothing = 0.1;
    double dropPath = 0.1;           ///< of the last block; linear over depth
    double average = 0;              ///< decay of the exponential moving average of the weights; 0: none
    std::uint64_t seed = 0;
    std::int64_t workers = 0;        ///< threads that read and augment; 0: as many as the processor has
    std::int64_t limit = 0;          ///< samples of the training set that are used; 0: all
    bool mixedPrecision = false;     ///< bfloat16 inside linear layers and convolutions
    AugmentPlan augment;
    OptimizerPlan optimizer;
    DistillationPlan distillation;
    friend bool operator==(const TrainingPlan&, const TrainingPlan&) = default;
};

}  // namespace attnscope
