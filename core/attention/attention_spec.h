#pragma once

#include "core/attention/network/token_spec.h"
#include "core/attention/network/weight_storage.h"
#include "core/attention/option.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

struct BackendInfo;
struct LayerAttention;

/// An attention with its options, or a mixed specification, `LAYERS=SPEC[;LAYERS=SPEC…]` with LAYERS `3`, `0-3` or `0-3,8`: an attention for each layer. Layers that no
/// part names stay native. Its canonical spelling has one range per part, in order, with adjacent layers of the same attention joined.
///
/// Either may end with parts that say something of the network around these attentions: `;tokens=TOKENS` (TokenSpec), what it does with its
/// tokens behind each of them, and `;weights=int8`, how it stores the linear layers of its blocks (WeightStorage); and with parts that say
/// which network that is: `;dtype=bfloat16`, in which type it computes, and `;checkpoint=2`, whose weights it has (models/compared_networks.h).
class AttentionSpec : public OptionValues {
public:
    /// Throws UsageError, naming the alternatives, for an unknown backend or option or a value out of range.
    static AttentionSpec parse(std::string_view text);
    /// The name `native`: what the model's own description specifies.
    static AttentionSpec native();
    /// `referenceBackend`, in one pass.
    static AttentionSpec reference();
    /// The same with the matrix of weights in memory, as the papers measure it.
    static AttentionSpec explicitReference();
    /// One attention a layer, from layer 0 on, none of them mixed; where all are alike, that one itself.
    static AttentionSpec perLayer(const std::vector<AttentionSpec>& layers);

    /// The name of the backend; `native` and `mixed` are not backends.
    const std::string& backend() const { return name(); }
    bool isNative() const { return name() == "native"; }
    bool isMixed() const { return !m_parts.empty(); }
    /// The ranges of a mixed specification, in order; empty for all others.
    const std::vector<LayerAttention>& parts() const { return m_parts; }
    /// The attention of layer `index`: that of the part that names it, else `native`; a plain specification applies to every layer.
    /// Attention alone.
    AttentionSpec layer(int64_t index) const;
    /// Resolves `native`: native layers, and layers that no part names, get what `own` specifies. Throws UsageError if a part names a layer
    /// beyond the model's `layers`.
    AttentionSpec resolved(const AttentionSpec& own, int64_t layers) const;
    const TokenSpec& tokens() const { return m_tokens; }
    /// The same with other tokens; with `none` the attention alone.
    AttentionSpec withTokens(const TokenSpec& tokens) const;
    WeightStorage weights() const { return m_weights; }
    AttentionSpec withWeights(WeightStorage weights) const;
    /// The type that its network computes in, "bfloat16"; empty: the run's.
    const std::string& dtype() const { return m_dtype; }
    /// The number of its network's checkpoint among those of a run, from 1 on, or its path; empty: none in particular.
    const std::string& checkpoint() const { return m_checkpoint; }
    AttentionSpec withDtype(const std::string& dtype) const;
    AttentionSpec withCheckpoint(const std::string& checkpoint) const;
    /// The same without a word about which network it is in; and in the network of `column`.
    AttentionSpec inNetwork() const;
    AttentionSpec inNetworkOf(const AttentionSpec& column) const;
    /// The same without a word about the network around it.
    AttentionSpec alone() const;
    /// Its option `samples`; empty where there is none.
    std::optional<int64_t> samples() const;

    /// The same with one option changed. Throws UsageError like `parse`.
    AttentionSpec with(std::string_view option, const std::optional<OptionValue>& value) const;
    /// The same without the options that only say how it is computed or which random numbers it uses (kernel, seed): two specifications
    /// with equal definitions are the same attention. Not for a mixed specification.
    AttentionSpec definition() const;

private:
    AttentionSpec(std::string name, std::string attention);
    AttentionSpec(const BackendInfo& info, std::string_view text);
    static AttentionSpec parsePlain(std::string_view text);
    static AttentionSpec parseMixed(std::string_view text);
    static AttentionSpec parseAttention(std::string_view text);
    template <typename Change>
    AttentionSpec changed(const Change& change) const;
    AttentionSpec around(const AttentionSpec& attention) const;
    static AttentionSpec mixedOf(const std::vector<AttentionSpec>& layers);
    void addNetwork();

    std::string m_attention;  // the canonical spelling of `alone`
    std::vector<LayerAttention> m_parts;
    TokenSpec m_tokens;
    WeightStorage m_weights = WeightStorage::Own;
    std::string m_dtype, m_checkpoint;
};

/// What a plain specification may begin with: `native` and the backends.
std::vector<std::string> attentionNames();

/// Layers `first` to `last`, both included, of a mixed specification.
struct LayerAttention {
    int64_t first = 0, last = 0;
    AttentionSpec spec;
};

}
