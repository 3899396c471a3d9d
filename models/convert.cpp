// SPDX-License-Identifier: Apache-2.0
#include "models/convert.h"

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/sha256.h"
#include "models/described_checkpoint.h"
#include "models/header_description.h"

#include <filesystem>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

void checkOutput(const ConvertRequest& request)
{
    std::error_code error;
    if (fs::is_directory(request.output, error))
        throw FileError(request.output, "this is a folder", "name a file to write");
    if (fs::exists(request.output, error) && fs::equivalent(request.output, request.model.weights, error))
        throw UsageError(request.output, "it is the checkpoint itself", "name another file to write");
    if (!request.overwrite && fs::exists(request.output, error))
        throw FileError(request.output, "it exists", "name another file, or add --overwrite");
}

Json provenanceOf(const ConvertRequest& request, const LoadReport& report)
{
    Json provenance{{"program", std::string("attnscope ") + version},
                    {"source", fs::path(request.model.weights).filename().string()},
                    {"sha256", sha256(*openFile(request.model.weights))},
                    {"container", report.container}};
    if (!report.nesting.empty())
        provenance["nesting"] = report.nesting;
    if (!report.naming.empty())
        provenance["naming"] = report.naming;
    return provenance;
}

}  // namespace

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
    header.labels = request.labels ? request.labels(described.description->classes()) : described.description->labels();
    header.preprocessing = preprocessingJson(classifier->transform());
    header.provenance = provenanceOf(request, report.load);
    std::map<std::string, SafetensorsEntry> entries;
    for (const std::string& name : loader.taken())
        entries[name] = {tensors.at(name).parts.front().type, tensors.at(name).shape(), tensors.at(name).read()};
    writeSafetensors(request.output, entries, headerMetadata(header));
    report.model = header.model;
    report.tensors = static_cast<std::int64_t>(entries.size());
    report.bytes = static_cast<std::int64_t>(fs::file_size(request.output));
    return report;
}

}  // namespace attnscope
