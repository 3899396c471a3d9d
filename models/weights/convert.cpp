#include "models/weights/convert.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/sha256.h"
#include "models/weights/described_checkpoint.h"
#include "models/weights/header_description.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// A file of the name that other programs look for in a folder gets a description next to it; empty for any other name.
fs::path companionConfig(const ConvertRequest& request)
{
    const fs::path output(request.output);
    return output.filename() == "model.safetensors" ? output.parent_path() / "config.json" : fs::path();
}

void checkOutput(const ConvertRequest& request)
{
    std::error_code error;
    if (fs::is_directory(request.output, error))
        throw FileError(request.output, "this is a folder", "specify a file to write");
    if (fs::exists(request.output, error) && fs::equivalent(request.output, request.model.weights, error))
        throw UsageError(request.output, "it is the checkpoint itself", "specify another file to write");
    for (const fs::path& file : {fs::path(request.output), companionConfig(request)})
        if (!request.overwrite && !file.empty() && fs::exists(file, error))
            throw FileError(file.string(), "it already exists", "specify another file, or add --overwrite");
    requireWritable(request.output);
}

/// What one of our checkpoints states about its own origin: how it was trained.
Json ownProvenance(const std::string& path)
{
    const auto header = readHeaderDescription(readCheckpoint(path));
    return header ? header->provenance : Json::object();
}

Json provenanceOf(const ConvertRequest& request, const LoadReport& report)
{
    const std::string file = checkpointFile(request.model.weights);
    Json provenance{{"program", std::string("attnscope ") + version},
                    {"source", fs::path(file).filename().string()},
                    {"sha256", checkpointHash(file)},
                    {"container", report.container}};
    if (!report.nesting.empty())
        provenance["nesting"] = report.nesting;
    if (!report.naming.empty())
        provenance["naming"] = report.naming;
    if (const Json earlier = ownProvenance(file); !earlier.empty())
        provenance["before"] = earlier;
    return provenance;
}

template <typename Number>
SafetensorsEntry narrowed(const NamedTensor& tensor, ElementType type, const std::string& name)
{
    const std::vector<float> values = tensor.readFloat();
    SafetensorsEntry entry{type, tensor.shape(), std::vector<std::byte>(values.size() * sizeof(Number))};
    for (size_t i = 0; i < values.size(); ++i) {
        const Number number(values[i]);
        if (std::isfinite(values[i]) && !std::isfinite(float(number)))
            throw UsageError("", "`" + name + "` has a number too large for " + toText(type),
                             "write bfloat16 or float32");
        std::memcpy(entry.bytes.data() + i * sizeof(Number), &number, sizeof(Number));
    }
    return entry;
}

SafetensorsEntry entryOf(const NamedTensor& tensor, const std::string& dtype, const std::string& name)
{
    if (dtype == "float16")
        return narrowed<c10::Half>(tensor, ElementType::Float16, name);
    if (dtype == "bfloat16")
        return narrowed<c10::BFloat16>(tensor, ElementType::BFloat16, name);
    if (dtype == "float32")
        return narrowed<float>(tensor, ElementType::Float32, name);
    if (dtype != "stored")
        throw UsageError(dtype, "not a type that can be written", "write stored, float32, float16 or bfloat16");
    return {tensor.type(), tensor.shape(), tensor.read()};
}

}

ConvertReport convertCheckpoint(const ConvertRequest& request)
{
    checkOutput(request);
    DescribedCheckpoint described = describeCheckpoint(request.model);
    const NamedTensors tensors = described.tensors;  // views: nothing is read yet
    WeightLoader loader(std::move(described.tensors), std::move(described.report));
    loader.takeShapesOnly();
    ModelSetup setup;
    setup.advice = described.advice;
    const c10::InferenceMode guard;
    const auto classifier = described.description->load(loader, setup);

    ConvertReport report;
    report.load = classifier->describe().load;
    report.output = request.output;
    HeaderDescription header;
    header.model = described.description->toJson();
    header.labels = request.labels ? request.labels(described.description->classes())
                                   : described.description->labels();
    header.preprocessing = preprocessingJson(classifier->transform());
    header.provenance = provenanceOf(request, report.load);
    NamedTensors used;
    for (const std::string& name : loader.taken())
        used[name] = tensors.at(name);
    const ModelFamily* family = findFamily(described.description->family());
    const ExportedModel exported = family != nullptr && family->exported != nullptr
                                       ? family->exported(header.model, used)
                                       : ExportedModel{used, nullptr, {}};
    if (!exported.note.empty())
        report.load.notes.push_back(exported.note);
    std::map<std::string, SafetensorsEntry> entries;
    for (const auto& [name, tensor] : exported.tensors)
        entries[name] = entryOf(tensor, request.dtype, name);
    writeSafetensors(request.output, entries, headerMetadata(header));
    if (const fs::path config = companionConfig(request); exported.config.is_object() && !config.empty()) {
        const std::string text = exported.config.dump(2) + "\n";
        AtomicFile file(config);
        file.write(std::as_bytes(std::span(text)));
        file.commit();
        report.load.notes.emplace_back("timm opens its folder with the config.json next to it");
    }
    report.model = header.model;
    report.tensors = int64_t(entries.size());
    report.bytes = int64_t(fs::file_size(request.output));
    return report;
}

}
