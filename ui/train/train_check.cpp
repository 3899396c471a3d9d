#include "ui/train/train_check.h"

#include "ui/style/qt_text.h"

#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/data/augment/augment_options.h"

#include <QDir>
#include <QFileInfo>

namespace attnscope::ui {

namespace {

QString spelled(double value)
{
    return toQt(toText(OptionValue(value)));
}

QString folderProblem(const TrainRequest& request)
{
    if (request.folder.empty())
        return tr("Choose the folder with the images or videos to train on.");
    if (!QFileInfo::exists(toQt(request.folder)))
        return tr("%1 does not exist; choose a folder with one subfolder per class.").arg(toQt(request.folder));
    return {};
}

QString fileProblem(const std::string& path)
{
    return path.empty() || QFileInfo(toQt(path)).isFile()
               ? QString()
               : tr("%1 does not exist; choose a checkpoint.").arg(toQt(path));
}

QString outputProblem(const TrainRequest& request)
{
    const QFileInfo file(toQt(request.output));
    if (request.output.empty())
        return tr("Choose where to save the trained weights.");
    if (file.suffix() != "safetensors"_L1)
        return tr("%1 does not end in .safetensors, the only format that weights are saved in.")
            .arg(file.fileName());
    if (!file.absoluteDir().exists())
        return tr("The folder %1 does not exist; choose an existing one.").arg(file.absolutePath());
    if (file.exists() && !request.resume && !request.overwrite)
        return tr("%1 already exists; choose another name, or choose to replace it.").arg(file.fileName());
    return {};
}

QString attentionProblem(const std::string& attention)
{
    try {
        AttentionSpec::parse(attention);
        return {};
    } catch (const Error& error) {
        return toQt(error.what());
    }
}

bool learnsNothing(const DistillationPlan& plan)
{
    return plan.attentionWeight <= 0 && plan.logitWeight <= 0 && plan.labelWeight <= 0;
}

/// Where a single sample is all that a step would not find.
bool isTooFew(int64_t samples, const TrainingPlan& plan)
{
    const int64_t used = plan.limit > 0 ? std::min(plan.limit, samples) : samples;
    return samples > 0 && used < plan.batch;
}

}

std::vector<TrainProblem> problemsOf(const TrainRequest& request, int64_t trainingSamples)
{
    std::vector<TrainProblem> out;
    const auto check = [&out](TrainField field, const QString& sentence) {
        if (!sentence.isEmpty())
            out.push_back({field, sentence});
    };
    const TrainingPlan& plan = request.plan;
    const OptimizerPlan& optimizer = plan.optimizer;
    check(TrainField::Folder, folderProblem(request));
    check(TrainField::Attention, attentionProblem(request.attention));
    if (!request.model.weights.starts_with("untrained"))
        check(TrainField::Start, request.model.weights.empty() ? tr("Choose the checkpoint to start from.")
                                                               : fileProblem(request.model.weights));
    check(TrainField::Teacher, fileProblem(request.teacher));
    if (isTooFew(trainingSamples, plan))
        check(TrainField::Batch, tr("The batch size %1 is larger than the number of training samples, %2.")
                                     .arg(plan.batch)
                                     .arg(trainingSamples));
    if (!(optimizer.learningRate > 0))
        check(TrainField::Rate,
              tr("The learning rate must be above 0; 0.001 is typical when starting from random weights."));
    if (optimizer.warmupEpochs >= double(plan.epochs))
        check(TrainField::Warmup, tr("Warm-up takes %1 of %2 epochs; leave at least one epoch after it.")
                                      .arg(spelled(optimizer.warmupEpochs))
                                      .arg(plan.epochs));
    if (optimizer.finalRate > optimizer.learningRate)
        check(TrainField::FinalRate,
              tr("The final learning rate, %1, must not be above the peak learning rate, %2.")
                  .arg(spelled(optimizer.finalRate), spelled(optimizer.learningRate)));
    if (plan.augment.cropScaleMin > plan.augment.cropScaleMax)
        check(TrainField::Crop, tr("The minimum crop scale is larger than the maximum."));
    if (!request.teacher.empty() && learnsNothing(plan.distillation))
        check(TrainField::Weights,
              tr("At least one of the loss weights for attention, predictions and labels must be above 0."));
    check(TrainField::Output, outputProblem(request));
    return out;
}

QString resumeFile(const QString& output)
{
    const QString suffix = u".safetensors"_s;
    return (output.endsWith(suffix) ? output.chopped(suffix.size()) : output) + u".resume"_s + suffix;
}

AugmentPlan planOf(Augmentation augmentation)
{
    constexpr const char* recipes[]{"none", "light", "deit"};
    return attnscope::planOf(AugmentOptions{.recipe = recipes[int(augmentation)]});
}

Augmentation augmentationOf(const AugmentPlan& plan)
{
    for (const Augmentation each : {Augmentation::None, Augmentation::Light, Augmentation::Deit})
        if (plan == planOf(each))
            return each;
    return Augmentation::Own;
}

TrainingPlan defaultPlan(bool untrained)
{
    TrainingPlan plan;
    if (untrained)
        return plan;
    plan.epochs = 30;
    plan.optimizer.learningRate = 2e-4;
    plan.optimizer.warmupEpochs = 1;
    return plan;
}

}
