#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/landmarks.h"

#include <ATen/ATen.h>

#include <string>
#include <vector>

namespace attnscope {

/// The C proposals of LARA for one input, for scaled inputs.
struct Proposals {
    at::Tensor mean;            ///< µ̂_c, (B,H,C,D); for `mixture` the mean of the sampled component
    at::Tensor queryLandmarks;  ///< q̂̃_c after its learned map, (B,H,C,D): r_nc is computed from it
    bool mixture = false;  ///< q_c = Σ_m softmax_m(q̂̃_c·k̂_m) N(q̂̃_c + k̂_m, I) instead of N(µ̂_c, I)

    /// log q_c(ω_s) / N(ω_s; 0, I): omega (B,H,S,D) → (B,H,S,C). Gaussian: ω·µ̂_c − ½‖µ̂_c‖². Mixture: proposition 3.1.
    at::Tensor logDensity(const at::Tensor& omega, const at::Tensor& keyHat,
                          const at::Tensor& keyLogWeights) const;
};

/// Creates landmarks (pooled tokens, with their learned map if the checkpoint has one) and the proposals around them.
class ProposalMaker {
public:
    /// Throws UsageError if C doesn't fit the context's grid, or a map doesn't fit the heads.
    ProposalMaker(const AttentionSpec& spec, const BackendContext& context);

    Proposals make(const AttentionInput& input, const at::Tensor& keyHat, NoiseSource& noise) const;

    /// Whether groups of keys (video frames) can share proposals: false if a proposal depends on individual keys.
    bool sharedByGroups() const { return m_kind != Kind::Attended && m_kind != Kind::Mixture; }
    /// With landmarks shared by the groups: means of segments of position-major tokens. Landmarks given in the input are kept.
    AttentionInput withSharedLandmarks(AttentionInput input) const;

    /// With the landmarks of its own tokens, as far as the proposals need them. Landmarks given in the input are kept.
    AttentionInput withLandmarks(AttentionInput input) const;

    /// With value landmarks that stay fixed when v changes, if the proposals depend on values.
    AttentionInput withFixedValues(AttentionInput input) const;

    int64_t count(int64_t keys) const;
    /// Side of the landmarks' grid; 0: segments.
    int64_t side() const { return m_grid ? squareRoot(m_count) : 0; }
    double multiplyAdds(const AttentionShape& shape) const;
    bool deterministic() const { return m_kind != Kind::Mixture; }
    const std::vector<std::string>& notes() const { return m_notes; }

private:
    enum class Kind { MeanQueryKey, Mixed, ValueMixed, Attended, Mixture };

    at::Tensor pooled(const at::Tensor& x, const TokenLayout& tokens) const;
    at::Tensor landmarks(const at::Tensor& x, const TokenLayout& tokens, const LandmarkMap& map) const;
    at::Tensor mean(const AttentionInput& in, const at::Tensor& query, const at::Tensor& key,
                    const at::Tensor& keyHat, NoiseSource& noise) const;
    void readMaps(const BackendContext& context);
    void decideGrid(const AttentionSpec& spec, const BackendContext& context);

    Kind m_kind;
    int64_t m_count;
    bool m_grid = false;
    bool m_mapBeforePooling = false;  // adaptive-1d: the map is applied to every token
    int64_t m_prefix = 0;
    LandmarkMap m_queryMap, m_keyMap;
    std::vector<std::string> m_notes;
};

}
