#include "models/vit/formats/findings.h"

#include <algorithm>

namespace attnscope {

const Json& vitDefaults()
{
    static const Json defaults{{"img_size", nullptr},
                               {"patch_size", nullptr},
                               {"embed_dim", nullptr},
                               {"depth", nullptr},
                               {"num_heads", nullptr},
                               {"mlp_hidden", nullptr},
                               {"num_classes", nullptr},
                               {"class_token", true},
                               {"distilled", false},
                               {"reg_tokens", 0},
                               {"pos_embed", "learned"},
                               {"pos_prefix", true},
                               {"pos_resample", "bicubic_antialias"},
                               {"patch_bias", true},
                               {"patch_norm", false},
                               {"pre_norm", false},
                               {"norm", "layer"},
                               {"ln_eps", 1e-6},
                               {"block", "pre"},
                               {"branches", 1},
                               {"qkv_bias", true},
                               {"qk_norm", false},
                               {"attn_norm", false},
                               {"mlp_norm", false},
                               {"proj_bias", true},
                               {"mlp_bias", true},
                               {"kv_heads", nullptr},
                               {"differential", false},
                               {"rope", nullptr},
                               {"rel_pos", nullptr},
                               {"layer_scale", "none"},
                               {"mlp", "plain"},
                               {"act", "gelu_erf"},
                               {"final_norm", true},
                               {"fc_norm", false},
                               {"pool", "token"},
                               {"pool_prefix", false},
                               {"map_heads", nullptr},
                               {"map_hidden", nullptr},
                               {"map_act", nullptr},
                               {"fused_out", false}};
    return defaults;
}

bool sameJson(const Json& a, const Json& b)
{
    if (a.is_number() && b.is_number())
        return a.get<double>() == b.get<double>();
    return nlohmann::json(a) == nlohmann::json(b);
}

void Findings::put(const std::string& key, const Json& value, const std::string& witness)
{
    if (!has(key))
        m_found.push_back({key, value, witness, false});
}

void Findings::putSeen(const std::string& key, const Json& value, const std::string& witness)
{
    if (!has(key))
        m_found.push_back({key, value, witness, true});
}

const WitnessedKey* Findings::find(const std::string& key) const
{
    const auto found = std::ranges::find(m_found, key, &WitnessedKey::key);
    return found == m_found.end() ? nullptr : &*found;
}

Json Findings::value(const std::string& key) const
{
    const WitnessedKey* found = find(key);
    return found != nullptr ? found->value : vitDefaults().value(key, Json());
}

int64_t Findings::integer(const std::string& key) const
{
    const Json found = value(key);
    return found.is_number_integer() ? found.get<int64_t>() : 0;
}

std::string Findings::text(const std::string& key) const
{
    const Json found = value(key);
    return found.is_string() ? found.get<std::string>() : std::string();
}

bool Findings::seen(const std::string& key) const
{
    const WitnessedKey* found = find(key);
    return found != nullptr && found->seen;
}

Json Findings::config() const
{
    Json config = Json::object();
    for (const auto& [key, usual] : vitDefaults().items())
        if (const Json found = value(key); !sameJson(found, usual))
            config[key] = found;
    return config;
}

std::vector<WitnessedKey> Findings::all() const
{
    std::vector<WitnessedKey> list;
    for (const auto& [key, usual] : vitDefaults().items()) {
        const WitnessedKey* found = find(key);
        list.push_back(found != nullptr ? *found : WitnessedKey{key, usual, "default", false});
    }
    return list;
}

}
