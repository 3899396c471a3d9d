#include "models/vit/formats/library_config.h"

#include "core/base/text.h"
#include "models/vit/formats/timm_config.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

/// What the library's class of a model has where its config.json says nothing.
struct LibraryModel {
    std::string_view type;
    double eps;
    const char* act;
    const char* pool;
    int64_t heads;
};

constexpr std::array<LibraryModel, 10> libraryModels{
    {{"vit", 1e-12, "gelu", "token", 12},
     {"deit", 1e-12, "gelu", "token", 12},
     {"dinov2", 1e-6, "gelu", "token", 12},
     {"dinov2_with_registers", 1e-6, "gelu", "token", 12},
     {"dinov3_vit", 1e-5, "gelu", "", 6},
     {"clip", 1e-5, "quick_gelu", "token", 12},
     {"clip_vision_model", 1e-5, "quick_gelu", "token", 12},
     {"siglip", 1e-6, "gelu_pytorch_tanh", "map", 12},
     {"siglip_vision_model", 1e-6, "gelu_pytorch_tanh", "map", 12},
     {"beit", 1e-12, "gelu", "avg", 12}}};

std::string libraryText(const Json& config, const char* key)
{
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Class names in the order of their numbers.
std::vector<std::string> labelsOf(const Json& config)
{
    const auto found = config.find("id2label");
    if (found == config.end() || !found->is_object())
        return {};
    std::vector<std::string> labels(found->size());
    for (const auto& [number, text] : found->items()) {
        const bool digits = !number.empty() && number.size() < 7
                            && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
        const size_t index = digits ? std::stoul(number) : labels.size();
        if (index >= labels.size() || !text.is_string())
            return {};
        labels[index] = printable(text.get<std::string>());
    }
    const bool made = !labels.empty() && std::ranges::all_of(labels, [](const std::string& each) {
        return each.starts_with("LABEL_");
    });
    return made ? std::vector<std::string>() : labels;
}

}

bool isLibraryConfig(const Json& config)
{
    return config.is_object() && !libraryText(config, "model_type").empty();
}

void readLibraryConfig(const Json& config, const Translation& translation, Findings& findings,
                       ConfigReading& reading)
{
    const std::string type = libraryText(config, "model_type");
    const auto model = std::ranges::find(libraryModels, type, &LibraryModel::type);
    reading.found = true;
    if (model == libraryModels.end()) {
        reading.refusal = "its config.json is that of `" + printable(type)
                          + "` of the Transformers library, which is not supported";
        return;
    }
    const Json vision = config.value("vision_config", config);
    if (!vision.is_object())
        return;
    const auto from = [&](const char* key, const Json& usual) {
        const auto found = vision.find(key);
        const bool there = found != vision.end() && !found->is_null();
        return std::pair(there ? *found : usual,
                         there ? "config.json: " + std::string(key) : "default of the library's " + type);
    };
    const auto [heads, headsWitness] = from("num_attention_heads", model->heads);
    findings.put("num_heads", heads, headsWitness);
    const auto [eps, epsWitness] = from("layer_norm_eps", model->eps);
    findings.put("ln_eps", eps, epsWitness);
    const auto [act, actWitness] = from("hidden_act", model->act);
    if (vision.value("use_swiglu_ffn", Json()) == Json(true))
        findings.put("act", "silu", "config.json: use_swiglu_ffn");
    else if (const std::string name = act.is_string() ? activationNamed(act.get<std::string>()) : "";
             !name.empty())
        findings.put("act", name, actWitness);
    else
        reading.refusal = "`hidden_act` of its config.json, " + printable(act.dump().substr(0, 60))
                          + ", is not supported";
    if (type == "dinov3_vit") {
        const auto [theta, witness] = from("rope_theta", 100.0);
        findings.put("rope", {{"type", "centred"}, {"temperature", theta}, {"half", true}, {"order", "ij"}},
                     witness);
    }
    const bool average = vision.value("use_mean_pooling", Json(true)) != Json(false);
    if (*model->pool != '\0')
        findings.put("pool", type == "beit" && !average ? "token" : model->pool, "the library's " + type);
    if (type != "dinov3_vit")
        findings.put("rope", nullptr, "the library's " + type);
    findings.put("block", "pre", "the library's " + type);
    if (const auto [height, width] = statedImageSize(config); height > 0 && width > 0)
        findings.put("img_size", height == width ? Json(height) : Json{height, width}, "config.json: image_size");
    reading.licence = translation.licence;
    reading.labels = labelsOf(config);
}

}
