// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_command.h"

#include "ui/style/qt_text.h"
#include "ui/train/train_check.h"
#include "ui/workspace/command_line.h"

namespace attnscope::ui {

namespace {

/// What `plan` has otherwise than `base`.
void addAugmentation(CommandLine& line, const AugmentPlan& plan, const AugmentPlan& base)
{
    line.pair("--crop-scale", plan.cropScaleMin, plan.cropScaleMax, base.cropScaleMin, base.cropScaleMax);
    line.put("--flip", plan.flip, base.flip);
    line.pair("--rand-augment", static_cast<double>(plan.operations), plan.magnitude, static_cast<double>(base.operations),
              base.magnitude);
    line.put("--erasing", plan.erasing, base.erasing);
    line.put("--mixup", plan.mixup, base.mixup);
    line.put("--cutmix", plan.cutmix, base.cutmix);
}

/// Words that it takes to come from a recipe to `plan`.
qsizetype lengthFrom(Augmentation base, const AugmentPlan& plan)
{
    const CommandLine empty("train");
    CommandLine line = empty;
    addAugmentation(line, plan, planOf(base));
    return line.wordCount() - empty.wordCount();
}

/// From whichever recipe the line is shortest.
void addAugmentation(CommandLine& line, const AugmentPlan& plan)
{
    Augmentation base = Augmentation::Deit;
    qsizetype least = lengthFrom(base, plan);
    for (const Augmentation other : {Augmentation::None, Augmentation::Light})
        if (2 + lengthFrom(other, plan) < least) {
            base = other;
            least = 2 + lengthFrom(other, plan);
        }
    if (base != Augmentation::Deit)
        line.put("--augment", base == Augmentation::None ? QStringLiteral("none") : QStringLiteral("light"));
    addAugmentation(line, plan, planOf(base));
}

void addDistillation(CommandLine& line, const DistillationPlan& plan)
{
    const DistillationPlan usual;
    line.put("--attention-weight", plan.attentionWeight, usual.attentionWeight);
    line.put("--logit-weight", plan.logitWeight, usual.logitWeight);
    line.put("--label-weight", plan.labelWeight, usual.labelWeight);
    line.put("--temperature", plan.temperature, usual.temperature);
    line.put("--parameter-epochs", plan.parameterEpochs, usual.parameterEpochs);
}

void addPlan(CommandLine& line, const TrainingPlan& plan)
{
    const TrainingPlan usual;
    line.put("--epochs", plan.epochs, usual.epochs);
    line.put("--batch-size", plan.batch, usual.batch);
    line.put("--accumulate", plan.accumulate, usual.accumulate);
    line.put("--lr", plan.optimizer.learningRate, usual.optimizer.learningRate);
    line.put("--final-lr", plan.optimizer.finalRate, usual.optimizer.finalRate);
    line.put("--warmup", plan.optimizer.warmupEpochs, usual.optimizer.warmupEpochs);
    line.put("--weight-decay", plan.optimizer.weightDecay, usual.optimizer.weightDecay);
    line.put("--clip", plan.optimizer.clip, usual.optimizer.clip);
    line.put("--label-smoothing", plan.labelSmoothing, usual.labelSmoothing);
    line.put("--drop-path", plan.dropPath, usual.dropPath);
    line.put("--ema", plan.average, usual.average);
    line.put("--seed", plan.seed, usual.seed);
    line.put("--workers", plan.workers, usual.workers);
    line.put("--limit", plan.limit, usual.limit);
    line.flag("--exits", plan.exits);
    line.flag("--mixed-precision", plan.mixedPrecision);
    addAugmentation(line, plan.augment);
}

}  // namespace

QString trainCommand(const TrainRequest& request, int threads)
{
    const TrainRequest usual;
    CommandLine line("train");
    line.input(request.folder);
    line.put("--layout", request.layout, usual.layout);
    line.put("--val", request.validation, usual.validation);
    line.put("--model", request.model.model, usual.model.model);
    line.put("--heads", request.model.heads, usual.model.heads);
    line.put("--image-size", request.model.imageSize.text(), usual.model.imageSize.text());
    line.put("--position", request.model.positionRule, usual.model.positionRule);
    line.put("--init", request.model.weights, usual.model.weights);
    line.put("--attention", request.attention, usual.attention);
    line.put("--landmark-map", request.landmarkMap, usual.landmarkMap);
    line.put("--distil-from", request.teacher, usual.teacher);
    line.put("--out", request.output, usual.output);
    addPlan(line, request.plan);
    if (!request.teacher.empty())
        addDistillation(line, request.plan.distillation);
    line.put("--device", request.model.device, usual.model.device);
    line.put("--dtype", request.model.dtype, usual.model.dtype);
    line.threads(threads);
    line.flag("--resume", request.resume);
    line.flag("--overwrite", request.overwrite);
    return line.text();
}

}  // namespace attnscope::ui
