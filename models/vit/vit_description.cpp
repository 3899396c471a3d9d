#include "models/vit/vit_description.h"

#include "models/blocks/native_attention.h"
#include "models/vit/vit_switches.h"
#include "models/weights/config_reader.h"

#include <algorithm>

namespace attnscope {

namespace {

void readImageSize(const Json& config, const ConfigReader& reader, VitDescription& description)
{
    const char* key = reader.has("img_size") ? "img_size" : "input_size";
    if (reader.has(key) && config[key].is_array()) {
        const Json& sizes = config[key];
        if (sizes.size() != 2 || !sizes[0].is_number_integer() || !sizes[1].is_number_integer())
            reader.refuse(key, "one size, or [height, width]");
        description.imageHeight = sizes[0].get<int64_t>();
        description.imageWidth = sizes[1].get<int64_t>();
    } else {
        description.imageHeight = description.imageWidth = reader.integer(key, 1, 16384);
    }
    const bool whole =
        description.family
        != VitFamily::Vit;  // others may leave a rest of the image unseen, as timm's SigLIP at 384 does
    const auto fits = [&](int64_t size) {
        return size >= description.patchSize && size <= 16384 && (!whole || size % description.patchSize == 0);
    };
    if (!fits(description.imageHeight) || !fits(description.imageWidth))
        reader.refuse(key, (whole ? "a multiple of the patch size, " : "at least the patch size, ")
                               + std::to_string(description.patchSize));
}

void readAttention(const Json& config, const ConfigReader& reader, const std::string& subject,
                   VitDescription& description)
{
    if (reader.has("attention")) {
        description.attention = AttentionSpec::parse(reader.text("attention"));
        description.landmarkMaps = reader.flag("landmark_maps", false);
    } else if (reader.has("attn")) {
        const NativeAttention native = nativeAttention(reader.text("attn"),
                                                       config.value("attn_args", Json::object()), subject);
        description.attention = native.spec;
        description.landmarkMaps = native.landmarkMaps;
    }
    if (description.attention.isNative())
        reader.refuse("attention", "the name of an attention other than native");
    if (description.attention != description.attention.alone())
        reader.refuse("attention",
                      "an attention without `;tokens=` and `;weights=`, which are given when the network runs");
    description.attention = description.attention.resolved(AttentionSpec::reference(), description.depth);
}

VitFamily familyOf(const ConfigReader& reader)
{
    const std::string name = reader.choice("family", {"deit", "evit", "vit"});
    return name == "vit" ? VitFamily::Vit : name == "evit" ? VitFamily::Evit : VitFamily::Deit;
}

/// DeiT and evit, which have no switches but these.
void readPlain(const ConfigReader& reader, VitDescription& description)
{
    refuseVitSwitches(reader);
    description.distilled = reader.flag("distilled", false);
    if (description.family == VitFamily::Evit) {
        if (description.distilled)
            reader.refuse("distilled", "false for evit, which has no tokens other than patches");
        description.classToken = false;
        description.pool = VitPool::Average;
    }
    description.qkvBias = reader.flag("qkv_bias", true) ? VitQkvBias::All : VitQkvBias::None;
    reader.requireExactGelu();
}

}

const char* toText(VitFamily family)
{
    switch (family) {
    case VitFamily::Deit:
        return "deit";
    case VitFamily::Evit:
        return "evit";
    case VitFamily::Vit:
        break;
    }
    return "vit";
}

int64_t VitDescription::defaultResize() const
{
    return family == VitFamily::Vit ? preparation.resizeFor(std::min(imageHeight, imageWidth))
                                    : std::min(imageHeight, imageWidth) * 256 / 224;
}

VitDescription parseVitDescription(const Json& config, const std::string& subject)
{
    const ConfigReader reader(config, subject);
    VitDescription description;
    description.family = familyOf(reader);
    description.patchSize = reader.integer("patch_size", 1, 512);
    description.width = reader.integer("embed_dim", 1, 65536);
    description.depth = reader.integer("depth", 1, 1024);
    description.heads = reader.integer("num_heads", 1, 4096);
    description.classes = reader.integer("num_classes", 0, 10'000'000);
    if (description.width % description.heads != 0)
        reader.refuse("num_heads", "a divisor of embed_dim, " + std::to_string(description.width));
    readImageSize(config, reader, description);
    description.layerNormEps = reader.number("ln_eps", 1e-6, 0, 1);
    description.mlpRatio = reader.number("mlp_ratio", 4, 0.001, 1024);
    if (description.family == VitFamily::Vit)
        readVitSwitches(config, reader, description);
    else
        readPlain(reader, description);
    if (description.family == VitFamily::Vit)
        description.preparation = parseImagePreparation(config, subject);
    description.evaluationResize = description.defaultResize();
    readAttention(config, reader, subject, description);
    description.name = reader.text("name", "");
    return description;
}

Json toJson(const VitDescription& d)
{
    const bool any = d.family == VitFamily::Vit;
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
    if (any) {
        json["mlp_hidden"] = d.hidden();
        writeVitSwitches(d, json);
        addTo(json, d.preparation);
    } else {
        json["mlp_ratio"] = d.mlpRatio;
        json["qkv_bias"] = d.qkvBias == VitQkvBias::All;
    }
    json["attention"] = d.attention.canonical();
    json["landmark_maps"] = d.landmarkMaps;
    return json;
}

}
