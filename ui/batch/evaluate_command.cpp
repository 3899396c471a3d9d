#include "ui/batch/evaluate_command.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include "models/evaluate_options.h"

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
    EvaluateOptions options;
    options.folder = plan.folder;
    options.layout = plan.layout;
    options.protocol = plan.protocol;
    options.model = plan.model;
    options.attention = canonical(plan.attention);
    if (!takeNetworks(plan.networks(), options, options.attention))
        return {};
    options.store = plan.store;
    options.request.cache = plan.cache;
    if (!plan.cache.empty())
        options.request.cacheBytes = plan.cacheBytes;
    if (plan.views)
        options.video.views = plan.views->name();
    options.request.batch = plan.batch;
    options.request.limit = plan.limit;
    options.request.resume = plan.resume;
    options.trainLimit = plan.features ? trainedFeatures : 0;
    options.device = {plan.model.device, plan.model.dtype, plan.threads, plan.seed};
    return CommandLine("evaluate", options).text();
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
    plan.protocol = settings.protocol;
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
