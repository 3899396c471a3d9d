// SPDX-License-Identifier: Apache-2.0
#include "core/train/training_json.h"

namespace attnscope {

namespace {

Json augmentJson(const AugmentPlan& plan)
{
    return {{"crop_scale", {plan.cropScaleMin, plan.cropScaleMax}},
            {"crop_ratio", {plan.cropRatioMin, plan.cropRatioMax}},
            {"flip", plan.flip},
            {"rand_augment", {plan.operations, plan.magnitude}},
            {"erasing", plan.erasing},
            {"mixup", plan.mixup},
            {"cutmix", plan.cutmix}};
}

Json optimizerJson(const OptimizerPlan& plan)
{
    return {{"name", "adamw"},
            {"lr", plan.learningRate},
            {"final_lr", plan.finalRate},
            {"weight_decay", plan.weightDecay},
            {"betas", {plan.beta1, plan.beta2}},
            {"eps", plan.epsilon},
            {"warmup_epochs", plan.warmupEpochs},
            {"clip", plan.clip}};
}

Json distillationJson(const DistillationPlan& plan)
{
    return {{"attention_weight", plan.attentionWeight}, {"layer_weights", plan.layerWeights}, {"logit_weight", plan.logitWeight},
            {"temperature", plan.temperature},          {"label_weight", plan.labelWeight},   {"parameter_epochs", plan.parameterEpochs}};
}

template <typename Value>
Json orNull(const std::optional<Value>& value)
{
    return value ? toJson(*value) : Json(nullptr);
}

std::optional<ValidationResult> validationOrNothing(const Json& json)
{
    return json.is_null() ? std::nullopt : std::optional(validationFromJson(json));
}

}  // namespace

Json toJson(const TrainingPlan& plan)
{
    return {{"epochs", plan.epochs},
            {"batch", plan.batch},
            {"accumulate", plan.accumulate},
            {"label_smoothing", plan.labelSmoothing},
            {"drop_path", plan.dropPath},
            {"ema", plan.average},
            {"seed", plan.seed},
            {"limit", plan.limit},
            {"mixed_precision", plan.mixedPrecision},
            {"augment", augmentJson(plan.augment)},
            {"optimizer", optimizerJson(plan.optimizer)},
            {"distillation", distillationJson(plan.distillation)}};
}

Json toJson(const ValidationResult& result)
{
    return {{"samples", result.samples},   {"unreadable", result.unreadable}, {"correct1", result.correct1},
            {"correct5", result.correct5}, {"top1", result.top1()},           {"top5", result.top5()},
            {"loss", result.loss}};
}

ValidationResult validationFromJson(const Json& json)
{
    return {.samples = json.at("samples"),   .unreadable = json.at("unreadable"), .correct1 = json.at("correct1"),
            .correct5 = json.at("correct5"), .loss = json.at("loss")};
}

Json toJson(const EpochRecord& epoch)
{
    return {{"epoch", epoch.epoch},
            {"training_loss", epoch.trainingLoss},
            {"lr", epoch.learningRate},
            {"seconds", epoch.seconds},
            {"samples", epoch.samples},
            {"validation", orNull(epoch.validation)},
            {"average_validation", orNull(epoch.averageValidation)},
            {"result", epoch.averageName},
            {"best", epoch.best}};
}

EpochRecord epochFromJson(const Json& json)
{
    return {.epoch = json.at("epoch"),
            .trainingLoss = json.at("training_loss"),
            .learningRate = json.at("lr"),
            .seconds = json.at("seconds"),
            .samples = json.at("samples"),
            .validation = validationOrNothing(json.at("validation")),
            .averageValidation = validationOrNothing(json.at("average_validation")),
            .averageName = json.at("result"),
            .best = json.at("best")};
}

Json toJson(const DistillationState& state)
{
    return {{"student", toJson(state.student)},
            {"relative_error", state.relativeError},
            {"layer_errors", state.layerErrors},
            {"kl", state.divergence},
            {"agreement", state.agreement}};
}

DistillationState distillationFromJson(const Json& json)
{
    return {.student = validationFromJson(json.at("student")),
            .layerErrors = json.at("layer_errors").get<std::vector<double>>(),
            .relativeError = json.at("relative_error"),
            .divergence = json.at("kl"),
            .agreement = json.at("agreement")};
}

Json toJson(const TrainingStart& start)
{
    return {{"model", start.model},
            {"attention", start.attention},
            {"init", start.weights},
            {"teacher", start.teacher.empty() ? Json(nullptr) : Json(start.teacher)},
            {"device", start.device},
            {"parameters", start.parameters},
            {"classes", start.classes},
            {"training_samples", start.trainingSamples},
            {"validation_samples", start.validationSamples},
            {"steps_per_epoch", start.stepsPerEpoch},
            {"processes", start.processes},
            {"notes", start.notes}};
}

Json toJson(const TrainingReport& report)
{
    Json epochs = Json::array();
    for (const EpochRecord& epoch : report.history)
        epochs.push_back(toJson(epoch));
    return {{"output", report.output},
            {"best", report.best.empty() ? Json(nullptr) : Json(report.best)},
            {"history", report.historyFile},
            {"finished", report.finished},
            {"seconds", report.seconds},
            {"start", toJson(report.start)},
            {"teacher", orNull(report.teacher)},
            {"before", orNull(report.before)},
            {"after", orNull(report.after)},
            {"epochs", epochs}};
}

}  // namespace attnscope
