#include "models/motionformer/motionformer_description.h"

#include "models/weights/config_reader.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace attnscope {

namespace {

void readSizes(const ConfigReader& reader, MotionformerDescription& d)
{
    d.patchSize = reader.integer("patch", 1, 224);
    d.tubelet = reader.integer("tubelet", 1, 64);
    d.frames = reader.integer("frames", 1, 4096);
    if (d.frames % d.tubelet != 0)
        reader.refuse("frames", "a multiple of tubelet, " + std::to_string(d.tubelet));
    std::tie(d.imageHeight, d.imageWidth) = reader.sides("crop");
    if (d.imageHeight % d.patchSize != 0 || d.imageWidth % d.patchSize != 0)
        reader.refuse("crop", "a multiple of the patch size, " + std::to_string(d.patchSize));
    if (d.tokens() > 1 << 20)
        reader.refuse("crop", "so small that a clip has at most a million tokens");
    d.evaluationResize = std::min(d.imageHeight, d.imageWidth);
    if (reader.has("frame_interval"))
        d.frameInterval = reader.integer("frame_interval", 1, 1024);
}

void readClasses(const ConfigReader& reader, MotionformerDescription& d)
{
    const Json& classes = reader.need("num_classes");
    constexpr int64_t most = 10'000'000;
    if (!classes.is_array())
        d.classifierHeads = {reader.integer("num_classes", 1, most)};
    else if (classes.empty() || classes.size() > 2)
        reader.refuse("num_classes", "one number, or two for two heads");
    else
        d.classifierHeads = reader.integers("num_classes", classes.size(), 1, most);
}

/// Motionformer's own names for replacements of the spatial softmax. Its Performer ignores the number of landmarks.
AttentionSpec approximation(const ConfigReader& reader)
{
    const std::string approx = reader.text("approx", "none");
    const std::string count = reader.has("landmarks") ? std::to_string(reader.integer("landmarks", 1, 4096))
                                                      : "128";
    if (approx == "none")
        return AttentionSpec::reference();
    if (approx == "nystrom" || approx == "orthoformer")
        return AttentionSpec::parse(approx + ":samples=" + count);
    if (approx == "performer")
        return AttentionSpec::parse("performer:samples=256,orthogonal=true,floors=motionformer");
    reader.refuse("approx", "none, nystrom, orthoformer or performer");
}

void readAttention(const ConfigReader& reader, MotionformerDescription& d)
{
    const std::string form = reader.choice("attn", {"trajectory", "joint", "divided"});
    d.spaceTime = form == "joint"     ? SpaceTime::Joint
                  : form == "divided" ? SpaceTime::Divided
                                      : SpaceTime::Trajectory;
    d.temporalValue = reader.flag("use_original_traj_attn_code", true) ? TemporalValue::Spatial
                                                                       : TemporalValue::Projected;
    d.attention = reader.has("attention") ? AttentionSpec::parse(reader.text("attention")) : approximation(reader);
    if (d.attention.isNative())
        reader.refuse("attention", "the name of an attention other than native");
    d.attention = d.attention.resolved(AttentionSpec::reference(), d.depth);
    if (d.spaceTime != SpaceTime::Trajectory && reader.text("approx", "none") != "none")
        reader.refuse("approx", "none unless the attention is trajectory");
}

void readHead(const ConfigReader& reader, MotionformerDescription& d)
{
    d.preLogits = reader.flag("use_mlp_head", true);
    if (d.preLogits && reader.text("head_act", "tanh") != "tanh")
        reader.refuse("head_act", "tanh");
    reader.requireExactGelu();
}

}

const char* toText(SpaceTime spaceTime)
{
    return spaceTime == SpaceTime::Joint ? "joint" : spaceTime == SpaceTime::Divided ? "divided" : "trajectory";
}

int64_t MotionformerDescription::classes() const
{
    return std::accumulate(classifierHeads.begin(), classifierHeads.end(), int64_t{0});
}

std::string MotionformerDescription::replaced() const
{
    return spaceTime == SpaceTime::Trajectory
               ? "the spatial softmax within each frame; class token and temporal step remain exact"
           : spaceTime == SpaceTime::Divided
               ? "the space attention of each frame; class token and time attention remain exact"
               : "the attention over all tokens";
}

MotionformerDescription parseMotionformerDescription(const Json& config, const std::string& subject)
{
    const ConfigReader reader(config, subject);
    MotionformerDescription d;
    std::ignore = reader.choice("family", {"motionformer"});
    d.width = reader.integer("embed_dim", 1, 65536);
    d.depth = reader.integer("depth", 1, 1024);
    d.heads = reader.integer("num_heads", 1, 4096);
    if (d.width % d.heads != 0)
        reader.refuse("num_heads", "a divisor of embed_dim, " + std::to_string(d.width));
    readSizes(reader, d);
    readClasses(reader, d);
    readAttention(reader, d);
    readHead(reader, d);
    if (reader.has("pos_embed"))
        d.position = reader.choice("pos_embed", {"separate", "joint"}) == "joint" ? PositionForm::Joint
                                                                                  : PositionForm::Separate;
    d.layerNormEps = reader.number("ln_eps", 1e-6, 0, 1);
    d.mlpRatio = reader.number("mlp_ratio", 4, 0.001, 1024);
    d.qkvBias = reader.flag("qkv_bias", true);
    d.name = reader.text("name", "");
    return d;
}

Json toJson(const MotionformerDescription& d)
{
    Json json{{"family", "motionformer"},
              {"name", d.name},
              {"crop", {d.imageHeight, d.imageWidth}},
              {"frames", d.frames},
              {"frame_interval", d.frameInterval},
              {"tubelet", d.tubelet},
              {"patch", d.patchSize},
              {"embed_dim", d.width},
              {"depth", d.depth},
              {"num_heads", d.heads},
              {"attn", toText(d.spaceTime)}};
    json["use_original_traj_attn_code"] = d.temporalValue == TemporalValue::Spatial;
    json["attention"] = d.attention.canonical();
    json["pos_embed"] = d.position == PositionForm::Joint ? "joint" : "separate";
    json["use_mlp_head"] = d.preLogits;
    if (d.classifierHeads.size() == 1)
        json["num_classes"] = d.classifierHeads.front();
    else
        json["num_classes"] = d.classifierHeads;
    json["ln_eps"] = d.layerNormEps;
    json["mlp_ratio"] = d.mlpRatio;
    json["qkv_bias"] = d.qkvBias;
    return json;
}

}
