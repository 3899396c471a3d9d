#include "models/vit/formats/signature.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr std::array structureKeys{"class_token", "distilled",  "reg_tokens",   "pos_embed",   "pos_prefix",
                                   "patch_bias",  "patch_norm", "pre_norm",     "norm",        "branches",
                                   "qkv_bias",    "qk_norm",    "attn_norm",    "mlp_norm",    "proj_bias",
                                   "mlp_bias",    "mlp",        "differential", "layer_scale", "final_norm",
                                   "fc_norm",     "fused_out"};
constexpr std::array sizeKeys{"embed_dim", "patch_size", "mlp_hidden", "map_hidden"};
/// What no tensor shows, or only some do.
constexpr std::array namedKeys{"num_heads", "ln_eps", "act", "rope", "block", "pool", "pool_prefix", "map_heads"};

bool isOneOf(const auto& keys, const std::string& key)
{
    return std::ranges::any_of(keys, [&](const char* each) { return key == each; });
}

template <typename Value>
Json shown(const std::string& key, const Value& value)
{
    Json found = value(key);
    if (key != "pos_prefix")
        return found;
    // Without positions or prefix tokens there is nothing that they could have rows for.
    const bool prefix = value("class_token") == Json(true) || value("distilled") == Json(true)
                        || !sameJson(value("reg_tokens"), 0);
    return prefix && value("pos_embed") != Json("none") ? found : Json(true);
}

/// Types that keys show without their sizes: what kind of block, of positions and of pooling.
template <typename Value>
Json kinds(const Value& value)
{
    const Json block = value("block"), rope = value("rope"), relative = value("rel_pos"), pool = value("pool");
    const bool told = block == Json("parallel") || block == Json("branches");
    return {told ? block : Json("one after the other"), rope.is_object() && rope.value("type", "") == "mixed",
            relative.is_object() ? Json{relative.value("type", ""), relative.value("shared", false)}
                                 : Json(nullptr),
            pool == Json("map")};
}

struct Signature {
    Json structure = Json::array(), sizes = Json::array(), image;
};

template <typename Value>
Signature signatureOf(const Value& value, bool gammas)
{
    Signature signature;
    for (const char* key : structureKeys)
        signature.structure.push_back(shown(key, value));
    signature.structure.push_back(kinds(value));
    signature.structure.push_back(gammas);
    for (const char* key : sizeKeys)
        signature.sizes.push_back(value(key));
    if (const Json relative = value("rel_pos"); relative.is_object())
        signature.sizes.push_back(relative.value("hidden", 0));
    signature.image = value("img_size");
    return signature;
}

/// timm's eva.py and beit.py store layer scale as `gamma_1`.
bool storesGammas(const PlainVit& vit)
{
    return (vit.module == "eva" || vit.module == "beit") && vit.switches.value("layer_scale", "none") != "none";
}

}

Json valueOf(const PlainVit& vit, const std::string& key)
{
    if (key == "embed_dim")
        return vit.width;
    if (key == "depth")
        return vit.depth;
    if (key == "num_heads")
        return vit.heads;
    if (key == "mlp_hidden")
        return vit.hidden;
    if (key == "patch_size")
        return vit.patch;
    if (key == "num_classes")
        return vit.classes;
    if (key == "img_size")
        return vit.imageHeight == vit.imageWidth ? Json(vit.imageHeight) : Json{vit.imageHeight, vit.imageWidth};
    return vit.switches.contains(key) ? vit.switches.at(key) : vitDefaults().value(key, Json());
}

std::string Candidates::witness() const
{
    if (names.size() == 1 && likeness != Likeness::Structure)
        return "as in " + names.front()->name;
    return names.size() == 1 ? "as in " + names.front()->name + ", of other sizes"
                             : "as in all " + std::to_string(names.size()) + " of timm's models with such tensors";
}

Candidates candidatesFor(const Findings& findings, bool gammas, const std::string& mark)
{
    const auto value = [&](const std::string& key) { return findings.value(key); };
    const Signature wanted = signatureOf(value, gammas);
    Candidates best;
    for (const PlainVit& vit : plainVits()) {
        if (!vit.runs() || vit.name.find(mark) == std::string::npos)
            continue;
        const Signature own = signatureOf([&](const std::string& key) { return valueOf(vit, key); },
                                          storesGammas(vit));
        if (own.structure != wanted.structure)
            continue;
        const bool sizes = own.sizes == wanted.sizes;
        const bool image = !findings.seen("img_size") || own.image == wanted.image;
        const Likeness likeness = !sizes ? Likeness::Structure : image ? Likeness::Same : Likeness::OtherSize;
        if (likeness < best.likeness)
            best = {likeness, {}};
        if (likeness == best.likeness)
            best.names.push_back(&vit);
    }
    return best;
}

void takeAgreed(const Candidates& candidates, Findings& findings)
{
    for (const char* key : namedKeys) {
        if (candidates.names.empty() || findings.has(key))
            continue;
        const bool ofWidth = key == std::string("num_heads") || key == std::string("map_heads");
        if (ofWidth && candidates.likeness == Likeness::Structure
            && !valueOf(*candidates.names.front(), key).is_null())
            continue;  // other widths have other numbers of heads
        const Json first = valueOf(*candidates.names.front(), key);
        if (std::ranges::all_of(candidates.names,
                                [&](const PlainVit* vit) { return sameJson(valueOf(*vit, key), first); }))
            findings.put(key, first, candidates.witness());
    }
}

std::vector<std::string> valuesOf(const Candidates& candidates, const std::string& key)
{
    std::vector<std::string> values;
    for (const PlainVit* vit : candidates.names) {
        const std::string value = valueOf(*vit, key).dump();
        if (std::ranges::find(values, value) == values.end())
            values.push_back(value);
    }
    return values;
}

std::string contradiction(const Findings& findings, const PlainVit& vit)
{
    const auto own = [&](const std::string& key) { return valueOf(vit, key); };
    const auto seen = [&](const std::string& key) { return findings.value(key); };
    for (const char* key : structureKeys)
        if (!isOneOf(std::array{"final_norm", "fc_norm"}, key) && findings.seen(key)
            && !sameJson(shown(key, seen), shown(key, own)))
            return key;
    return {};
}

}
