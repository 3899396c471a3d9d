// The goldens of attentions and models, on one device, without Qt: for machines that have LibTorch alone.
//
//     golden_runner DATA_FOLDER [--device cpu|cuda] [--dtype float32|float64]
//
// Prints one line a case (largest difference, tolerance) and ends with "N passed, N failed"; exit code 1 when one failed.
// Without --dtype both are run. Cases of attentions that are not built are listed, never passed over in silence.
#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"
#include "core/device/device.h"
#include "core/lab/attend/attend.h"
#include "core/run/classifier.h"
#include "models/open_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace attnscope;
namespace fs = std::filesystem;

struct Score {
    int passed = 0, failed = 0, absent = 0;

    void add(const std::string& name, double difference, double tolerance)
    {
        const bool ok = difference <= tolerance;  // false for NaN
        std::printf("%-6s %-70s %9.2e  (tolerance %.1e)\n", ok ? "pass" : "FAIL", name.c_str(), difference,
                    tolerance);
        ++(ok ? passed : failed);
    }
    void fail(const std::string& name, const std::string& reason)
    {
        std::printf("FAIL   %-70s %s\n", name.c_str(), reason.c_str());
        ++failed;
    }
    void skip(const std::string& name, const std::string& reason)
    {
        std::printf("absent %-70s %s\n", name.c_str(), reason.c_str());
        ++absent;
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

/// In float64 the outputs' own storage as float32 is what is left: half a unit in the last place of the largest one.
/// A pseudo-inverse amplifies the rounding of landmarks that are stored as float32 about as much as that of float32 arithmetic.
double doubleTolerance(const StateDict& file, const AttendCase& result)
{
    float largest = 0;
    for (const float value : file.tensors.at(result.expected->tensor).readFloat())
        largest = std::max(largest, std::abs(value));
    const bool amplified = result.attention.compare(0, 7, "nystrom") == 0 && file.tensors.count("q_land") > 0;
    return std::max({1e-6, 1.01 * 0x1p-24 * double(largest), amplified ? result.expected->tolerance / 20 : 0});
}

void runFile(const fs::path& file, const std::string& device, const std::string& dtype, Score& score)
{
    AttendRequest request;
    request.file = file;
    request.device = device;
    request.dtype = dtype;
    request.seeds = 1;
    request.latency = false;
    const StateDict stored = readCheckpoint(file);
    for (const AttendCase& result : attend(request, {}, {}).cases) {
        const std::string name = file.stem().string() + " " + result.attention + " " + dtype;
        if (!result.unavailable.empty())
            score.skip(name, result.unavailable);
        else if (!result.expected)
            score.fail(name, "has no expected output");
        else
            score.add(name, result.expected->maximumDifference,
                      dtype == "float64" ? doubleTolerance(stored, result) : result.expected->tolerance);
    }
}

void runAttention(const fs::path& folder, const std::string& device, const std::string& dtype, Score& score)
{
    for (const fs::path& file : filesIn(folder, ".safetensors")) {
        if (file.stem().string().compare(0, 4, "fig1") == 0)
            continue;  // q, k, v without an expected output: tst_figure1
        try {
            runFile(file, device, dtype, score);
        } catch (const UsageError& error) {  // such as a method that is not offered
            score.skip(file.stem().string() + " " + dtype, error.reason());
        } catch (const std::exception& error) {
            score.fail(file.stem().string() + " " + dtype, error.what());
        }
    }
}

at::Tensor tensorOf(const StateDict& state, const std::string& name)
{
    const StoredTensor& stored = state.tensors.at(name);
    auto values = stored.readFloat();
    return at::from_blob(values.data(), stored.shape, at::kFloat).clone();
}

/// Orthoformer begins with a landmark that the case's code drew at random.
void giveFirstLandmarks(const Json& json, PreparedAttention& prepared)
{
    static SeededNoise unused(0, 0);
    const auto calls = json.find("orthoformer_first_landmark_index_per_call");
    if (calls == json.end())
        return;
    for (size_t layer = 0; layer < prepared.noise.size(); ++layer) {
        const auto first = at::tensor((*calls)[layer].get<std::vector<double>>(), at::kDouble).unsqueeze(0);
        prepared.noise[layer] = std::make_shared<RecordedNoise>(
            std::map<std::string, at::Tensor>{{"first", first}}, unused);
    }
}

/// One case under one naming of its weights, on its image and, where it has one, on an odd rectangular one.
void runWeights(const fs::path& description, const Json& json, const std::string& naming,
                const std::string& device, Score& score)
{
    const fs::path folder = description.parent_path();
    const auto model = openModel({.model = description.string(),
                                  .weights = (folder / json["weights_files"][naming].get<std::string>()).string(),
                                  .device = device});
    const StateDict io = readCheckpoint(folder / json["io_file"].get<std::string>());
    const c10::InferenceMode guard;
    for (const std::string image : {"", "_rect"}) {
        if (io.tensors.count("input" + image) == 0)
            continue;
        const auto input = tensorOf(io, "input" + image).to(model->device());
        PreparedAttention native = model->prepare(AttentionSpec::native(), 0);
        giveFirstLandmarks(json, native);
        const auto logits = model->logits(input, native).cpu();
        const std::string answer = (io.tensors.count("logits" + image) > 0 ? "logits" : "features") + image;
        score.add(json["case"].get<std::string>() + " " + naming + " " + answer,
                  (logits - tensorOf(io, answer)).abs().max().item<double>(),
                  json["suggested_atol"].get<double>());
    }
}

void runModel(const fs::path& description, const std::string& device, Score& score)
{
    std::ifstream stream(description);
    const Json json = Json::parse(stream);
    // Plain functions of q, k and v: tst_attention_groups. Weights of one network under other names: tst_vit_formats.
    if (!json.contains("config") || !fs::exists(description.parent_path() / json.value("io_file", "none")))
        return;
    for (const auto& [naming, file] : json["weights_files"].items())
        runWeights(description, json, naming, device, score);
}

struct Options {
    std::string device = "cpu";
    std::vector<std::string> dtypes{"float32", "float64"};
};

int run(const fs::path& data, const Options& options)
{
    Score score;
    for (const std::string& dtype : options.dtypes)
        runAttention(data / "attention", options.device, dtype, score);
    // What is stored of these was computed in float32.
    if (std::ranges::count(options.dtypes, "float32") > 0)
        for (const char* folder : {"mechanisms", "training_free"})
            runAttention(data / folder, options.device, "float32", score);
    for (const char* folder : {"models", "vit"})
        for (const fs::path& description : filesIn(data / folder, ".json")) {
            try {
                runModel(description, options.device, score);
            } catch (const Unsupported& error) {
                score.skip(description.stem().string(), error.reason());
            } catch (const UsageError& error) {
                score.skip(description.stem().string(), error.reason());
            } catch (const std::exception& error) {
                score.fail(description.stem().string(), error.what());
            }
        }
    std::printf("%d cases of attentions that are not built\n", score.absent);
    std::printf("%d passed, %d failed\n", score.passed, score.failed);
    return score.failed == 0 && score.passed > 0 ? 0 : 1;
}

}

int main(int argc, char** argv)
{
    Options options;
    bool understood = argc >= 2 && argc % 2 == 0;
    for (int i = 2; understood && i + 1 < argc; i += 2) {
        const std::string name = argv[i], value = argv[i + 1];
        if (name == "--device")
            options.device = value;
        else if (name == "--dtype" && (value == "float32" || value == "float64"))
            options.dtypes = {value};
        else
            understood = false;
    }
    if (!understood) {
        std::fprintf(stderr, "usage: golden_runner DATA_FOLDER [--device cpu|cuda] [--dtype float32|float64]\n");
        return 2;
    }
    try {
        options.device = resolveDevice(options.device);
        return run(argv[1], options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "golden_runner: %s\n", error.what());
        return 1;
    }
}
