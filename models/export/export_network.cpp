#include "models/export/export_network.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/sha256.h"
#include "core/run/classifier.h"
#include "models/export/exportable.h"
#include "models/export/trace.h"
#include "models/export/translate.h"
#include "models/weights/described_checkpoint.h"
#include "models/weights/header_description.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Recorded operators compute the network up to the order of their sums.
constexpr double allowedError = 1e-3;

void requireOutput(const ExportRequest& request)
{
    if (request.output.empty())
        throw UsageError("", "no file to write was given", "specify one with --out, such as network.onnx");
    std::error_code error;
    if (!request.overwrite && fs::exists(request.output, error))
        throw FileError(request.output, "it already exists", "specify another file, or add --overwrite");
    requireWritable(request.output);
}

/// The same attention by LibTorch's operators.
AttentionSpec inOperators(const AttentionSpec& spec)
{
    return spec.value("kernel") ? spec.with("kernel", std::string("plain")) : spec;
}

AttentionSpec inOperators(const AttentionSpec& spec, int64_t layers)
{
    std::vector<AttentionSpec> all;
    for (int64_t layer = 0; layer < layers; ++layer)
        all.push_back(inOperators(spec.layer(layer)));
    return AttentionSpec::perLayer(all).withTokens(spec.tokens());
}

at::Tensor randomImages(int64_t count, const std::vector<int64_t>& shape, uint64_t key)
{
    SeededNoise noise(key, 0);
    return noise.normal("images", {count, shape[0], shape[1], shape[2]}, at::TensorOptions(at::kFloat));
}

/// The largest difference over the largest output.
double relativeDifference(const at::Tensor& a, const at::Tensor& b)
{
    const auto scale = b.abs().max().item<double>();
    const auto difference = (a - b).abs().max().item<double>();
    return scale > 0 ? difference / scale : difference;
}

/// A sentence that becomes part of another.
std::string withoutStop(std::string sentence)
{
    if (sentence.ends_with('.'))
        sentence.pop_back();
    return sentence;
}

std::string sourceHash(const ModelRequest& request)
{
    return request.weights.starts_with("untrained") ? std::string()
                                                    : checkpointHash(checkpointFile(request.weights));
}

void describe(const Classifier& network, const ExportRequest& request, const ExportReport& report,
              onnx::Model& model)
{
    model.name = report.model;
    model.producer = "Attnscope";
    model.producerVersion = version;
    model.description = report.model + " with " + report.attention;
    Json preprocessing = preprocessingJson(network.transform());
    preprocessing["layout"] = "NCHW, RGB";
    model.metadata = {{"model", report.model},
                      {"attention", report.attention},
                      {"seed", std::to_string(report.seed)},
                      {"weights", network.describe().weightsSource},
                      {"preprocessing", preprocessing.dump()},
                      {"program", std::string("Attnscope ") + version}};
    if (const std::string hash = sourceHash(request.model); !hash.empty())
        model.metadata["weights_sha256"] = hash;
    if (const auto labels = network.labels(); !labels.empty())
        model.metadata["labels"] = Json(labels).dump();
}

/// Both passes, what they have in common as a network, and the check.
double record(const Classifier& network, const PreparedAttention& prepared, const ExportReport& report,
              onnx::Model& model)
{
    const auto images = [&](int64_t count, uint64_t key) { return randomImages(count, report.input, key); };
    (void)differentiablePass(network, prepared, images(1, 1));  // what is computed once is there from now on
    const Trace two = traced(network, prepared, images(2, 2)), three = traced(network, prepared, images(3, 3));
    translate(two, three, report.outputName, model);
    const at::Tensor unseen = images(2, 4);
    const double error = relativeDifference(replayed(two, unseen), differentiablePass(network, prepared, unseen));
    if (!(error <= allowedError))
        throw Unsupported("",
                          "what was recorded for one image does not hold for another: it decides by their values");
    return error;
}

/// A network before it is written.
struct Recording {
    std::shared_ptr<const Classifier> network;
    ExportReport report;
    onnx::Model model;
};

Recording recorded(const ExportRequest& request)
{
    const AttentionSpec requested = AttentionSpec::parse(request.attention);
    const auto network = openDifferentiable(request.model);
    const ModelSummary& summary = network->describe();
    if (summary.input.size() != 3)
        throw UsageError(summary.name, "networks for videos are not exported",
                         "export one for images, such as deit_small_patch16_224");
    if (network->dtype() != at::kFloat)
        throw UsageError("", "networks are exported in float32", "leave out --dtype");
    const PreparedAttention wanted = network->prepare(requested, request.seed);
    requireExportable(wanted.resolved, summary.layers);
    const PreparedAttention prepared = network->prepare(inOperators(wanted.resolved, summary.layers),
                                                        request.seed);

    ExportReport report{.output = request.output,
                        .external = {},
                        .model = summary.name,
                        .attention = wanted.resolved.canonical(),
                        .seed = wanted.seed,
                        .outputName = summary.classes > 0 ? "logits" : "features",
                        .outputs = summary.classes > 0 ? summary.classes : summary.features,
                        .input = summary.input,
                        .parameters = summary.parameters,
                        .notes = wanted.notes};
    onnx::Model model;
    try {
        report.recordingError = record(*network, prepared, report, model);
    } catch (const Unsupported& error) {
        throw UsageError(report.attention, "it cannot be exported: " + withoutStop(error.reason()),
                         "the nearest that can is " + nearestExportable(wanted.resolved.layer(0)));
    }
    report.operators = int64_t(model.nodes.size());
    return {network, std::move(report), std::move(model)};
}

}

ExportReport exportNetwork(const ExportRequest& request)
{
    requireOutput(request);
    auto [network, report, model] = recorded(request);
    describe(*network, request, report, model);
    const onnx::WrittenFiles written = onnx::write(model, request.output, request.externalAbove);
    report.bytes = written.bytes;
    report.external = written.external.string();
    return report;
}

std::vector<std::string> exportedOperators(const ExportRequest& request)
{
    const Recording recording = recorded(request);
    std::vector<std::string> names;
    for (const onnx::Node& node : recording.model.nodes)
        names.push_back(node.name);
    return names;
}

Json toJson(const ExportReport& report)
{
    Json json{{"output", jsonPath(report.output)},
              {"bytes", report.bytes},
              {"model", report.model},
              {"attention", report.attention},
              {"seed", report.seed},
              {"input", report.input},
              {"output_name", report.outputName},
              {"outputs", report.outputs},
              {"operators", report.operators},
              {"parameters", report.parameters},
              {"opset", onnx::Model::opset},
              {"recording_error", report.recordingError},
              {"notes", report.notes}};
    if (!report.external.empty())
        json["external"] = jsonPath(report.external);
    return json;
}

}
