#include "models/vit/formats/plain_vits.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace attnscope {

namespace {

using Fields = std::map<std::string_view, std::string_view>;

/// Calls `take` with the fields of each line by the names in the first one.
void eachLine(std::string_view text, const std::function<void(const Fields&)>& take)
{
    std::vector<std::string_view> names;
    for (const std::string_view line : split(text, '\n')) {
        if (trim(line).empty())
            continue;
        const auto values = split(line, '\t');
        if (names.empty()) {
            names = values;
            continue;
        }
        Fields fields;
        for (size_t i = 0; i < names.size(); ++i)
            fields[names[i]] = values.at(i);
        take(fields);
    }
}

int64_t integer(std::string_view text)
{
    return parseNumber<int64_t>(text).value();
}

double real(std::string_view text)
{
    return parseNumber<double>(text).value();
}

std::array<double, 3> three(std::string_view text)
{
    const auto parts = split(text, ' ');
    return {real(parts.at(0)), real(parts.at(1)), real(parts.at(2))};
}

/// One field of how images are prepared; false if it is another one.
bool readPreparation(std::string_view key, std::string_view value, ImagePreparation& preparation)
{
    if (key == "mean")
        preparation.mean = three(value);
    else if (key == "std")
        preparation.stddev = three(value);
    else if (key == "interpolation")
        preparation.filter = filterNamed(value).value();
    else if (key == "crop_pct")
        preparation.cropFraction = real(value);
    else if (key == "crop_mode")
        preparation.squash = value == "squash";
    else
        return false;
    return true;
}

void readImage(std::string_view text, int64_t& height, int64_t& width)
{
    const auto sides = split(text, 'x');
    height = integer(sides.at(0));
    width = integer(sides.at(1));
}

PlainVit readVit(const Fields& fields)
{
    PlainVit vit;
    vit.name = fields.at("name");
    vit.stage = int(integer(fields.at("stage")));
    vit.module = fields.at("module");
    vit.width = integer(fields.at("embed_dim"));
    vit.depth = integer(fields.at("depth"));
    vit.heads = integer(fields.at("num_heads"));
    vit.hidden = integer(fields.at("mlp_hidden"));
    vit.patch = integer(fields.at("patch"));
    readImage(fields.at("img"), vit.imageHeight, vit.imageWidth);
    vit.classes = integer(fields.at("classes"));
    vit.tag = fields.at("tag");
    vit.parameters = integer(fields.at("params"));
    vit.macs = 1e9 * real(fields.at("gmacs"));
    vit.switches = Json::parse(fields.at("switches"));
    for (const auto& [key, value] : fields)
        readPreparation(key, value, vit.preparation);
    return vit;
}

PlainVitWeights readWeights(const Fields& fields)
{
    PlainVitWeights weights;
    weights.name = fields.at("name");
    weights.tag = fields.at("tag");
    weights.published = fields.at("published") == "1";
    weights.licence = fields.at("licence");
    const PlainVit& vit = *findPlainVit(weights.name);
    weights.imageHeight = vit.imageHeight;
    weights.imageWidth = vit.imageWidth;
    weights.preparation = vit.preparation;
    for (const std::string_view difference : split(fields.at("differences"), ';')) {
        const auto parts = split(trim(difference), '=');
        if (parts.size() == 2 && !readPreparation(parts[0], parts[1], weights.preparation) && parts[0] == "img")
            readImage(parts[1], weights.imageHeight, weights.imageWidth);
    }
    return weights;
}

struct OutOfScope {
    std::string_view begins;
    std::string_view contains;
    const char* what;
    const char* missing;
};

/// The first that fits counts.
constexpr std::array<OutOfScope, 21> outOfScope{{
    {"naflexvit_", "", "a NaFlex vision transformer", "its storage of patches and positions is not supported"},
    {"vit_", "_resnet", "a vision transformer on a convolutional network",
     "a convolutional stem is not supported"},
    {"vit_", "_r26_", "a vision transformer on a convolutional network", "a convolutional stem is not supported"},
    {"vit_", "_r50_", "a vision transformer on a convolutional network", "a convolutional stem is not supported"},
    {"vit_", "_r_s16", "a vision transformer on a convolutional network", "a convolutional stem is not supported"},
    {"vitamin_", "", "ViTamin", "its convolutional stages are not supported"},
    {"samvit_", "", "the image encoder of Segment Anything", "its window attention is not supported"},
    {"sam2_", "", "Hiera", "its stages and window attention are not supported"},
    {"hiera", "", "Hiera", "its stages and window attention are not supported"},
    {"cait_", "", "CaiT", "its talking heads and class attention are not supported"},
    {"xcit_", "", "XCiT", "its attention between channels is not supported"},
    {"convit_", "", "ConViT", "its gated positional attention is not supported"},
    {"tnt_", "", "Transformer in Transformer", "its inner transformer of pixels is not supported"},
    {"volo_", "", "VOLO", "its outlook attention is not supported"},
    {"crossvit_", "", "CrossViT", "its two branches of patch sizes are not supported"},
    {"pit_", "", "PiT", "its pooling between stages is not supported"},
    {"levit", "", "LeViT", "its stages are not supported"},
    {"mvitv2_", "", "MViTv2", "its stages are not supported"},
    {"qwen3_vit", "", "the image tower of a language model",
     "it has no classifier, and its layout is not supported"},
    {"deepseek_vit", "", "the image tower of a language model",
     "it has no classifier, and its layout is not supported"},
    {"gemma4_vit", "", "the image tower of a language model",
     "it has no classifier, and its layout is not supported"},
}};

/// The first whose word is in a name gives its title.
struct FamilyTitle {
    std::string_view word;
    const char* title;
};

constexpr std::array<FamilyTitle, 39> familyTitles{{
    {"_dinov2", "DINOv2"},
    {"_dinov3", "DINOv3"},
    {"lingbot", "LingBot-Vision"},
    {"sapiens2", "Sapiens2"},
    {"_siglip_gap_", "SigLIP without its pooling"},
    {"_siglip_", "SigLIP"},
    {"_clip_quickgelu_", "CLIP (quick GELU)"},
    {"eva02_", "EVA-02"},
    {"eva_large", "EVA"},
    {"eva_giant", "EVA"},
    {"_clip_", "CLIP"},
    {"deit3_", "DeiT III"},
    {"deit_", "DeiT"},
    {"beit3_", "BEiT-3"},
    {"beitv2_", "BEiT v2"},
    {"beit_", "BEiT"},
    {"aimv2_", "AIMv2"},
    {"flexivit_", "FlexiViT"},
    {"_radio", "RADIO"},
    {"_intern", "InternViT"},
    {"_pe_core_", "Perception Encoder, core"},
    {"_pe_lang_", "Perception Encoder, language"},
    {"_pe_spatial_", "Perception Encoder, spatial"},
    {"_rope_mixed_", "RoPE-ViT, mixed"},
    {"_rope_reg", "ViT with RoPE"},
    {"_rope_", "RoPE-ViT, axial"},
    {"srelpos", "ViT with shared relative positions"},
    {"relpos", "ViT with relative positions"},
    {"_rpn_", "ViT, norm after each branch"},
    {"tipsv2", "TIPSv2"},
    {"_dpwee_", "ViT, differential and parallel"},
    {"_pwee_", "ViT, parallel"},
    {"_dwee_", "ViT with differential attention"},
    {"_xp_", "ViT, parallel"},
    {"18x2", "ViT, two branches"},
    {"36x1", "ViT"},
    {"test_", "test network"},
    {"_reg", "ViT with registers"},
    {"vit_", "ViT"},
}};

}

const std::vector<PlainVit>& plainVits()
{
    static const std::vector<PlainVit> all = [] {
        std::vector<PlainVit> list;
        eachLine(plainVitText, [&](const Fields& fields) { list.push_back(readVit(fields)); });
        return list;
    }();
    return all;
}

const PlainVit* findPlainVit(std::string_view name)
{
    static const std::map<std::string_view, const PlainVit*> byName = [] {
        std::map<std::string_view, const PlainVit*> map;
        for (const PlainVit& vit : plainVits())
            map[vit.name] = &vit;
        return map;
    }();
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : found->second;
}

const std::vector<PlainVitWeights>& plainVitWeights()
{
    static const std::vector<PlainVitWeights> all = [] {
        std::vector<PlainVitWeights> list;
        eachLine(plainVitWeightText, [&](const Fields& fields) { list.push_back(readWeights(fields)); });
        return list;
    }();
    return all;
}

const PlainVitWeights* findPlainVitWeights(std::string_view name, std::string_view tag)
{
    const auto& all = plainVitWeights();
    const auto found = std::ranges::find_if(
        all, [&](const PlainVitWeights& each) { return each.name == name && each.tag == tag; });
    return found == all.end() ? nullptr : &*found;
}

Json descriptionOf(const PlainVit& vit)
{
    Json config{{"family", "vit"}, {"name", vit.name}};
    if (vit.imageHeight == vit.imageWidth)
        config["img_size"] = vit.imageHeight;
    else
        config["img_size"] = {vit.imageHeight, vit.imageWidth};
    config["patch_size"] = vit.patch;
    config["embed_dim"] = vit.width;
    config["depth"] = vit.depth;
    config["num_heads"] = vit.heads;
    config["mlp_hidden"] = vit.hidden;
    config["num_classes"] = vit.classes;
    config.update(vit.switches);
    addTo(config, vit.preparation);
    return config;
}

std::string titleOf(const PlainVit& vit)
{
    std::string title = "ViT";
    for (const FamilyTitle& each : familyTitles)
        if (vit.name.find(each.word) != std::string::npos) {
            title = each.title;
            break;
        }
    return title + ", width " + std::to_string(vit.width) + ", patch " + std::to_string(vit.patch)
           + (vit.switches.value("distilled", false) ? ", distilled" : "");
}

std::string whyOutOfScope(std::string_view name)
{
    if (const PlainVit* vit = findPlainVit(name); vit != nullptr && vit->runs())
        return {};
    for (const OutOfScope& each : outOfScope)
        if (name.starts_with(each.begins) && name.find(each.contains) != std::string_view::npos)
            return std::string(each.what) + ": " + each.missing;
    return {};
}

}
