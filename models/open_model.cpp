#include "models/open_model.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/dtype.h"
#include "core/run/classifier.h"
#include "models/blocks/random_weights.h"
#include "models/class_embeddings.h"
#include "models/model_family.h"
#include "models/weights/described_checkpoint.h"

namespace attnscope {

namespace {

at::ScalarType parseDtype(const std::string& name)
{
    const auto type = scalarType(name);
    if (!type || *type == at::kDouble)
        throw UsageError("", "unknown dtype `" + printable(name) + "`",
                         "float32, bfloat16 and float16 are supported");
    return *type;
}

void requireWeights(const ModelRequest& request)
{
    if (request.weights.empty())
        throw UsageError("", "no weights were given",
                         "specify a checkpoint with --weights, or use --weights untrained for seeded random ones");
}

/// With its own classes, or none.
std::shared_ptr<const Classifier> openNetwork(const ModelRequest& request)
{
    ModelSetup setup{.device = at::Device(resolveDevice(request.device)),
                     .dtype = parseDtype(request.dtype),
                     .execution = request.plain ? Execution::Reference : Execution::Optimized,
                     .positionRule = parsePositionRule(request.positionRule)};
    try {
        const auto seed = untrainedSeed(request.weights);
        if (!seed) {
            setup.source = request.weights;
            return describeCheckpoint(request).load(setup);
        }
        setup.source = "untrained, seed " + std::to_string(*seed);
        return describeModel(request)->untrained(*seed, setup);
    } catch (const c10::Error& error) {
        throw Unsupported(request.weights, std::string("the model could not be moved to ") + setup.device.str()
                                               + " (" + error.what_without_backtrace() + ")");
    }
}

std::shared_ptr<const Classifier> openWithClasses(const ModelRequest& request)
{
    requireWeights(request);
    if (request.classEmbeddings.empty())
        return openNetwork(request);
    const ClassEmbeddings embeddings = readClassEmbeddings(request.classEmbeddings,
                                                           request.limits);  // before a large checkpoint
    return withClassEmbeddings(openNetwork(request), embeddings);
}

}

std::shared_ptr<const Classifier> openModel(const ModelRequest& request)
{
    const c10::InferenceMode guard;
    return openWithClasses(request);
}

std::shared_ptr<const Classifier> openDifferentiable(ModelRequest request)
{
    const c10::InferenceMode guard(false);
    const at::NoGradGuard constants;
    request.plain = true;
    return openWithClasses(request);
}

LoadReport fitOf(const ModelRequest& request)
{
    requireWeights(request);
    const ModelSetup setup{.positionRule = parsePositionRule(request.positionRule)};
    const c10::InferenceMode guard;
    try {
        return describeCheckpoint(request).load(setup, Values::LeftOut)->describe().load;
    } catch (const CheckpointMismatch& mismatch) {
        return mismatch.report();
    }
}

ModelSummary summary(const Classifier& classifier)
{
    return classifier.describe();
}

Transform evaluationTransform(const Classifier& classifier)
{
    return classifier.transform();
}

const std::vector<CatalogueEntry>& catalogue()
{
    static const std::vector<CatalogueEntry> entries = [] {
        std::vector<CatalogueEntry> list;
        for (const auto& [title, note, d] : namedModels())
            list.push_back({.name = d->name(),
                            .family = d->family(),
                            .title = title,
                            .parameters = d->parameters(),
                            .macs = d->multiplyAdds(),
                            .input = d->input(),
                            .nativeAttention = d->attention().canonical(),
                            .note = note});
        return list;
    }();
    return entries;
}

}
