#include "models/vit/vit_merging.h"

#include "core/base/text.h"
#include "models/blocks/layers.h"

namespace attnscope {

void checkMerging(const VitDescription& d, PreparedAttention& prepared)
{
    const TokenSpec& tokens = prepared.resolved.tokens();
    if (!tokens.merges())
        return;
    if (d.relative)
        refuseMerging(prepared.resolved, d.name,
                      "its relative position biases need every token in its place in the image");
    requireMergeable(prepared.resolved, d.tokens(), d.prefixTokens());
    const std::vector<int64_t> left = prepared.merging.tokensOf(d.depth, d.tokens(), d.prefixTokens());
    prepared.notes.push_back("of " + counted(left.front(), "token") + " " + std::to_string(left.back())
                             + " are left behind the last block; once some have merged, the others stand in a "
                               "line in row-major order, without a grid");
    if (d.rope)
        prepared.notes.emplace_back(
            "a merged token keeps the rotary position of the token that it was merged into");
}

}
