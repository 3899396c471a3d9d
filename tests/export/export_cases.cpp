// Writes small networks of every family and every exported attention as ONNX, each with images and with what we predict for them. Weights
// are random, but of a size at which attention is far from even. check_export.py runs the files in other programs.
#include "core/attention/backend_info.h"
#include "core/checkpoint/safetensors.h"
#include "core/run/classifier.h"
#include "core/train/trainable_classifier.h"
#include "models/export/export_network.h"
#include "models/export/exportable.h"
#include "models/model_family.h"
#include "models/open_model.h"
#include "models/weights/header_description.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

using namespace attnscope;

namespace {

namespace fs = std::filesystem;

struct Network {
    std::string name;
    Json changes = Json::object();  ///< of the description
    std::string family = "vit";
};

Json descriptionOf(const Network& network)
{
    Json json = network.family == "vit"
                    ? Json{{"family", "vit"}, {"img_size", 64}, {"patch_size", 8},  {"embed_dim", 48},
                           {"depth", 2},      {"num_heads", 3}, {"num_classes", 10}}
                    : Json{{"family", network.family},  {"input_size", 64},       {"embed_dims", {16, 32, 48, 64}},
                           {"num_heads", {1, 2, 3, 4}}, {"depths", {1, 1, 1, 1}}, {"mlp_ratios", {2, 2, 2, 2}},
                           {"sr_ratios", {8, 4, 2, 1}}, {"num_classes", 10}};
    json.update(network.changes);
    return json;
}

std::vector<Network> networks()
{
    return {{"plain", Json::object()},
            {"without_head", {{"num_classes", 0}}},
            {"registers", {{"reg_tokens", 3}}},
            {"distilled", {{"distilled", true}}},
            {"average", {{"pool", "avg"}, {"class_token", false}, {"final_norm", false}, {"fc_norm", true}}},
            {"maximum", {{"pool", "max"}}},
            {"average_maximum", {{"pool", "avgmax"}}},
            {"map", {{"pool", "map"}, {"class_token", false}}},
            {"token_average", {{"pool", "token_avg"}}},
            {"rms", {{"norm", "rms"}}},
            {"res_post", {{"block", "res_post"}}},
            {"parallel", {{"block", "parallel"}}},
            {"parallel_fused", {{"block", "parallel"}, {"fused_out", true}, {"qkv_bias", false}}},
            {"branches", {{"block", "branches"}, {"branches", 2}}},
            {"qk_norm", {{"qk_norm", true}}},
            {"layer_scale", {{"layer_scale", "both"}}},
            {"gated", {{"mlp", "glu"}, {"act", "silu"}, {"mlp_hidden", 64}, {"mlp_norm", true}}},
            {"quick_gelu", {{"act", "quick_gelu"}, {"pre_norm", true}, {"patch_bias", false}}},
            {"gelu_tanh", {{"act", "gelu_tanh"}, {"patch_norm", true}}},
            {"kv_heads", {{"num_heads", 6}, {"kv_heads", 2}}},
            {"differential", {{"differential", true}, {"num_heads", 2}}},
            {"qv_bias", {{"qkv_bias", "qv"}, {"attn_norm", true}}},
            {"rope_axial", {{"rope", {{"type", "axial"}, {"temperature", 10000}, {"order", "ij"}}}}},
            {"rope_centred", {{"rope", {{"type", "centred"}, {"temperature", 100}, {"half", true}}}}},
            {"rope_mixed", {{"rope", {{"type", "mixed"}}}, {"pos_embed", "none"}}},
            {"relative_table", {{"rel_pos", {{"type", "table"}}}, {"pos_embed", "none"}}},
            {"relative_mlp", {{"rel_pos", {{"type", "log_mlp"}, {"hidden", 32}}}}},
            {"relative_shared", {{"rel_pos", {{"type", "log_mlp"}, {"hidden", 32}, {"shared", true}}}}},
            {"oblong", {{"img_size", {48, 80}}}},
            {"pvt", Json::object(), "pvt_v2"},
            {"pvt_linear", {{"linear", true}}, "pvt_v2"},
            {"pvt_joint", Json::object(), "pvt_v2_lara"}};
}

/// Of the network `plain`: every method that is exported, and options that compute something else.
std::vector<std::string> attentions()
{
    std::vector<std::string> all;
    for (const ExportRule& rule : exportRules()) {
        if (rule.form == ExportForm::Refused || rule.method == "sra")
            continue;
        const AttentionSpec spec = AttentionSpec::parse(rule.method);
        all.push_back(rule.refused == nullptr ? spec.canonical() : rule.refused(spec).nearest.canonical());
    }
    for (const char* more :
         {"performer:center=both,prefix_attention=exact,logz=tangent", "performer:features=hyperbolic",
          "performer:floors=library", "performer:center=both,oprf=true,balance=diagonal",
          "rfa:center=both,prefix_attention=rows", "rfa:norm=unit", "lara:samples=16,proposal=mixed,beta=2",
          "lara:samples=16,proposal=attended,weights=coupled", "lara:samples=16,stretch=2,prefix_attention=rows",
          "nystrom:samples=16,prefix_attention=exact", "linformer:samples=16", "topk:samples=8",
          "blocks:block=8,keep=2", "blocks:block=8,keep=2,order=lsh,bits=3", "monarch:block=8",
          "tangent:samples=9", "merge:samples=16", "softmax;tokens=tome:r=4", "0=softmax;1=lara:samples=9"})
        all.emplace_back(more);
    return all;
}

at::Tensor randomTensor(const std::vector<int64_t>& shape, const std::string& name, uint64_t seed)
{
    std::vector<int64_t> sizes{1};
    sizes.insert(sizes.end(), shape.begin(), shape.end());
    SeededNoise noise(seed, 0);
    return noise.normal(name, sizes, at::TensorOptions(at::kFloat))[0];
}

SafetensorsEntry entryOf(const at::Tensor& value)
{
    const auto dense = value.to(at::kFloat).contiguous();
    SafetensorsEntry entry{ElementType::Float32, dense.sizes().vec(), {}};
    entry.bytes.resize(dense.nbytes());
    std::memcpy(entry.bytes.data(), dense.const_data_ptr(), dense.nbytes());
    return entry;
}

/// A checkpoint with larger weights than untrained networks have.
void writeCheckpoint(const Json& description, const fs::path& path)
{
    const auto model = parseDescription(description, path.string());
    const auto network = model->untrained(3, {});
    std::map<std::string, SafetensorsEntry> tensors;
    for (const NamedWeight& weight : network->weights()) {
        if (!weight.value.defined())
            continue;
        auto value = storedValue(weight).clone();
        const bool isVector = value.dim() < 2;
        if (isVector)
            value += 0.1 * randomTensor(value.sizes().vec(), weight.name, 1);
        else
            value *= weight.name.find("qkv") != std::string::npos ? 8 : 4;
        tensors.emplace(weight.name, entryOf(value));
    }
    HeaderDescription header;
    header.model = model->toJson();
    writeSafetensors(path, tensors, headerMetadata(header));
}

void writeRaw(const fs::path& path, const at::Tensor& value)
{
    const auto dense = value.contiguous();
    std::ofstream file(path, std::ios::binary);
    file.write(static_cast<const char*>(dense.const_data_ptr()), static_cast<std::streamsize>(dense.nbytes()));
    if (!file)
        throw std::runtime_error("could not write " + path.string());
}

Json writeCase(const fs::path& folder, const std::string& name, const fs::path& weights,
               const std::string& attention)
{
    ExportRequest request;
    request.model = {.weights = weights.string(), .device = "cpu"};
    request.attention = attention;
    request.seed = 7;
    request.output = (folder / (name + ".onnx")).string();
    request.overwrite = true;
    request.externalAbove = name == "plain" ? 1000 : request.externalAbove;
    const ExportReport report = exportNetwork(request);
    const auto network = openModel(request.model);
    const c10::InferenceMode guard;
    const auto images = randomTensor({5, report.input[0], report.input[1], report.input[2]}, "images", 2);
    const auto outputs = network->logits(images, network->prepare(AttentionSpec::parse(attention), request.seed));
    writeRaw(folder / (name + ".input"), images);
    writeRaw(folder / (name + ".output"), outputs);
    return {{"name", name},
            {"attention", attention},
            {"input", images.sizes().vec()},
            {"output", outputs.sizes().vec()}};
}

/// The trained networks of the demo, with what they were trained with and with what stands in for it.
void addDemo(const fs::path& folder, const fs::path& demo, Json& cases)
{
    const std::vector<std::string> forTokens{
        "native",  "softmax", "lara:samples=16", "performer:center=both,prefix_attention=exact,logz=tangent",
        "monarch", "tangent"};
    const std::vector<std::string> overAllKeys{"native", "softmax", "lara:samples=4", "performer"};
    const std::set<std::string> forPyramids{"pvt_v2", "pvt_v2_lara"};
    for (const char* name : {"deit", "deit_lara", "deit_performer", "pvt_v2", "pvt_v2_lara"}) {
        int number = 0;
        for (const std::string& attention : forPyramids.contains(name) ? overAllKeys : forTokens)
            cases.push_back(writeCase(folder, std::string("demo_") + name + std::to_string(number++),
                                      demo / (std::string(name) + ".safetensors"), attention));
    }
}

void writeAll(const fs::path& folder, const fs::path& demo)
{
    const at::NoGradGuard constants;
    fs::create_directories(folder);
    Json cases = Json::array();
    for (const Network& network : networks()) {
        const fs::path weights = folder / (network.name + ".safetensors");
        writeCheckpoint(descriptionOf(network), weights);
        cases.push_back(writeCase(folder, network.name, weights, "native"));
        cases.push_back(writeCase(folder, network.name + "_lara", weights, "lara:samples=4"));
    }
    int number = 0;
    for (const std::string& attention : attentions())
        cases.push_back(
            writeCase(folder, "attention" + std::to_string(number++), folder / "plain.safetensors", attention));
    addDemo(folder, demo, cases);
    std::ofstream(folder / "cases.json") << cases.dump(1);
}

}

int main(int count, char** arguments)
{
    try {
        if (count != 3)
            throw std::runtime_error("give a folder to write to, and that of the demo networks");
        writeAll(arguments[1], arguments[2]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
