// What an attention chose, as maps of tokens.
#include "core/attention/attention_backend.h"
#include "core/attention/input_parts.h"
#include "core/attention/methods/softmax.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attnscope {

/// exp(log normaliser of the patches) over that of all keys, of the queries behind the prefix, (B,H,N'): the weight that exact prefix keys
/// leave the others.
at::Tensor AttentionBackend::weightOfPatches(const AttentionInput& in, NoiseSource& noise) const
{
    const auto rest = computeEstimate(patchesOf(in), noise).logNormaliser;
    if (prefixKeys(in) == 0)
        return at::ones_like(rest);
    const auto prefix =
        exactPart(withKeys(withQueries(in, prefixQueries(in), in.q.size(2)), 0, prefixKeys(in))).logNormaliser;
    return (rest - at::logaddexp(rest, prefix)).exp();
}

std::vector<TokenMap> AttentionBackend::mapsOfGroups(const AttentionInput& in, NoiseSource& noise,
                                                     std::optional<int64_t> query) const
{
    std::vector<TokenMap> all;
    for (const AttentionInput& group : groupsOf(in)) {
        const std::vector<TokenMap> own = computeTokenMaps(group, noise, query);
        all.resize(own.size());
        for (size_t i = 0; i < own.size(); ++i) {
            const auto values = own[i].values.unsqueeze(2);  // (B,H,1,n)
            all[i] = {own[i].name, all[i].values.defined() ? at::cat({all[i].values, values}, 2) : values};
        }
    }
    for (TokenMap& map : all) {
        const TokenMapInfo& info = tokenMapInfo(map.name);
        map.values = info.tokens == TokenMapInfo::Tokens::Keys   ? map.values.flatten(2)
                     : info.kind == TokenMapInfo::Kind::Category ? map.values.select(2, 0)
                                                                 : map.values.mean(2);
    }
    return all;
}

std::vector<TokenMap> AttentionBackend::tokenMaps(const AttentionInput& input, NoiseSource& noise,
                                                  std::optional<int64_t> query) const
{
    if (findBackend(m_spec.backend())->tokenMaps.empty())
        return {};
    AttentionInput in = centred(checked(input));
    const EmptyGroups empty(in);
    const int64_t queries = prefixQueries(in), keys = prefixKeys(in);
    const bool exactRows = m_prefixAttention != PrefixAttention::Ordinary;
    const bool apart = m_prefixAttention == PrefixAttention::Exact && in.keyGroups == 1 && queries + keys > 0;
    if (exactRows && query && *query < queries)
        return {};
    if (!apart) {
        std::vector<TokenMap> maps = mapsOfGroups(in, noise, query);
        for (TokenMap& map : maps)
            if (exactRows && queries > 0 && tokenMapInfo(map.name).tokens == TokenMapInfo::Tokens::Queries)
                map.values = at::constant_pad_nd(map.values.slice(2, queries), {queries, 0}, std::nan(""));
        return maps;
    }
    if (queries == in.q.size(2) || keys == in.k.size(2))
        return {};
    const std::optional<int64_t> patch = query ? std::optional(*query - queries) : std::nullopt;
    std::vector<TokenMap> maps = computeTokenMaps(patchesOf(in), noise, patch);
    for (TokenMap& map : maps) {
        const TokenMapInfo& info = tokenMapInfo(map.name);
        const bool ofKeys = info.tokens == TokenMapInfo::Tokens::Keys;
        if (info.kind == TokenMapInfo::Kind::Weight) {
            const auto left = weightOfPatches(in, noise);
            map.values = map.values * (ofKeys && patch ? left.narrow(2, *patch, 1) : left);
        }
        map.values = at::constant_pad_nd(map.values.to(at::kFloat), {ofKeys ? keys : queries, 0}, std::nan(""));
    }
    return maps;
}

const TokenMapInfo& AttentionBackend::tokenMapInfo(const std::string& name) const
{
    const auto& infos = findBackend(m_spec.backend())->tokenMaps;
    const auto found = std::ranges::find(infos, name, &TokenMapInfo::name);
    if (found == infos.end())
        throw std::logic_error("`" + m_spec.backend() + "` does not say that it has a map `" + name + "`");
    return *found;
}

}
