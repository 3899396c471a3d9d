#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

struct PatchMixerDescription {
    std::string name;
    int64_t imageSize = 32, patchSize = 8;
    int64_t width = 16, heads = 2, depth = 2, classes = 10;
    AttentionSpec attention = AttentionSpec::reference();
    int64_t evaluationResize = 32;
    std::vector<std::string> labels;

    int64_t side() const { return imageSize / patchSize; }
    int64_t tokens() const { return side() * side(); }
    int64_t headDim() const { return width / heads; }
    /// Counted from the description alone.
    int64_t parameters() const;
    /// Multiply-adds outside attention.
    double linearMultiplyAdds() const;
};

/// Reads family, img_size, patch_size, embed_dim, num_heads, depth, num_classes and attention. Throws UsageError, naming the key.
PatchMixerDescription parsePatchMixer(const Json& config, const std::string& subject);

Json toJson(const PatchMixerDescription& description);

}
