// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_command.h"

#include "ui/style/qt_text.h"
#include "ui/train/train_check.h"
#include "ui/workspace/command_line.h"

#include "core/attention/option.h"

#include <QStringList>

namespace attnscope::ui {

namespace {

/// Words of the line; options only where they differ from their default.
class Words {
public:
    explicit Words(const QString& command) { m_words << QStringLiteral("attnscope-cli") << command; }

    void plain(const std::string& path) { m_words << safe(path); }
    void always(const char* name, const QString& value) { m_words << QString::fromLatin1(name) << value; }
    void flag(const char* name, bool on)
    {
        if (on)
            m_words << QString::fromLatin1(name);
    }
    void text(const char* name, const std::string& value, const std::string& fallback)
    {
        if (value != fallback)
            always(name, toQt(value));
    }
    template <typename Number>
    void number(const char* name, Number value, Number fallback)
    {
        if (value != fallback)
            always(name, spelled(value));
    }
    template <typename Number>
    void pair(const char* name, Number a, Number b, Number fallbackA, Number fallbackB)
    {
        if (a != fallbackA || b != fallbackB)
            always(name, spelled(a) + QLatin1Char(',') + spelled(b));
    }
    QString line() const
    {
        QStringList quoted;
        for (const QString& word : m_words)
            quoted << shellQuoted(word);
        return quoted.join(QLatin1Char(' '));
    }
    qsizetype size() const { return m_words.size(); }

    static QString spelled(double value) { return toQt(toText(OptionValue(value))); }
    static QString spelled(std::int64_t value) { return QString::number(value); }
    static QString spelled(std::uint64_t value) { return QString::number(value); }

private:
    static QString safe(const std::string& path)
    {
        return path.rfind('-', 0) == 0 ? QStringLiteral("./") + toQt(path) : toQt(path);
    }

    QStringList m_words;
};

/// What `plan` has otherwise than `base`.
void addAugmentation(Words& words, const AugmentPlan& plan, const AugmentPlan& base)
{
    words.pair("--crop-scale", plan.cropScaleMin, plan.cropScaleMax, base.cropScaleMin, base.cropScaleMax);
    words.number("--flip", plan.flip, base.flip);
    words.pair("--rand-augment", static_cast<double>(plan.operations), plan.magnitude,
               static_cast<double>(base.operations), base.magnitude);
    words.number("--erasing", plan.erasing, base.erasing);
    words.number("--mixup", plan.mixup, base.mixup);
    words.number("--cutmix", plan.cutmix, base.cutmix);
}

/// Words that it takes to come from a recipe to `plan`.
qsizetype lengthFrom(Augmentation base, const AugmentPlan& plan)
{
    const Words empty(QString{});
    Words words(QString{});
    addAugmentation(words, plan, planOf(base));
    return words.size() - empty.size();
}

/// From whichever recipe the line is shortest.
void addAugmentation(Words& words, const AugmentPlan& plan)
{
    Augmentation base = Augmentation::Deit;
    qsizetype least = lengthFrom(base, plan);
    for (const Augmentation other : {Augmentation::None, Augmentation::Light})
        if (2 + lengthFrom(other, plan) < least) {
            base = other;
            least = 2 + lengthFrom(other, plan);
        }
    if (base != Augmentation::Deit)
        words.always("--augment", base == Augmentation::None ? QStringLiteral("none") : QStringLiteral("light"));
    addAugmentation(words, plan, planOf(base));
}

void addDistillation(Words& words, const DistillationPlan& plan)
{
    const DistillationPlan usual;
    words.number("--attention-weight", plan.attentionWeight, usual.attentionWeight);
    words.number("--logit-weight", plan.logitWeight, usual.logitWeight);
    words.number("--label-weight", plan.labelWeight, usual.labelWeight);
    words.number("--temperature", plan.temperature, usual.temperature);
    words.number("--parameter-epochs", plan.parameterEpochs, usual.parameterEpochs);
}

void addPlan(Words& words, const TrainingPlan& plan)
{
    const TrainingPlan usual;
    words.number("--epochs", plan.epochs, usual.epochs);
    words.number("--batch-size", plan.batch, usual.batch);
    words.number("--accumulate", plan.accumulate, usual.accumulate);
    words.number("--lr", plan.optimizer.learningRate, usual.optimizer.learningRate);
    words.number("--final-lr", plan.optimizer.finalRate, usual.optimizer.finalRate);
    words.number("--warmup", plan.optimizer.warmupEpochs, usual.optimizer.warmupEpochs);
    words.number("--weight-decay", plan.optimizer.weightDecay, usual.optimizer.weightDecay);
    words.number("--clip", plan.optimizer.clip, usual.optimizer.clip);
    words.number("--label-smoothing", plan.labelSmoothing, usual.labelSmoothing);
    words.number("--drop-path", plan.dropPath, usual.dropPath);
    words.number("--ema", plan.average, usual.average);
    words.number("--seed", plan.seed, usual.seed);
    words.number("--workers", plan.workers, usual.workers);
    words.number("--limit", plan.limit, usual.limit);
    words.flag("--mixed-precision", plan.mixedPrecision);
    addAugmentation(words, plan.augment);
}

}  // namespace

QString trainCommand(const TrainRequest& request, int threads)
{
    const TrainRequest usual;
    Words words(QStringLiteral("train"));
    words.plain(request.folder);
    words.text("--layout", request.layout, usual.layout);
    words.text("--val", request.validation, usual.validation);
    words.text("--model", request.model.model, usual.model.model);
    words.number("--heads", request.model.heads, usual.model.heads);
    words.text("--init", request.model.weights, usual.model.weights);
    words.text("--attention", request.attention, usual.attention);
    words.text("--landmark-map", request.landmarkMap, usual.landmarkMap);
    words.text("--distil-from", request.teacher, usual.teacher);
    words.text("--out", request.output, usual.output);
    addPlan(words, request.plan);
    if (!request.teacher.empty())
        addDistillation(words, request.plan.distillation);
    words.text("--device", request.model.device, usual.model.device);
    words.text("--dtype", request.model.dtype, usual.model.dtype);
    words.number("--threads", static_cast<std::int64_t>(threads), std::int64_t{0});
    words.flag("--resume", request.resume);
    words.flag("--overwrite", request.overwrite);
    return words.line();
}

}  // namespace attnscope::ui
