#pragma once

#include "core/run/record_fields.h"
#include "core/train/training_plan.h"
#include "core/train/training_progress.h"

/// The history file and `attnscope-cli train --json` (docs/training.md). Independent of torch.
namespace attnscope {

void visitFields(MaybeConst<AugmentPlan> auto& plan, auto& visit)
{
    visit.pair("crop_scale", plan.cropScaleMin, plan.cropScaleMax);
    visit.pair("crop_ratio", plan.cropRatioMin, plan.cropRatioMax);
    visit("flip", plan.flip);
    visit.pair("rand_augment", plan.operations, plan.magnitude);
    visit("erasing", plan.erasing);
    visit("mixup", plan.mixup);
    visit("cutmix", plan.cutmix);
}

void visitFields(MaybeConst<OptimizerPlan> auto& plan, auto& visit)
{
    visit.derived("name", std::string("adamw"));
    visit("lr", plan.learningRate);
    visit("final_lr", plan.finalRate);
    visit("weight_decay", plan.weightDecay);
    visit.pair("betas", plan.beta1, plan.beta2);
    visit("eps", plan.epsilon);
    visit("warmup_epochs", plan.warmupEpochs);
    visit("clip", plan.clip);
}

void visitFields(MaybeConst<DistillationPlan> auto& plan, auto& visit)
{
    visit("attention_weight", plan.attentionWeight);
    visit("layer_weights", plan.layerWeights);
    visit("logit_weight", plan.logitWeight);
    visit("temperature", plan.temperature);
    visit("label_weight", plan.labelWeight);
    visit("parameter_epochs", plan.parameterEpochs);
}

void visitFields(MaybeConst<TrainingPlan> auto& plan, auto& visit)
{
    visit("epochs", plan.epochs);
    visit("batch", plan.batch);
    visit("accumulate", plan.accumulate);
    visit("label_smoothing", plan.labelSmoothing);
    visit("drop_path", plan.dropPath);
    visit("ema", plan.average);
    visit("seed", plan.seed);
    visit("limit", plan.limit);
    visit.optional("exits", plan.exits);
    visit("mixed_precision", plan.mixedPrecision);
    visit("augment", plan.augment);
    visit("optimizer", plan.optimizer);
    visit("distillation", plan.distillation);
}

void visitFields(MaybeConst<ValidationResult> auto& result, auto& visit)
{
    visit("samples", result.samples);
    visit("unreadable", result.unreadable);
    visit("correct1", result.correct);
    visit("correct5", result.correct5);
    visit.derived("top1", result.value());
    visit.derived("top5", result.top5().value());
    visit("loss", result.loss);
    visit.later("not_finite", result.notFinite);
    visit.optional("exits_correct1", result.exitsCorrect1);
}

void visitFields(MaybeConst<EpochRecord> auto& epoch, auto& visit)
{
    visit("epoch", epoch.epoch);
    visit("training_loss", epoch.trainingLoss);
    visit("lr", epoch.learningRate);
    visit("seconds", epoch.seconds);
    visit("samples", epoch.samples);
    visit("validation", epoch.validation);
    visit("average_validation", epoch.averageValidation);
    visit("result", epoch.averageName);
    visit("best", epoch.best);
}

void visitFields(MaybeConst<DistillationState> auto& state, auto& visit)
{
    visit("student", state.student);
    visit("relative_error", state.relativeError);
    visit("layer_errors", state.layerErrors);
    visit("kl", state.divergence);
    visit("agreement", state.agreement);
}

/// The plan without `workers`.
template <OneOf<TrainingPlan, ValidationResult, EpochRecord, DistillationState> Value>
Json toJson(const Value& value)
{
    return writeFields(value);
}

Json toJson(const TrainingStart& start);
Json toJson(const TrainingReport& report);

/// What `toJson` wrote. Throws nlohmann's exceptions if a key is missing: the file is our own.
template <typename Value>
Value recordFromJson(const Json& json)
{
    Value value;
    readFields(json, value);
    return value;
}

constexpr auto epochFromJson = recordFromJson<EpochRecord>;
constexpr auto validationFromJson = recordFromJson<ValidationResult>;
constexpr auto distillationFromJson = recordFromJson<DistillationState>;

}
