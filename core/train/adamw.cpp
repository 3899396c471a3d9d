#include "core/train/adamw.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

bool decays(const NamedWeight& weight)
{
    const std::string& name = weight.name;
    return weight.shape.size() > 1 && !name.ends_with("_token") && !name.ends_with("_embed");
}

}

AdamW::AdamW(const std::vector<NamedWeight>& weights, const OptimizerPlan& plan)
    : m_plan(plan)
{
    for (const NamedWeight& weight : weights) {
        if (!weight.value.defined())
            continue;
        const at::Tensor value = weight.value.detach();
        m_slots.push_back({weight.name, weight.value, at::zeros_like(value), at::zeros_like(value),
                           at::zeros({}, value.options().dtype(at::kFloat)), decays(weight)});
    }
}

void AdamW::step(double learningRate)
{
    stepGroup(true, learningRate);
    stepGroup(false, learningRate);
}

void AdamW::stepGroup(bool decays, double learningRate)
{
    const at::NoGradGuard guard;
    std::vector<at::Tensor> weights, gradients, first, second, steps;
    for (const Slot& slot : m_slots) {
        if (slot.decays != decays || !slot.weight.requires_grad() || !slot.weight.grad().defined())
            continue;
        weights.push_back(slot.weight);
        gradients.push_back(slot.weight.grad());
        first.push_back(slot.first);
        second.push_back(slot.second);
        steps.push_back(slot.steps);
    }
    if (weights.empty())
        return;
    at::_foreach_add_(steps, 1);
    at::_fused_adamw_(weights, gradients, first, second, {}, steps, learningRate, m_plan.beta1, m_plan.beta2,
                      decays ? m_plan.weightDecay : 0, m_plan.epsilon, false, false);
}

void AdamW::clearGradients()
{
    for (Slot& slot : m_slots)
        slot.weight.mutable_grad().reset();
}

std::map<std::string, at::Tensor> AdamW::state() const
{
    std::map<std::string, at::Tensor> state;
    for (const Slot& slot : m_slots) {
        state["first/" + slot.name] = slot.first;
        state["second/" + slot.name] = slot.second;
        state["steps/" + slot.name] = slot.steps;
    }
    return state;
}

void AdamW::restore(const std::map<std::string, at::Tensor>& state, const std::string& subject)
{
    const auto take = [&](const std::string& name, at::Tensor& into) {
        const auto found = state.find(name);
        if (found == state.end() || found->second.sizes() != into.sizes())
            throw FileError(subject, "it has no `" + name + "` of this network's shape",
                            "it belongs to another training run; start "
                            "over with --overwrite");
        into.copy_(found->second);
    };
    const at::NoGradGuard guard;
    for (Slot& slot : m_slots) {
        take("first/" + slot.name, slot.first);
        take("second/" + slot.name, slot.second);
        take("steps/" + slot.name, slot.steps);
    }
}

double clipGradients(const std::vector<NamedWeight>& weights, double limit)
{
    const at::NoGradGuard guard;
    std::vector<at::Tensor> gradients;
    for (const NamedWeight& weight : weights)
        if (weight.value.defined() && weight.value.grad().defined())
            gradients.push_back(weight.value.grad());
    if (gradients.empty())
        return 0;
    const auto norm = at::stack(at::_foreach_norm(gradients)).norm().item<double>();
    if (limit > 0 && norm > limit && std::isfinite(norm))
        at::_foreach_mul_(gradients, limit / (norm + 1e-6));
    return norm;
}

double learningRateAt(const OptimizerPlan& plan, double epoch, double epochs)
{
    const double warmup = std::min(plan.warmupEpochs, epochs), first = plan.learningRate / 100;
    if (epoch < warmup)
        return first + (plan.learningRate - first) * epoch / warmup;
    const double done = epochs > warmup ? std::min((epoch - warmup) / (epochs - warmup), 1.0) : 1.0;
    return plan.finalRate + (plan.learningRate - plan.finalRate) * (1 + std::cos(std::numbers::pi * done)) / 2;
}

}
