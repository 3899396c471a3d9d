// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/batch/evaluate_command.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include <QStringList>

namespace attnscope::ui {

namespace {

void addModel(QStringList& words, const ModelRequest& model)
{
    if (!model.model.empty())
        words << QStringLiteral("--model") << toQt(model.model);
    words << QStringLiteral("--weights") << toQt(model.weights);
    if (model.heads > 0)
        words << QStringLiteral("--heads") << QString::number(model.heads);
}

void addNumber(QStringList& words, const char* name, std::int64_t value)
{
    if (value != 0)
        words << QString::fromLatin1(name) << QString::number(value);
}

/// "untrained, seed 3" as it is asked for: "untrained:3".
std::string weightsAsRequested(const std::string& stored)
{
    const std::string prefix = "untrained, seed ";
    return stored.rfind(prefix, 0) == 0 ? "untrained:" + stored.substr(prefix.size()) : stored;
}

std::optional<ViewGrid> gridOf(const std::string& text)
{
    const QStringList sides = toQt(text).split(QLatin1Char('x'));
    if (sides.size() != 2)
        return std::nullopt;
    return ViewGrid{sides[0].toLongLong(), sides[1].toLongLong()};
}

}  // namespace

QString evaluateCommand(const EvaluationPlan& plan)
{
    QStringList words{QStringLiteral("attnscope-cli"), QStringLiteral("evaluate")};
    const QString folder = toQt(plan.folder);
    words << (folder.startsWith(QLatin1Char('-')) ? QStringLiteral("./") + folder : folder);
    if (plan.layout != "auto")
        words << QStringLiteral("--layout") << toQt(plan.layout);
    addModel(words, plan.model);
    for (const AttentionSpec& spec : plan.attention)
        words << QStringLiteral("--attention") << toQt(spec.canonical());
    words << QStringLiteral("--store") << toQt(plan.store);
    if (!plan.cache.empty())
        words << QStringLiteral("--cache") << toQt(plan.cache) << QStringLiteral("--cache-bytes") << QString::number(plan.cacheBytes);
    if (plan.views)
        words << QStringLiteral("--views")
              << QStringLiteral("%1x%2").arg(plan.views->clips).arg(plan.views->crops);
    addNumber(words, "--batch-size", plan.batch);
    addNumber(words, "--limit", plan.limit);
    words << QStringLiteral("--device") << toQt(plan.model.device) << QStringLiteral("--dtype")
          << toQt(plan.model.dtype) << QStringLiteral("--seed") << QString::number(plan.seed);
    addNumber(words, "--threads", plan.threads);
    if (plan.resume)
        words << QStringLiteral("--resume");
    for (QString& word : words)
        word = shellQuoted(word);
    return words.join(QLatin1Char(' '));
}

EvaluationPlan planOf(const StoredEvaluation& evaluation, const std::string& store)
{
    EvaluationPlan plan;
    const EvaluationSettings& settings = evaluation.settings;
    plan.model.weights = weightsAsRequested(settings.weights);
    // A checkpoint of ours says itself what it is; a name of the catalogue is asked for by that name.
    for (const CatalogueEntry& entry : catalogue())
        if (entry.name == settings.model)
            plan.model.model = settings.model;
    plan.model.dtype = settings.dtype;
    plan.folder = evaluation.dataRoot;
    plan.layout = folderLayoutName(evaluation.layout);
    for (const StoredRun& run : evaluation.runs)
        plan.attention.push_back(AttentionSpec::parse(run.attention));
    plan.seed = settings.seed;
    plan.threads = settings.threads;
    plan.batch = settings.batch;
    plan.limit = settings.limit;
    plan.views = gridOf(settings.views);
    plan.store = store;
    plan.resume = true;
    return plan;
}

}  // namespace attnscope::ui
