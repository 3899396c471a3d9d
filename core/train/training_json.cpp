// SPDX-License-Identifier: Apache-2.0
#include "core/train/training_json.h"

#include "core/base/json_path.h"

#include <cmath>

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

AugmentPlan augmentFromJson(const Json& json)
{
    AugmentPlan plan;
    json.at("crop_scale").at(0).get_to(plan.cropScaleMin);
    json.at("crop_scale").at(1).get_to(plan.cropScaleMax);
    json.at("crop_ratio").at(0).get_to(plan.cropRatioMin);
    json.at("crop_ratio").at(1).get_to(plan.cropRatioMax);
    json.at("flip").get_to(plan.flip);
    json.at("rand_augment").at(0).get_to(plan.operations);
    json.at("rand_augment").at(1).get_to(plan.magnitude);
    json.at("erasing").get_to(plan.erasing);
    json.at("mixup").get_to(plan.mixup);
    json.at("cutmix").get_to(plan.cutmix);
    return plan;
}

OptimizerPlan optimizerFromJson(const Json& json)
{
    OptimizerPlan plan;
    json.at("lr").get_to(plan.learningRate);
    json.at("final_lr").get_to(plan.finalRate);
    json.at("weight_decay").get_to(plan.weightDecay);
    json.at("betas").at(0).get_to(plan.beta1);
    json.at("betas").at(1).get_to(plan.beta2);
    json.at("eps").get_to(plan.epsilon);
    json.at("warmup_epochs").get_to(plan.warmupEpochs);
    json.at("clip").get_to(plan.clip);
    return plan;
}

DistillationPlan distillationPlanFromJson(const Json& json)
{
    DistillationPlan plan;
    json.at("attention_weight").get_to(plan.attentionWeight);
    json.at("layer_weights").get_to(plan.layerWeights);
    json.at("logit_weight").get_to(plan.logitWeight);
    json.at("temperature").get_to(plan.temperature);
    json.at("label_weight").get_to(plan.labelWeight);
    json.at("parameter_epochs").get_to(plan.parameterEpochs);
    return plan;
}

/// A figure that is not finite stands as null in JSON, and comes back as NaN.
Json finiteFigure(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double readFigure(const Json& json)
{
    return json.is_null() ? std::nan("") : json.get<double>();
}

Json finiteFigures(const std::vector<double>& values)
{
    Json json = Json::array();
    for (const double value : values)
        json.push_back(finiteFigure(value));
    return json;
}

std::vector<double> readFigures(const Json& json)
{
    std::vector<double> values;
    for (const Json& value : json)
        values.push_back(readFigure(value));
    return values;
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

TrainingPlan planFromJson(const Json& json)
{
    TrainingPlan plan;
    json.at("epochs").get_to(plan.epochs);
    json.at("batch").get_to(plan.batch);
    json.at("accumulate").get_to(plan.accumulate);
    json.at("label_smoothing").get_to(plan.labelSmoothing);
    json.at("drop_path").get_to(plan.dropPath);
    json.at("ema").get_to(plan.average);
    json.at("seed").get_to(plan.seed);
    json.at("limit").get_to(plan.limit);
    json.at("mixed_precision").get_to(plan.mixedPrecision);
    plan.augment = augmentFromJson(json.at("augment"));
    plan.optimizer = optimizerFromJson(json.at("optimizer"));
    plan.distillation = distillationPlanFromJson(json.at("distillation"));
    return plan;
}

Json toJson(const ValidationResult& result)
{
    return {{"samples", result.samples},   {"unreadable", result.unreadable}, {"correct1", result.correct1},
            {"correct5", result.correct5}, {"top1", result.top1()},           {"top5", result.top5()},
            {"loss", finiteFigure(result.loss)}, {"not_finite", result.notFinite}};
}

ValidationResult validationFromJson(const Json& json)
{
    return {.samples = json.at("samples"),   .unreadable = json.at("unreadable"), .correct1 = json.at("correct1"),
            .correct5 = json.at("correct5"), .loss = readFigure(json.at("loss")),
            .notFinite = json.value("not_finite", std::int64_t{0})};
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
            {"relative_error", finiteFigure(state.relativeError)},
            {"layer_errors", finiteFigures(state.layerErrors)},
            {"kl", finiteFigure(state.divergence)},
            {"agreement", state.agreement}};
}

DistillationState distillationFromJson(const Json& json)
{
    return {.student = validationFromJson(json.at("student")),
            .layerErrors = readFigures(json.at("layer_errors")),
            .relativeError = readFigure(json.at("relative_error")),
            .divergence = readFigure(json.at("kl")),
            .agreement = json.at("agreement")};
}

Json toJson(const TrainingStart& start)
{
    return {{"model", start.model},
            {"attention", start.attention},
            {"init", jsonPath(start.weights)},
            {"teacher", start.teacher.empty() ? Json(nullptr) : Json(jsonPath(start.teacher))},
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
    return {{"output", jsonPath(report.output)},
            {"best", report.best.empty() ? Json(nullptr) : Json(jsonPath(report.best))},
            {"history", jsonPath(report.historyFile)},
            {"finished", report.finished},
            {"seconds", report.seconds},
            {"start", toJson(report.start)},
            {"teacher", orNull(report.teacher)},
            {"before", orNull(report.before)},
            {"after", orNull(report.after)},
            {"epochs", epochs}};
}

}  // namespace attnscope
