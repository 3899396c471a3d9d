#include "models/vit/formats/timm_storage.h"

#include "models/blocks/image_preparation.h"
#include "models/vit/formats/findings.h"
#include "models/vit/formats/signature.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace attnscope {

namespace {

/// How a timm architecture stores what we join.
struct StorageForm {
    bool splitQkv = false, splitGate = false, gammas = false;
};

StorageForm formOf(const PlainVit& vit)
{
    const auto contains = [&](const char* word) { return vit.name.find(word) != std::string::npos; };
    const bool eva = vit.module == "eva", gated = vit.switches.value("mlp", "plain") == "glu";
    return {eva && (contains("eva02_base") || contains("eva02_large") || contains("sapiens2")),
            gated
                && ((eva && (vit.switches.value("mlp_norm", false) || contains("dinov3") || contains("lingbot")))
                    || contains("aimv2")),
            eva || vit.module == "beit"};
}

/// Puts the rows of a joined tensor under names of their own.
void split(NamedTensors& into, const NamedTensor& whole, const std::string& prefix, const std::string& kind,
           const std::vector<std::pair<const char*, int64_t>>& parts)
{
    int64_t first = 0;
    for (const auto& [name, rows] : parts) {
        into[prefix + name + kind] = rowsOf(whole, first, first + rows);
        first += rows;
    }
}

/// "blocks.0.attn.qkv.weight" with "qkv" → "blocks.0.attn." and ".weight"; empty if it is another tensor.
std::pair<std::string, std::string> around(const std::string& name, const std::string& word)
{
    for (const std::string kind : {".weight", ".bias"})
        if (name.starts_with("blocks.") && name.ends_with(word + kind))
            return {name.substr(0, name.size() - word.size() - kind.size()), kind};
    return {};
}

/// What an argument of the architecture can change: sizes, pooling and what depends on the image.
constexpr std::array argumentKeys{"img_size",   "patch_size",  "embed_dim",  "depth",       "num_heads",
                                  "mlp_hidden", "num_classes", "pool",       "pool_prefix", "kv_heads",
                                  "map_heads",  "map_hidden",  "final_norm", "fc_norm",     "pos_resample"};

Json withoutSizes(Json value)
{
    if (value.is_object()) {
        value.erase("hidden");
        value.erase("ref_grid");
    }
    return value;
}

bool sameSwitches(const PlainVit& vit, const Json& description)
{
    return std::ranges::all_of(vitDefaults().items(), [&](const auto& each) {
        const std::string& key = each.key();
        if (std::ranges::any_of(argumentKeys, [&](const char* one) { return key == one; }))
            return true;
        return sameJson(withoutSizes(valueOf(vit, key)), withoutSizes(description.value(key, each.value())));
    });
}

int64_t distance(const PlainVit& vit, const Json& description)
{
    // Names for tests, and one of a form that no published weights of other names have, are the last choice.
    int64_t sum = vit.name.starts_with("test_") || vit.name.find("lingbot") != std::string::npos ? 150'000 : 0;
    for (const char* key : {"embed_dim", "depth", "num_heads", "patch_size"})
        sum += std::abs(valueOf(vit, key).get<int64_t>() - description.value(key, int64_t{0}));
    for (const char* key : {"pool", "final_norm", "fc_norm", "pool_prefix", "rope"})
        sum += sameJson(valueOf(vit, key), description.value(key, vitDefaults().at(key))) ? 0 : 100'000;
    return sum;
}

/// A ratio from which timm computes exactly this width: it cuts the product with the width of the tokens off.
double ratioFor(const PlainVit& vit, int64_t hidden, int64_t width)
{
    const bool packed = vit.module == "vision_transformer" && vit.switches.value("mlp", "plain") == "glu"
                        && !formOf(vit).splitGate;
    const int64_t outputs = packed ? 2 * hidden : hidden;
    return (double(outputs) + (outputs % width == 0 ? 0 : 0.5)) / double(width);
}

Json argumentsFor(const PlainVit& vit, const Json& description)
{
    Json arguments = Json::object();
    const auto take = [&](const char* key, const char* argument) {
        const Json value = description.value(key, vitDefaults().at(key));
        if (!sameJson(value, valueOf(vit, key)) && !value.is_null())
            arguments[argument] = value;
    };
    take("img_size", "img_size");
    take("patch_size", "patch_size");
    take("embed_dim", "embed_dim");
    take("depth", "depth");
    take("num_heads", "num_heads");
    take("num_classes", "num_classes");
    take("kv_heads", "num_kv_heads");
    take("map_heads", "attn_pool_num_heads");
    take("pool", "global_pool");
    const int64_t hidden = description.at("mlp_hidden").get<int64_t>(),
                  width = description.at("embed_dim").get<int64_t>();
    if (hidden != vit.hidden || width != vit.width)
        arguments["mlp_ratio"] = ratioFor(vit, hidden, width);
    const Json relative = description.value("rel_pos", Json()), own = valueOf(vit, "rel_pos");
    if (relative.is_object() && own.is_object() && relative.contains("hidden")
        && !sameJson(relative["hidden"], own.value("hidden", Json())))
        arguments["rel_pos_dim"] = relative["hidden"];
    const Json rope = description.value("rope", Json()), named = valueOf(vit, "rope");
    if (rope.is_object() && named.is_object()
        && !sameJson(rope.value("ref_grid", Json()), named.value("ref_grid", Json())))
        arguments["ref_feat_shape"] = rope.value("ref_grid", Json());
    return arguments;
}

}

NamedTensors timmStorage(const PlainVit& vit, const NamedTensors& tensors)
{
    const StorageForm form = formOf(vit);
    const int64_t width = TensorIndex(tensors).size("patch_embed.proj.weight", 0);
    NamedTensors stored;
    for (const auto& [name, tensor] : tensors) {
        const int64_t rows = tensor.shape().empty() ? 0 : tensor.shape().front();
        const std::string end = name.substr(name.rfind('.') + 1);
        if (const auto [prefix, kind] = around(name, "attn.qkv"); form.splitQkv && !prefix.empty())
            split(stored, tensor, prefix, kind,
                  {{"attn.q_proj", width},
                   {"attn.k_proj", (rows - width) / 2},
                   {"attn.v_proj", (rows - width) / 2}});
        else if (const auto [gatePrefix, gateKind] = around(name, "mlp.fc1");
                 form.splitGate && !gatePrefix.empty())
            split(stored, tensor, gatePrefix, gateKind, {{"mlp.fc1_g", rows / 2}, {"mlp.fc1_x", rows / 2}});
        else if (form.splitQkv && (end == "q_bias" || end == "v_bias"))
            stored[name.substr(0, name.size() - 5) + "_proj.bias"] = tensor;
        else if (form.gammas && name.starts_with("blocks.")
                 && (name.ends_with(".ls1.gamma") || name.ends_with(".ls2.gamma")))
            stored[name.substr(0, name.size() - 9) + "gamma_" + name[name.size() - 7]] = tensor;
        else
            stored[name] = tensor;
    }
    return stored;
}

Json timmConfig(const PlainVit& vit, const Json& description)
{
    const ImagePreparation preparation = parseImagePreparation(description, vit.name);
    const Json& image = description.at("img_size");
    const Json height = image.is_array() ? image[0] : image, width = image.is_array() ? image[1] : image;
    const Json& classes = description.at("num_classes");
    return {{"architecture", vit.name},
            {"num_classes", classes},
            {"num_features", description.at("embed_dim")},
            {"global_pool", description.value("pool", "token")},
            {"model_args", argumentsFor(vit, description)},
            {"pretrained_cfg",
             {{"input_size", {3, height, width}},
              {"interpolation", toText(preparation.filter)},
              {"crop_pct", preparation.cropFraction},
              {"crop_mode", preparation.squash ? "squash" : "center"},
              {"mean", preparation.mean},
              {"std", preparation.stddev},
              {"num_classes", classes},
              {"first_conv", "patch_embed.proj"},
              {"classifier", description.value("distilled", false) ? Json{"head", "head_dist"} : Json("head")}}}};
}

const PlainVit* architectureOf(const Json& description)
{
    const Json name = description.value("name", Json());
    if (const PlainVit* named = name.is_string() ? findPlainVit(name.get<std::string>()) : nullptr;
        named != nullptr && named->runs() && sameSwitches(*named, description))
        return named;
    const PlainVit* best = nullptr;
    for (const PlainVit& vit : plainVits())
        if (vit.runs() && sameSwitches(vit, description)
            && (best == nullptr || distance(vit, description) < distance(*best, description)))
            best = &vit;
    return best;
}

ExportedModel exportedToTimm(const Json& description, const NamedTensors& tensors)
{
    const std::string family = description.value("family", ""),
                      attention = description.value("attention", "softmax");
    if (family == "evit" || description.value("landmark_maps", false))
        return {tensors, nullptr, "timm has no such network: there is no config.json for it"};
    Json timms = description;
    if (family == "deit")
        timms["mlp_hidden"] = std::llround(description.value("mlp_ratio", 4.0)
                                           * description.at("embed_dim").get<double>());
    const PlainVit* vit = architectureOf(timms);
    if (vit == nullptr)
        return {tensors, nullptr, "no architecture of timm has these switches: there is no config.json for it"};
    std::string note;
    if (attention != "softmax")
        note = "timm runs it with softmax, not with the " + attention + " that it was trained with";
    if (description.value("pool", "token") == "token_avg") {
        timms["pool"] = "token";
        timms["num_classes"] = 0;
        note = "timm has no head that reads class token and average together: its create_model opens the network "
               "without it, with pretrained_strict=False";
    }
    return {timmStorage(*vit, tensors), timmConfig(*vit, timms), std::move(note)};
}

}
