#include "models/vit/vit_switches.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

namespace {

template <typename Value>
struct Spelling {
    const char* word;
    Value value;
};
template <typename Value>
Spelling(const char*, Value) -> Spelling<Value>;

constexpr std::array positionWords{Spelling{"learned", VitPositions::Learned},
                                   Spelling{"none", VitPositions::None}};
constexpr std::array ruleWords{Spelling{"bicubic_antialias", PositionRule::Timm},
                               Spelling{"bicubic", PositionRule::Deit},
                               Spelling{"bicubic_offset", PositionRule::Dinov2}};
constexpr std::array normWords{Spelling{"layer", VitNorm::Layer}, Spelling{"rms", VitNorm::Rms}};
constexpr std::array blockWords{Spelling{"pre", VitBlock::Pre}, Spelling{"res_post", VitBlock::ResPost},
                                Spelling{"parallel", VitBlock::Parallel},
                                Spelling{"branches", VitBlock::Branches}};
constexpr std::array scaleWords{Spelling{"none", VitLayerScale::None}, Spelling{"both", VitLayerScale::Both},
                                Spelling{"attn", VitLayerScale::Attention}};
constexpr std::array mlpWords{Spelling{"plain", VitMlp::Plain}, Spelling{"glu", VitMlp::Gated}};
constexpr std::array activationWords{
    Spelling{"gelu_erf", Activation::Gelu}, Spelling{"gelu_tanh", Activation::GeluTanh},
    Spelling{"quick_gelu", Activation::QuickGelu}, Spelling{"silu", Activation::Silu}};
constexpr std::array poolWords{Spelling{"token", VitPool::Token}, Spelling{"avg", VitPool::Average},
                               Spelling{"max", VitPool::Max},     Spelling{"avgmax", VitPool::AverageMax},
                               Spelling{"map", VitPool::Map},     Spelling{"token_avg", VitPool::TokenAverage}};
constexpr std::array ropeWords{Spelling{"axial", VitRope::Kind::Axial},
                               Spelling{"centred", VitRope::Kind::Centred},
                               Spelling{"mixed", VitRope::Kind::Mixed}};
constexpr std::array relativeWords{Spelling{"table", VitRelativePositions::Kind::Table},
                                   Spelling{"log_mlp", VitRelativePositions::Kind::LogMlp}};

template <typename Words, typename Value>
void readWord(const ConfigReader& reader, const char* key, const Words& words, Value& value)
{
    if (!reader.has(key))
        return;
    std::vector<std::string> known;
    const std::string given = reader.text(key);
    for (const auto& each : words) {
        if (given == each.word) {
            value = each.value;
            return;
        }
        known.emplace_back(each.word);
    }
    reader.refuse(key, joinWords(known));
}

template <typename Words, typename Value>
const char* wordOf(const Words& words, Value value)
{
    for (const auto& each : words)
        if (each.value == value)
            return each.word;
    return "";
}

struct Flag {
    const char* key;
    bool VitDescription::*value;
};

constexpr std::array flags{Flag{"class_token", &VitDescription::classToken},
                           Flag{"distilled", &VitDescription::distilled},
                           Flag{"pos_prefix", &VitDescription::positionedPrefix},
                           Flag{"patch_bias", &VitDescription::patchBias},
                           Flag{"patch_norm", &VitDescription::patchNorm},
                           Flag{"pre_norm", &VitDescription::preNorm},
                           Flag{"qk_norm", &VitDescription::queryKeyNorm},
                           Flag{"attn_norm", &VitDescription::attentionNorm},
                           Flag{"mlp_norm", &VitDescription::mlpNorm},
                           Flag{"proj_bias", &VitDescription::projectionBias},
                           Flag{"mlp_bias", &VitDescription::mlpBias},
                           Flag{"differential", &VitDescription::differential},
                           Flag{"final_norm", &VitDescription::finalNorm},
                           Flag{"fc_norm", &VitDescription::pooledNorm},
                           Flag{"pool_prefix", &VitDescription::poolPrefix},
                           Flag{"fused_out", &VitDescription::fusedOutput}};

/// Switches that are not flags; `act`, `distilled` and `qkv_bias` are also keys of deit and evit.
constexpr std::array otherSwitches{"reg_tokens", "pos_embed",  "pos_resample", "norm",        "block", "branches",
                                   "kv_heads",   "rope",       "rel_pos",      "layer_scale", "mlp",   "pool",
                                   "map_heads",  "map_hidden", "map_act",      "mlp_hidden"};

/// An object under a key; its own keys are refused by name.
struct Part {
    const Json& json;
    std::string subject;
    ConfigReader reader;

    Part(const Json& config, const char* key, const ConfigReader& outer)
        : json(config[key])
        , subject(std::string("`") + key + "` of the model description")
        , reader((requireObject(json, key, outer), json), subject)
    {}

private:
    static void requireObject(const Json& json, const char* key, const ConfigReader& outer)
    {
        if (!json.is_object())
            outer.refuse(key, "an object with a type, or null");
    }
};

VitRope readRope(const Json& config, const ConfigReader& reader)
{
    const Part part(config, "rope", reader);
    VitRope rope;
    std::ignore = part.reader.need("type");
    readWord(part.reader, "type", ropeWords, rope.kind);
    rope.half = part.reader.flag("half", false);
    constexpr std::array orders{Spelling{"ij", false}, Spelling{"xy", true}};
    readWord(part.reader, "order", orders, rope.columnFirst);
    if (rope.kind == VitRope::Kind::Mixed)
        return rope;
    rope.temperature = part.reader.number("temperature", rope.kind == VitRope::Kind::Axial ? 10000 : 100, 1, 1e12);
    if (rope.kind == VitRope::Kind::Centred)
        return rope;
    rope.offset = part.reader.number("offset", 0, -1e6, 1e6);
    if (part.reader.has("ref_grid"))
        rope.reference = part.reader.sides("ref_grid");
    return rope;
}

VitRelativePositions readRelative(const Json& config, const ConfigReader& reader)
{
    const Part part(config, "rel_pos", reader);
    VitRelativePositions relative;
    std::ignore = part.reader.need("type");
    readWord(part.reader, "type", relativeWords, relative.kind);
    relative.shared = part.reader.flag("shared", false);
    if (relative.kind == VitRelativePositions::Kind::LogMlp)
        relative.hidden = part.reader.integer("hidden", 1, 65536);
    else if (relative.shared)
        part.reader.refuse("shared", "false: each layer has a table of its own");
    return relative;
}

void readQkvBias(const Json& config, const ConfigReader& reader, VitDescription& d)
{
    if (!reader.has("qkv_bias"))
        return;
    const Json& value = config["qkv_bias"];
    if (value.is_boolean())
        d.qkvBias = value.get<bool>() ? VitQkvBias::All : VitQkvBias::None;
    else if (value == "qv")
        d.qkvBias = VitQkvBias::QueryValue;
    else
        reader.refuse("qkv_bias", "true, false or \"qv\"");
}

void readKeyHeads(const Json& config, const ConfigReader& reader, VitDescription& d)
{
    if (!reader.has("kv_heads"))
        return;
    if (config["kv_heads"].is_number_integer())
        d.keyHeads.assign(size_t(d.depth), reader.integer("kv_heads", 1, d.heads));
    else
        d.keyHeads = reader.integers("kv_heads", size_t(d.depth), 1, d.heads);
    for (const int64_t count : d.keyHeads)
        if (d.heads % count != 0)
            reader.refuse("kv_heads", "divisors of num_heads, " + std::to_string(d.heads));
}

/// Refuses a switch that another leaves no place for.
void checkTogether(const ConfigReader& reader, const VitDescription& d)
{
    const auto forbid = [&](bool wrong, const char* key, const char* allowed) {
        if (wrong)
            reader.refuse(key, allowed);
    };
    const bool parallel = d.block == VitBlock::Parallel;
    forbid(d.distilled && !d.classToken, "distilled", "false without class_token");
    forbid(d.distilled && d.pool != VitPool::Token, "pool", "token in a distilled network");
    forbid(!d.classToken && (d.pool == VitPool::Token || d.pool == VitPool::TokenAverage), "pool",
           "avg, max, avgmax or map without class_token");
    forbid(d.finalNorm && d.pooledNorm, "fc_norm", "false, or final_norm false: there is one of the two at most");
    forbid(parallel && d.mlp != VitMlp::Plain, "mlp", "plain in parallel blocks");
    forbid(parallel && (d.attentionNorm || d.mlpNorm), d.mlpNorm ? "mlp_norm" : "attn_norm",
           "false in parallel blocks");
    forbid(parallel && !(d.projectionBias && d.mlpBias), d.mlpBias ? "proj_bias" : "mlp_bias",
           "true in parallel blocks");
    forbid(parallel && d.qkvBias == VitQkvBias::QueryValue, "qkv_bias", "true or false in parallel blocks");
    forbid(parallel && !d.keyHeads.empty(), "kv_heads", "left out in parallel blocks");
    forbid(d.fusedOutput && !parallel, "fused_out", "false unless blocks are parallel");
    forbid(d.block == VitBlock::ResPost && d.layerScale != VitLayerScale::None, "layer_scale",
           "none in res_post blocks");
    forbid((parallel || d.block == VitBlock::Branches) && d.layerScale == VitLayerScale::Attention, "layer_scale",
           "none or both unless blocks are pre");
    forbid(d.block == VitBlock::Branches ? d.branches < 2 : d.branches != 1, "branches",
           "2 or more in blocks with branches, and 1 in others");
    forbid(d.differential && (!d.keyHeads.empty() || d.relative || d.block == VitBlock::Branches), "differential",
           "false with kv_heads, rel_pos or branches");
    forbid(d.differential && d.width / d.heads % 2 != 0, "differential",
           "false unless heads have an even number of channels");
    forbid(d.differential && d.attentionNorm, "attn_norm",
           "false in differential attention, which has a norm of its own");
    const int64_t pairs = d.rope && d.rope->kind == VitRope::Kind::Mixed ? 2 : 4;
    forbid(d.rope && d.headDim() % pairs != 0, "rope",
           "null unless heads have a multiple of four channels, or of two where mixed");
    forbid(d.rope && d.rope->kind == VitRope::Kind::Mixed && (d.differential || !d.keyHeads.empty()), "rope",
           "axial or centred with kv_heads or in differential attention: each head has frequencies of its own");
    forbid(d.relative && d.relative->kind == VitRelativePositions::Kind::Table && d.prefixTokens() != 1, "rel_pos",
           "log_mlp unless a class token is all that precedes the patches");
    forbid(d.pool == VitPool::Map && d.width % d.poolHeads() != 0, "map_heads", "a divisor of embed_dim");
}

}

void readVitSwitches(const Json& config, const ConfigReader& reader, VitDescription& d)
{
    for (const char* key : {"pos_grid"})
        if (reader.has(key))
            reader.refuse(key, "left out: the storage of NaFlex is not supported");
    d.positionRule = PositionRule::Timm;
    for (const auto& [key, value] : flags)
        d.*value = reader.flag(key, d.*value);
    if (reader.has("mlp_hidden"))
        d.mlpHidden = reader.integer("mlp_hidden", 1, 1 << 20);
    if (reader.has("reg_tokens"))
        d.registers = reader.integer("reg_tokens", 0, 4096);
    if (reader.has("branches"))
        d.branches = reader.integer("branches", 1, 64);
    if (reader.has("map_heads"))
        d.mapHeads = reader.integer("map_heads", 1, 4096);
    if (reader.has("map_hidden"))
        d.mapHidden = reader.integer("map_hidden", 1, 1 << 20);
    readWord(reader, "pos_embed", positionWords, d.positions);
    readWord(reader, "pos_resample", ruleWords, d.positionRule);
    readWord(reader, "norm", normWords, d.norm);
    readWord(reader, "block", blockWords, d.block);
    readWord(reader, "layer_scale", scaleWords, d.layerScale);
    readWord(reader, "mlp", mlpWords, d.mlp);
    readWord(reader, "act", activationWords, d.activation);
    readWord(reader, "pool", poolWords, d.pool);
    if (reader.has("map_act"))
        readWord(reader, "map_act", activationWords, d.mapActivation.emplace());
    readQkvBias(config, reader, d);
    readKeyHeads(config, reader, d);
    if (reader.has("rope"))
        d.rope = readRope(config, reader);
    if (reader.has("rel_pos"))
        d.relative = readRelative(config, reader);
    checkTogether(reader, d);
}

void refuseVitSwitches(const ConfigReader& reader)
{
    const auto refuse = [&](const char* key) {
        if (reader.has(key))
            reader.refuse(key, "left out: only the family vit has it");
    };
    for (const auto& [key, value] : flags)
        if (std::string_view(key) != "distilled")
            refuse(key);
    for (const char* key : otherSwitches)
        refuse(key);
}

void writeVitSwitches(const VitDescription& d, Json& json)
{
    const VitDescription defaults;
    for (const auto& [key, value] : flags)
        if (d.*value != defaults.*value)
            json[key] = d.*value;
    const auto number = [&](const char* key, int64_t value, int64_t usual) {
        if (value != usual)
            json[key] = value;
    };
    number("reg_tokens", d.registers, 0);
    number("branches", d.branches, 1);
    number("map_heads", d.mapHeads, 0);
    number("map_hidden", d.mapHidden, 0);
    const auto word = [&](const char* key, const auto& words, auto value) {
        if (value != words.front().value)
            json[key] = wordOf(words, value);
    };
    word("pos_embed", positionWords, d.positions);
    word("pos_resample", ruleWords, d.positionRule);
    word("norm", normWords, d.norm);
    word("block", blockWords, d.block);
    word("layer_scale", scaleWords, d.layerScale);
    word("mlp", mlpWords, d.mlp);
    word("act", activationWords, d.activation);
    word("pool", poolWords, d.pool);
    if (d.mapActivation)
        json["map_act"] = wordOf(activationWords, *d.mapActivation);
    if (d.qkvBias != VitQkvBias::All)
        json["qkv_bias"] = d.qkvBias == VitQkvBias::None ? Json(false) : Json("qv");
    if (!d.keyHeads.empty())
        json["kv_heads"] = d.keyHeads;
    if (d.rope) {
        Json& rope = json["rope"] = {{"type", wordOf(ropeWords, d.rope->kind)},
                                     {"half", d.rope->half},
                                     {"order", d.rope->columnFirst ? "xy" : "ij"}};
        if (d.rope->kind != VitRope::Kind::Mixed)
            rope["temperature"] = d.rope->temperature;
        if (d.rope->kind == VitRope::Kind::Axial) {
            rope["offset"] = d.rope->offset;
            rope["ref_grid"] = d.rope->reference ? Json{d.rope->reference->first, d.rope->reference->second}
                                                 : Json();
        }
    }
    if (d.relative) {
        Json& relative = json["rel_pos"] = {{"type", wordOf(relativeWords, d.relative->kind)},
                                            {"shared", d.relative->shared}};
        if (d.relative->kind == VitRelativePositions::Kind::LogMlp)
            relative["hidden"] = d.relative->hidden;
    }
}

}
