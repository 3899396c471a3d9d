// SPDX-License-Identifier: Apache-2.0
// Every golden of the attentions and models that exist, on one device, without Qt: for machines that have LibTorch alone.
//
//     golden_runner DATA_FOLDER [--device cpu|cuda]
//
// Prints one line a case (largest difference, tolerance) and ends with "N passed, N failed"; exit code 1 when one failed.
#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"
#include "core/run/attend.h"
#include "core/run/classifier.h"
#include "core/run/device.h"
#include "models/open_model.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace {

using namespace attnscope;
namespace fs = std::filesystem;

struct Score {
    int passed = 0, failed = 0;

    void add(const std::string& name, double difference, double tolerance)
    {
        const bool ok = difference <= tolerance;  // false for NaN
        std::printf("%-6s %-70s %9.2e  (tolerance %.1e)\n", ok ? "pass" : "FAIL", name.c_str(), difference, tolerance);
        ++(ok ? passed : failed);
    }
    void fail(const std::string& name, const std::string& reason)
    {
        std::printf("FAIL   %-70s %s\n", name.c_str(), reason.c_str());
        ++failed;
    }
};

std::set<fs::path> filesIn(const fs::path& folder, const std::string& suffix)
{
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string();
            name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
            files.insert(entry.path());
    return files;
}

void runAttention(const fs::path& folder, const std::string& device, const std::string& dtype, Score& score)
{
    for (const fs::path& file : filesIn(folder, ".safetensors")) {
        const std::string name = file.stem().string();
        if (name.compare(0, 4, "fig1") == 0)
            continue;  // q, k, v without an expected output
        try {
            AttendRequest request;
            request.file = file;
            request.device = device;
            request.dtype = dtype;
            request.seeds = 1;
            request.latency = false;
            for (const AttendCase& result : attend(request, {}, {}).cases)
                if (result.unavailable.empty() && result.expected)
                    score.add(name + " " + result.attention + " " + dtype, result.expected->maximumDifference, result.expected->tolerance);
        } catch (const UsageError&) {
            // An attention that this version does not have.
        } catch (const std::exception& error) {
            score.fail(name, error.what());
        }
    }
}

at::Tensor tensorOf(const StateDict& state, const std::string& name)
{
    const StoredTensor& stored = state.tensors.at(name);
    auto values = stored.readFloat();
    return at::from_blob(values.data(), stored.shape, at::kFloat).clone();
}

void runModel(const fs::path& description, const std::string& device, Score& score)
{
    std::ifstream stream(description);
    const Json json = Json::parse(stream);
    const std::string family = json["config"].value("family", "");
    if (family != "deit" && family != "evit")
        return;
    const fs::path folder = description.parent_path();
    const auto model = openModel({.model = description.string(),
                                  .weights = (folder / json["weights_files"]["official"].get<std::string>()).string(),
                                  .device = device});
    const StateDict io = readCheckpoint(folder / json["io_file"].get<std::string>());
    const c10::InferenceMode guard;
    const auto input = tensorOf(io, "input").to(model->device());
    const auto logits = model->logits(input, model->prepare(AttentionSpec::native(), 0)).cpu();
    score.add(json["case"].get<std::string>() + " logits", (logits - tensorOf(io, "logits")).abs().max().item<double>(),
              json["suggested_atol"].get<double>());
}

int run(const fs::path& data, const std::string& device)
{
    Score score;
    for (const char* dtype : {"float32", "float64"})
        runAttention(data / "attention", device, dtype, score);
    for (const fs::path& description : filesIn(data / "models", ".json"))
        runModel(description, device, score);
    std::printf("%d passed, %d failed\n", score.passed, score.failed);
    return score.failed == 0 && score.passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
    const bool withDevice = argc == 4 && std::string(argv[2]) == "--device";
    if (argc != 2 && !withDevice) {
        std::fprintf(stderr, "usage: golden_runner DATA_FOLDER [--device cpu|cuda]\n");
        return 2;
    }
    try {
        return run(argv[1], resolveDevice(withDevice ? argv[3] : "cpu"));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "golden_runner: %s\n", error.what());
        return 1;
    }
}
