// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_stale.h"

#include "ui/engine/compare_types.h"
#include "ui/scale/scale_command.h"
#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/made_with.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace attnscope::ui {

namespace {

/// "made with lara 49 and performer 64", of attentions that are ticked no more or not any longer alone.
QString attentions(const std::vector<AttentionSpec>& was)
{
    QStringList names;
    for (const AttentionSpec& spec : was)
        names << titleOfSpec(toQt(spec.canonical()));
    return names.isEmpty() ? tr("made with other backends") : tr("made with %1").arg(fewNames(names));
}

QString inputs(const std::vector<std::string>& was)
{
    return was.size() == 1 ? tr("made with %1").arg(QFileInfo(toQt(was.front())).fileName())
                           : tr("made with %1 inputs").arg(was.size());
}

/// Where q and k come from.
QString tensors(const SubjectRequest& was, const SubjectRequest& now)
{
    if (was.random.has_value() != now.random.has_value() || was.file != now.file)
        return was.random      ? tr("made with random q, k, v")
               : was.isModel() ? tr("made with the model's own q, k, v")
                               : inputs({was.file});
    if (was.random && (was.random->tokens != now.random->tokens || was.random->width != now.random->width))
        return tr("made with %1 tokens, head size %2").arg(was.random->tokens).arg(was.random->width);
    return {};
}

RunContext contextOf(const ModelRequest& model, std::uint64_t seed)
{
    return {.model = toQt(model.model),
            .weights = toQt(model.weights),
            .imageSize = model.imageSize,
            .heads = static_cast<int>(model.heads),
            .classEmbeddings = toQt(model.classEmbeddings),
            .device = toQt(model.device),
            .dtype = toQt(model.dtype),
            .seed = seed};
}

/// The context's words; else whatever the lines that repeat them differ in beyond what has words.
template <typename Job>
QString otherwise(const QString& context, const Job& was, const Job& now)
{
    return !context.isEmpty() || commandOf(was, 0) == commandOf(now, 0) ? context : tr("made with other settings");
}

/// Inputs and context of a model; the seed alone of what needs none.
template <typename Job>
QString ofModel(const Job& was, const Job& now)
{
    if (!was.subject.isModel())
        return was.request.seed != now.request.seed ? tr("made with seed %1").arg(was.request.seed)
                                                    : otherwise({}, was, now);
    if (was.subject.inputs != now.subject.inputs)
        return inputs(was.subject.inputs);
    return otherwise(madeWith(contextOf(was.subject.model, was.request.seed), contextOf(now.subject.model, now.request.seed), false), was,
                     now);
}

}  // namespace

QString scaleStale(const ScaleRequest& was, const ScaleRequest& now)
{
    if (was.attention != now.attention)
        return attentions(was.attention);
    if (was.lengths != now.lengths)
        return tr("made with %1 to %2 tokens").arg(was.lengths.front()).arg(was.lengths.back());
    if (was.layers != now.layers || was.width != now.width || was.heads != now.heads)
        return tr("made with %1 layers, dim %2, %3 heads").arg(was.layers).arg(was.width).arg(was.heads);
    if (was.backward != now.backward)
        return was.backward ? tr("made with forward and backward passes") : tr("made with forward passes only");
    const RunContext before{.device = toQt(was.device), .dtype = toQt(was.dtype), .seed = was.seed};
    const RunContext after{.device = toQt(now.device), .dtype = toQt(now.dtype), .seed = now.seed};
    return otherwise(madeWith(before, after, false), was, now);
}

QString scaleStale(const DecodeRequest& was, const DecodeRequest& now)
{
    if (was.file != now.file)
        return was.file.empty() ? tr("made with synthetic tokens") : inputs({was.file.string()});
    if (was.mechanisms != now.mechanisms)
        return tr("made with other mechanisms");
    if (was.positions != now.positions)
        return was.positions.empty() ? tr("made with the whole file")
                                     : tr("made with %1 to %2 tokens").arg(was.positions.front()).arg(was.positions.back());
    if (was.file.empty() && was.tokens != now.tokens)
        return tr("made with other tokens");
    if (!was.file.empty() && was.layer != now.layer)
        return tr("made with layer %1").arg(was.layer);
    if (was.file.empty() && (was.heads != now.heads || was.width != now.width))
        return tr("made with %1 of size %2")
            .arg(counted(was.heads, [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 head(s)", nullptr, n); }))
            .arg(was.width);
    if (was.dtype != now.dtype)
        return tr("made with %1").arg(toQt(was.dtype));
    return was.seed != now.seed ? tr("made with seed %1").arg(was.seed) : otherwise({}, was, now);
}

QString scaleStale(const ApproximateJob& was, const ApproximateJob& now)
{
    if (const QString source = tensors(was.subject, now.subject); !source.isEmpty())
        return source;
    if (was.request.attention != now.request.attention)
        return attentions(was.request.attention);
    if (was.request.samples != now.request.samples)
        return tr("made with %1 to %2 samples").arg(was.request.samples.front()).arg(was.request.samples.back());
    if (was.request.seeds != now.request.seeds)
        return madeWithSeeds(was.request.seeds);
    return ofModel(was, now);
}

QString scaleStale(const KernelJob& was, const KernelJob& now)
{
    if (const QString source = tensors(was.subject, now.subject); !source.isEmpty())
        return source;
    if (was.request.samples != now.request.samples)
        return counted(was.request.samples, [](int n) { return QCoreApplication::translate("attnscope::ui", "made with %1 feature(s)", nullptr, n); });
    return ofModel(was, now);
}

QString scaleStale(const PlanJob& was, const PlanJob& now)
{
    if (was.request.kind != now.request.kind || was.request.budget != now.request.budget)
        return tr("made for %1").arg(budgetName(was.request));
    if (was.request.candidates != now.request.candidates)
        return was.request.candidates.empty() ? tr("made with the default approximations")
                                              : attentions(was.request.candidates);
    const SubjectRequest &before = was.subject, &after = now.subject;
    if (before.labelled != after.labelled)
        return before.labelled.empty() ? tr("made without labels") : inputs({before.labelled});
    if (before.samples != after.samples)
        return counted(before.samples, [](int n) { return attnscope::ui::tr("made with %1 sample(s)", nullptr, n); });
    return ofModel(was, now);
}

}  // namespace attnscope::ui
