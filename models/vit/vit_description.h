// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"
#include "models/blocks/mlp_width.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

enum class VitFamily {
    Deit,  ///< class token (and distillation token), head on it
    Evit,  ///< the LARA authors' network: no class token, norm, then mean over all tokens
};

/// A vision transformer as data: the content of JSON descriptions and the catalogue.
struct VitDescription {
    std::string name;  ///< in the catalogue, or of the file
    VitFamily family = VitFamily::Deit;
    bool distilled = false;
    std::int64_t imageHeight = 224, imageWidth = 224;
    std::int64_t patchSize = 16;
    std::int64_t width = 192;  ///< C
    std::int64_t depth = 12;
    std::int64_t heads = 3;
    std::int64_t classes = 1000;
    double layerNormEps = 1e-6;
    double mlpRatio = 4;
    bool qkvBias = true;
    AttentionSpec attention = AttentionSpec::reference();
    bool landmarkMaps = false;    ///< the network was trained with `light` landmark maps, which count as parameters
    std::int64_t evaluationResize = 256;
    std::vector<std::string> labels;

    [[nodiscard]] std::int64_t rows() const { return imageHeight / patchSize; }
    [[nodiscard]] std::int64_t columns() const { return imageWidth / patchSize; }
    [[nodiscard]] std::int64_t prefixTokens() const { return family == VitFamily::Evit ? 0 : distilled ? 2 : 1; }
    [[nodiscard]] std::int64_t tokens() const { return prefixTokens() + rows() * columns(); }
    [[nodiscard]] std::int64_t hidden() const { return mlpWidth(width, mlpRatio); }
    [[nodiscard]] std::int64_t headDim() const { return width / heads; }

    /// Computed from the description; equal to the number in its checkpoint without buffers.
    [[nodiscard]] std::int64_t parameters() const;
    /// Multiply-adds outside attention (projections, MLPs, patch embedding, heads) for `gridTokens` patches.
    [[nodiscard]] double linearMultiplyAdds(std::int64_t gridTokens) const;
    /// That of one block, and of the heads.
    [[nodiscard]] double blockMultiplyAdds(std::int64_t gridTokens) const;
    [[nodiscard]] double headMultiplyAdds() const;
};

[[nodiscard]] const char* toText(VitFamily family);

/// The keys of the golden cases' `config`: family, img_size or input_size, patch_size, embed_dim, depth, num_heads, num_classes,
/// ln_eps, mlp_ratio, qkv_bias, distilled, act, attn, attn_args (the LARA authors' names) or attention (our grammar).
/// `subject` is used in messages. Throws UsageError naming the key if it is missing or its value unknown or invalid.
[[nodiscard]] VitDescription parseVitDescription(const Json& config, const std::string& subject);

[[nodiscard]] Json toJson(const VitDescription& description);

}  // namespace attnscope
