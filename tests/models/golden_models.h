#pragma once

#include "core/base/json.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "models/open_model.h"
#include "tests/support/tensor_file.h"
#include "tests/support/tensors.h"

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// The golden cases of tests/data/models: small networks of every kind, and what the code of their authors answers.
namespace attnscope::test {

inline const std::string modelFolder = TEST_DATA_DIR "/models/";
/// suggested_atol of the cases: above rounding, below what mistakes do.
inline constexpr double goldenTolerance = 3e-5;

inline Json goldenJson(const std::string& name)
{
    return Json::parse(std::ifstream(modelFolder + name + ".json"));
}

/// Inputs, activations and answers.
inline std::map<std::string, at::Tensor> goldenTensors(const std::string& name)
{
    return readTensors(modelFolder + name + ".io.safetensors");
}

/// What opens a case; with its own weights where the request has none.
inline ModelRequest goldenRequest(const std::string& name, ModelRequest request = {})
{
    request.model = modelFolder + name + ".json";
    if (request.weights.empty())
        request.weights = modelFolder + goldenJson(name)["weights_files"]["official"].get<std::string>();
    request.device = "cpu";
    return request;
}

inline std::shared_ptr<const Classifier> goldenModel(const std::string& name = "deit_tiny_cfg",
                                                     const ModelRequest& request = {})
{
    return openModel(goldenRequest(name, request));
}

/// A method as the network's layers have it.
inline PreparedAttention prepare(const Classifier& network, const std::string& spec = "native", uint64_t seed = 0)
{
    return network.prepare(AttentionSpec::parse(spec), seed);
}

/// The first landmarks that the case's code drew, layer by layer.
inline void giveFirstLandmarks(const Json& json, PreparedAttention& prepared)
{
    if (!json.contains("orthoformer_first_landmark_index_per_call"))
        return;
    static SeededNoise unused(0, 0);
    for (size_t layer = 0; layer < prepared.noise.size(); ++layer) {
        const auto first = json["orthoformer_first_landmark_index_per_call"][layer].get<std::vector<double>>();
        prepared.noise[layer] = std::make_shared<RecordedNoise>(
            std::map<std::string, at::Tensor>{{"first", at::tensor(first, at::kDouble).unsqueeze(0)}}, unused);
    }
}

/// sin(step · i).
inline FloatArray waveArray(float step = 0.1f, const std::vector<int64_t>& shape = {3, 32, 32})
{
    FloatArray array{shape, {}};
    int64_t count = 1;
    for (const int64_t size : shape)
        count *= size;
    for (int64_t i = 0; i < count; ++i)
        array.values.push_back(std::sin(step * float(i)));
    return array;
}

inline InputSource waves(float step = 0.1f, const std::vector<int64_t>& shape = {3, 32, 32})
{
    return {.path = "waves" + std::to_string(step), .load = [=] { return waveArray(step, shape); }};
}

/// Keeps every named activation, and what attention was given and gave.
class Recorder : public ForwardObserver {
public:
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override
    {
        activations[name] = value.clone();
    }
    void beforeAttention(int64_t) override { ++before; }
    void afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor& output) override
    {
        layers.push_back(layer);
        inputs.push_back(input);
        outputs.push_back(output);
    }

    std::map<std::string, at::Tensor> activations;
    std::vector<int64_t> layers;
    std::vector<AttentionInput> inputs;
    std::vector<at::Tensor> outputs;
    int before = 0;
};

}
