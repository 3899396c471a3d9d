// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/neighbours/neighbours_command.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/made_with.h"

#include "core/attention/option.h"

#include <QFileInfo>

namespace attnscope::ui {

namespace {

RunContext contextOf(const NeighbourQuestion& question)
{
    return {.model = toQt(question.model.model),
            .weights = toQt(question.model.weights),
            .imageSize = question.model.imageSize,
            .heads = static_cast<int>(question.model.heads),
            .classEmbeddings = toQt(question.model.classEmbeddings),
            .device = toQt(question.model.device),
            .dtype = toQt(question.model.dtype),
            .seed = question.seed};
}

QString fileNameOf(const std::string& path)
{
    return QFileInfo(toQt(path)).fileName();
}

}  // namespace

QString neighboursCommand(const NeighbourQuestion& question, int threads)
{
    CommandLine line("neighbours");
    if (!question.image.empty())
        line.input(question.image);
    line.put("--datastore", question.datastore);
    line.put("--build", question.build, "");
    line.put("--evaluate", question.evaluate, "");
    line.put("--limit", question.limit, 0);
    line.model(question.model);
    if (question.attention != AttentionSpec::native())
        line.attention({question.attention});
    if (!question.request.k.empty())
        line.put("--k", question.request.k);
    if (!question.request.mix.empty()) {
        QStringList mixes;
        for (const double mix : question.request.mix)
            mixes << toQt(toText(OptionValue(mix)));
        line.put("--mix", mixes.join(QLatin1Char(',')));
    }
    line.put("--distance", std::string(toText(question.request.distance)));
    if (question.request.temperature)
        line.put("--temperature", *question.request.temperature);
    line.device(question.model.device, question.model.dtype, question.seed);
    line.threads(threads);
    return line.text();
}

QString neighboursStale(const NeighbourQuestion& was, const NeighbourQuestion& now)
{
    if (was.datastore != now.datastore)
        return tr("made with %1").arg(fileNameOf(was.datastore));
    if (was.evaluate != now.evaluate)
        return was.evaluate.empty() ? tr("made without an evaluation") : tr("made with %1").arg(dataTitle(toQt(was.evaluate)));
    if (was.limit != now.limit)
        return was.limit == 0 ? tr("made with all samples") : counted(was.limit, [](int n) { return tr("made with %1 sample(s)", nullptr, n); });
    if (was.attention != now.attention)
        return was.attention == AttentionSpec::native() ? tr("made with the model's own attention")
                                                        : tr("made with %1").arg(titleOfSpec(toQt(was.attention.canonical())));
    if (was.request.distance != now.request.distance)
        return tr("made with another distance");
    if (!(was.request == now.request))
        return tr("made with other settings");
    return madeWith(contextOf(was), contextOf(now), false);
}

}  // namespace attnscope::ui
