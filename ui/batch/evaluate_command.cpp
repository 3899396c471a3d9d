#include "ui/batch/evaluate_command.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include <QStringList>

namespace attnscope::ui {

namespace {

/// "untrained, seed 3" as it is asked for: "untrained:3".
std::string weightsAsRequested(const std::string& stored)
{
    const std::string prefix = "untrained, seed ";
    return stored.starts_with(prefix) ? "untrained:" + stored.substr(prefix.size()) : stored;
}

std::optional<ViewGrid> gridOf(const std::string& text)
{
    const QStringList sides = toQt(text).split(QLatin1Char('x'));
    if (sides.size() != 2)
        return std::nullopt;
    return ViewGrid{sides[0].toLongLong(), sides[1].toLongLong()};
}

}

QString evaluateCommand(const EvaluationSetup& plan)
{
    CommandLine line("evaluate");
    line.input(plan.folder);
    line.put("--layout", plan.layout, "auto");
    line.model(plan.model);
    line.attention(plan.attention);
    line.put("--store", plan.store);
    if (!plan.cache.empty()) {
        line.put("--cache", plan.cache);
        line.put("--cache-bytes", plan.cacheBytes);
    }
    if (plan.views)
        line.put("--views", u"%1x%2"_s.arg(plan.views->clips).arg(plan.views->crops));
    line.put("--batch-size", plan.batch, 0);
    line.put("--limit", plan.limit, 0);
    line.put("--train-limit", plan.features ? trainedFeatures : 0, 0);
    line.device(plan.model.device, plan.model.dtype, plan.seed);
    line.threads(plan.threads);
    line.flag("--resume", plan.resume);
    return line.text();
}

EvaluationSetup planOf(const StoredEvaluation& evaluation, const std::string& store)
{
    EvaluationSetup plan;
    const EvaluationSettings& settings = evaluation.settings;
    plan.model.weights = weightsAsRequested(settings.weights);
    const std::string model = settings.model.substr(
        0, settings.model.find(" · "));  // of features the readout follows
    plan.features = model != settings.model;
    // A checkpoint of ours says itself what it is; a name of the catalogue is asked for by that name.
    for (const CatalogueEntry& entry : catalogue())
        if (entry.name == model)
            plan.model.model = model;
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

}
