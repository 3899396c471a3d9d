// SPDX-License-Identifier: Apache-2.0
#include "models/layers.h"

#include "core/attention/spatial_reduction.h"

namespace attnscope {

std::string meaning(AttentionSpec spec)
{
    if (spec.backend() == "sra" || (spec.backend() == "softmax" && keySource(spec) == KeySource::Reduced))
        return "softmax over reduced keys";
    if (spec.backend() == "softmax")
        return "softmax";
    if (spec.backend() == "ra")
        spec = spec.with("block", std::int64_t{128});
    const std::string& text = spec.canonical();
    const std::size_t seed = text.find("seed=");
    return seed == std::string::npos ? text : text.substr(0, seed - 1);
}

bool isAttentionParameter(std::string_view name)
{
    for (const char* part : {"q_bar_gen.", "k_bar_gen.", "eval_proj", "random_proj", "sigma"})
        if (name.starts_with(part))
            return true;
    return false;
}

bool isOwnedByAttention(std::string_view name)
{
    for (const std::string_view module : {".attn.attn_fn.", ".attn."})
        if (const std::size_t at = name.find(module); at != std::string_view::npos && isAttentionParameter(name.substr(at + module.size())))
            return true;
    return false;
}

}  // namespace attnscope
