// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_description.h"

#include "core/attention/backend_info.h"
#include "models/blocks/native_attention.h"
#include "models/weights/config_reader.h"

namespace attnscope {

namespace {

void readImageSize(const Json& config, const ConfigReader& reader, VitDescription& description)
{
    const char* key = reader.has("img_size") ? "img_size" : "input_size";
    if (reader.has(key) && config[key].is_array()) {
        const Json& sizes = config[key];
        if (sizes.size() != 2 || !sizes[0].is_number_integer() || !sizes[1].is_number_integer())
            reader.refuse(key, "one size, or [height, width]");
        description.imageHeight = sizes[0].get<std::int64_t>();
        description.imageWidth = sizes[1].get<std::int64_t>();
    } else {
        description.imageHeight = description.imageWidth = reader.integer(key, 1, 16384);
    }
    const auto fits = [&](std::int64_t size) { return size > 0 && size <= 16384 && size % description.patchSize == 0; };
    if (!fits(description.imageHeight) || !fits(description.imageWidth))
        reader.refuse(key, "a multiple of the patch size, " + std::to_string(description.patchSize));
}

void readAttention(const Json& config, const ConfigReader& reader, const std::string& subject, VitDescription& description)
{
    if (reader.has("attention")) {
        description.attention = AttentionSpec::parse(reader.text("attention"));
        description.landmarkMaps = reader.flag("landmark_maps", false);
    } else if (reader.has("attn")) {
        const NativeAttention native = nativeAttention(reader.text("attn"), config.value("attn_args", Json::object()), subject);
        description.attention = native.spec;
        description.landmarkMaps = native.landmarkMaps;
    }
    if (description.attention.isNative())
        reader.refuse("attention", "the name of an attention other than native");
    description.attention = description.attention.resolved(AttentionSpec::reference(), description.depth);
}

}  // namespace

const char* toText(VitFamily family)
{
    return family == VitFamily::Deit ? "deit" : "evit";
}

VitDescription parseVitDescription(const Json& config, const std::string& subject)
{
    const ConfigReader reader(config, subject);
    VitDescription description;
    description.family = reader.choice("family", {"deit", "evit"}) == "deit" ? VitFamily::Deit : VitFamily::Evit;
    description.distilled = reader.flag("distilled", false);
    if (description.distilled && description.family == VitFamily::Evit)
        reader.refuse("distilled", "false for evit, which has no tokens other than patches");
    description.patchSize = reader.integer("patch_size", 1, 512);
    description.width = reader.integer("embed_dim", 1, 65536);
    description.depth = reader.integer("depth", 1, 1024);
    description.heads = reader.integer("num_heads", 1, 4096);
    description.classes = reader.integer("num_classes", 1, 10'000'000);
    if (description.width % description.heads != 0)
        reader.refuse("num_heads", "a divisor of embed_dim, " + std::to_string(description.width));
    readImageSize(config, reader, description);
    description.layerNormEps = reader.number("ln_eps", 1e-6, 0, 1);
    description.mlpRatio = reader.number("mlp_ratio", 4, 0.001, 1024);
    description.qkvBias = reader.flag("qkv_bias", true);
    reader.requireExactGelu();
    description.evaluationResize = description.imageHeight * 256 / 224;
    readAttention(config, reader, subject, description);
    description.name = reader.text("name", "");
    return description;
}

Json toJson(const VitDescription& d)
{
    Json json{{"family", toText(d.family)}, {"name", d.name}};
    if (d.family == VitFamily::Deit)
        json["distilled"] = d.distilled;
    json["img_size"] = {d.imageHeight, d.imageWidth};
    json["patch_size"] = d.patchSize;
    json["embed_dim"] = d.width;
    json["depth"] = d.depth;
    json["num_heads"] = d.heads;
    json["num_classes"] = d.classes;
    json["ln_eps"] = d.layerNormEps;
    json["mlp_ratio"] = d.mlpRatio;
    json["qkv_bias"] = d.qkvBias;
    json["attention"] = d.attention.canonical();
    json["landmark_maps"] = d.landmarkMaps;
    return json;
}

std::int64_t VitDescription::parameters() const
{
    const std::int64_t c = width, m = hidden(), d = headDim();
    const std::int64_t block = 4 * c                          // two norms
                         + 3 * c * c + (qkvBias ? 3 * c : 0)  // q, k, v
                         + c * c + c                          // output projection
                         + 2 * c * m + m + c;                 // MLP
    std::int64_t mapped = 0;
    for (std::int64_t layer = 0; layer < depth; ++layer)
        mapped += landmarkMaps && (!attention.isMixed() || findBackend(attention.layer(layer).backend())->landmarkMaps) ? 1 : 0;
    const std::int64_t embedding = c * 3 * patchSize * patchSize + c + tokens() * c + prefixTokens() * c;
    const std::int64_t head = (c * classes + classes) * (distilled ? 2 : 1);
    const std::int64_t map = d * d + d + 2 * d;
    return depth * block + mapped * 2 * map + embedding + 2 * c + head;
}

double VitDescription::blockMultiplyAdds(std::int64_t gridTokens) const
{
    const auto c = static_cast<double>(width), m = static_cast<double>(hidden());
    return static_cast<double>(gridTokens + prefixTokens()) * (4 * c * c + 2 * c * m);
}

double VitDescription::headMultiplyAdds() const
{
    return static_cast<double>(width) * static_cast<double>(classes) * (distilled ? 2 : 1);
}

double VitDescription::linearMultiplyAdds(std::int64_t gridTokens) const
{
    const auto patch = static_cast<double>(3 * patchSize * patchSize);
    return static_cast<double>(depth) * blockMultiplyAdds(gridTokens)
           + static_cast<double>(gridTokens) * patch * static_cast<double>(width) + headMultiplyAdds();
}

}  // namespace attnscope
