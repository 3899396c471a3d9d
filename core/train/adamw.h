#pragma once

#include "core/train/trainable_classifier.h"
#include "core/train/training_plan.h"

#include <ATen/ATen.h>

#include <map>
#include <string>
#include <vector>

namespace attnscope {

/// AdamW (Loshchilov and Hutter, ICLR 2019), with LibTorch's fused kernel. Biases, norms, tokens and position embeddings have no weight
/// decay.
class AdamW {
public:
    AdamW(const std::vector<NamedWeight>& weights, const OptimizerPlan& plan);

    /// Updates every weight that requires a gradient and has one.
    void step(double learningRate);
    void clearGradients();

    /// Moments and counts by the names of their weights, without copying: "first/NAME", "second/NAME", "steps/NAME".
    std::map<std::string, at::Tensor> state() const;
    /// Throws FileError (about `subject`) if one is missing or has another shape.
    void restore(const std::map<std::string, at::Tensor>& state, const std::string& subject);

private:
    struct Slot {
        std::string name;
        at::Tensor weight, first, second, steps;
        bool decays = false;
    };
    void stepGroup(bool decays, double learningRate);

    std::vector<Slot> m_slots;
    OptimizerPlan m_plan;
};

/// The norm of all gradients together; if it is above `limit` > 0 they are scaled to it. Nothing is changed if the norm is not finite.
double clipGradients(const std::vector<NamedWeight>& weights, double limit);

/// The learning rate after `epoch` epochs (possibly fractional) of `epochs`: linear from 1 % of the maximum during warm-up, then half a
/// cosine from the maximum to the final rate (Loshchilov and Hutter, 2017, without restarts).
double learningRateAt(const OptimizerPlan& plan, double epoch, double epochs);

}
