#pragma once

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/checkpoint/state_dict.h"
#include "models/model_family.h"
#include "models/weights/weight_loader.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

/// The golden cases of plain vision transformers: tests/data/vit.
namespace attnscope::test {

inline const std::string vitFolder = TEST_DATA_DIR "/vit/";

/// Their names, in order.
inline std::vector<std::string> vitCases()
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(vitFolder))
        if (entry.path().string().ends_with(".io.safetensors")
            && entry.path().filename().string().starts_with("s"))
            names.insert(entry.path().stem().stem().string());
    return {names.begin(), names.end()};
}

inline Json vitCase(const std::string& name)
{
    std::ifstream stream(vitFolder + name + ".json");
    return Json::parse(stream);
}

/// timm stores some networks in parts: they are joined, and called as in the others.
inline NamedTensors joinedTensors(const StateDict& state)
{
    const std::pair<const char*, const char*> renamed[] = {{".gamma_1", ".ls1.gamma"}, {".gamma_2", ".ls2.gamma"}};
    const std::vector<std::string> parts[] = {
        {"attn.q_proj.weight", "attn.k_proj.weight", "attn.v_proj.weight", "attn.qkv.weight"},
        {"attn.q_proj.bias", "attn.k_proj.bias", "attn.v_proj.bias", "attn.qkv.bias"},
        {"mlp.fc1_g.weight", "mlp.fc1_x.weight", "mlp.fc1.weight"},
        {"mlp.fc1_g.bias", "mlp.fc1_x.bias", "mlp.fc1.bias"},
        {"attn.q_proj.bias", "attn.q_bias"},
        {"attn.v_proj.bias", "attn.v_bias"}};
    NamedTensors tensors = namedTensors(state);
    const std::vector<std::string> names = [&] {
        std::vector<std::string> all;
        for (const auto& [name, tensor] : tensors)
            all.push_back(name);
        return all;
    }();
    for (const std::string& name : names) {
        for (const auto& [from, to] : renamed)
            if (name.ends_with(from)) {
                const std::string target = name.substr(0, name.size() - std::string(from).size()) + to;
                tensors[target] = tensors.extract(name).mapped();
            }
        for (const auto& group : parts) {
            if (!name.ends_with(group.front()))
                continue;
            const std::string prefix = name.substr(0, name.size() - group.front().size());
            NamedTensor joined;
            for (size_t i = 0; i + 1 < group.size(); ++i)
                if (const auto part = tensors.find(prefix + group[i]); part != tensors.end()) {
                    joined.parts.push_back(part->second.parts.front());
                    joined.sources.push_back(part->first);
                }
            if (joined.parts.size() + 1 != group.size())
                continue;
            for (const std::string& source : joined.sources)
                tensors.erase(source);
            tensors[prefix + group.back()] = joined;
        }
    }
    return tensors;
}

inline std::shared_ptr<TrainableClassifier> openVit(const Json& config, const std::string& weights,
                                                    const ModelSetup& setup = {})
{
    WeightLoader loader(joinedTensors(readCheckpoint(vitFolder + weights)), {});
    return parseDescription(config, weights)->load(loader, setup);
}

/// The network of a case with timm's tensors.
inline std::shared_ptr<TrainableClassifier> openVit(const std::string& name, const ModelSetup& setup = {})
{
    return openVit(vitCase(name).at("config"), name + ".weights.timm.safetensors", setup);
}

}
