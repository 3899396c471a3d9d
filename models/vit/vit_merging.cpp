// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_merging.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "models/blocks/layers.h"

namespace attnscope {

void checkMerging(const VitDescription& d, PreparedAttention& prepared)
{
    const TokenSpec& tokens = prepared.resolved.tokens();
    if (!tokens.merges())
        return;
    if (d.relative)
        refuseMerging(prepared.resolved, d.name, "its relative position biases need every token in its place in the image");
    const std::int64_t pairs = mergeable(d.tokens(), d.prefixTokens()), most = pairs / (tokens.isDecreasing() ? 2 : 1);
    if (tokens.merged() > most)
        throw UsageError(prepared.resolved.canonical(),
                         "r=" + std::to_string(tokens.merged()) + " leaves no tokens: of " + std::to_string(d.tokens() - d.prefixTokens())
                             + " patches a block can merge " + std::to_string(pairs) + (tokens.isDecreasing() ? ", and the first merges 2r" : ""),
                         "give r from 0 to " + std::to_string(most));
    const std::vector<std::int64_t> left = prepared.merging.tokensOf(d.depth, d.tokens(), d.prefixTokens());
    prepared.notes.push_back("of " + std::to_string(left.front()) + " tokens " + std::to_string(left.back())
                             + " are left behind the last block; once some have merged, the others stand in a line in row-major order, without a grid");
    if (d.rope)
        prepared.notes.emplace_back("a merged token keeps the rotary position of the token that it was merged into");
}

std::shared_ptr<AttentionBackend> makeBehindMerging(const AttentionSpec& spec, const BackendContext& context, const AttentionSpec& whole)
{
    try {
        auto backend = makeBackend(spec, context);
        if (const std::string why = backend->whyNoKeyWeights(); !why.empty())
            throw UsageError("", why + ", which merged tokens need");
        backend->forgetGrid();
        return backend;
    } catch (const UsageError& error) {
        throw UsageError(whole.canonical(), "behind merged tokens `" + spec.backend() + "` is not possible (" + error.what() + ")",
                         "leave out `;tokens=`, or choose an attention without a grid, such as softmax or wildcat");
    }
}

}  // namespace attnscope
