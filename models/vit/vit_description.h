#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"
#include "core/kernels/activation.h"
#include "models/blocks/image_preparation.h"
#include "models/blocks/mlp_width.h"
#include "models/blocks/position_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

using kernels::Activation;

enum class VitFamily {
    Deit,  ///< DeiT: every switch at its default but `distilled`
    Evit,  ///< the LARA authors' network: no class token, norm, then mean over all tokens; names of its own
    Vit,   ///< any plain vision transformer, by its switches
};

enum class VitPositions { Learned, None };
enum class VitNorm { Layer, Rms };
enum class VitBlock {
    Pre,       ///< x += attention(norm1 x), then x += mlp(norm2 x)
    ResPost,   ///< x += norm1(attention x), then x += norm2(mlp x)
    Parallel,  ///< attention and MLP of the same normed tokens, by one matrix
    Branches,  ///< several attentions side by side, then several MLPs
};
enum class VitQkvBias { All, None, QueryValue };
enum class VitLayerScale { None, Both, Attention };
enum class VitMlp {
    Plain,  ///< fc2(norm(act(fc1 x)))
    Gated,  ///< fc2(norm(act(gate) · value)), gate and value the halves of fc1 x
};
enum class VitPool {
    Token,    ///< the class token; distilled: the mean of both
    Average,  ///< over the patches
    Max,
    AverageMax,    ///< the mean of both
    Map,           ///< a learned query's attention (SigLIP)
    TokenAverage,  ///< the class token next to the average of the patches: 2C
};

/// Rotary position embedding of queries and keys (Su et al., 2021) in two dimensions: a patch at (row, column) turns pairs of channels by
/// angles that grow with both. Prefix tokens are not turned.
struct VitRope {
    enum class Kind {
        Axial,    ///< f_j = temperature^(−j/(d/4)), half of the pairs by row, half by column (EVA-02)
        Centred,  ///< the same at 2π·u, where u runs from −1 to 1 across the image (DINOv3)
        Mixed,  ///< learned frequencies of each layer and head, for row and column together (Heo et al., ECCV 2024)
    };
    Kind kind = Kind::Axial;
    double temperature = 10000;  ///< not of Mixed
    bool half = false;           ///< pairs are channels (i, i + d/2) instead of neighbours (2i, 2i + 1)
    bool columnFirst = false;    ///< the first half of the pairs, or the first frequencies, take the column
    double offset = 0;           ///< Axial: added to rows and columns
    /// Axial: rows and columns are scaled to this grid.
    std::optional<std::pair<int64_t, int64_t>> reference;
};

/// A bias that depends on where key and query are to each other, added to the scaled logits.
struct VitRelativePositions {
    enum class Kind {
        Table,   ///< learned for each offset of the described grid, and for pairs with the class token (BEiT)
        LogMlp,  ///< an MLP of the offset's signed logarithm: any grid (Liu et al., Swin V2, CVPR 2022)
    };
    Kind kind = Kind::Table;
    bool shared = false;  ///< LogMlp: one for all layers
    int64_t hidden = 0;   ///< LogMlp
};

/// A vision transformer as data: the content of JSON descriptions and the catalogue. The switches and their defaults are those of
/// docs/models.md.
struct VitDescription {
    std::string name;  ///< in the catalogue, or of the file
    VitFamily family = VitFamily::Deit;
    int64_t imageHeight = 224, imageWidth = 224;
    int64_t patchSize = 16;
    int64_t width = 192;  ///< C
    int64_t depth = 12;
    int64_t heads = 3;
    int64_t classes = 1000;      ///< 0: no head, the output are features
    double layerNormEps = 1e-6;  ///< of every norm
    double mlpRatio = 4;
    int64_t mlpHidden = 0;  ///< 0: by mlpRatio; of a gated MLP the width of one half

    bool classToken = true, distilled = false;
    int64_t registers = 0;  ///< tokens behind class and distillation token
    VitPositions positions = VitPositions::Learned;
    bool positionedPrefix = true;                    ///< the position embedding has rows for the prefix
    PositionRule positionRule = PositionRule::Deit;  ///< never Own
    bool patchBias = true, patchNorm = false, preNorm = false;
    VitNorm norm = VitNorm::Layer;
    VitBlock block = VitBlock::Pre;
    int64_t branches = 1;
    VitQkvBias qkvBias = VitQkvBias::All;
    bool queryKeyNorm = false;   ///< of q and k of each head, before RoPE
    bool attentionNorm = false;  ///< before the attention's projection
    bool mlpNorm = false;        ///< before the MLP's last layer
    bool projectionBias = true, mlpBias = true;
    std::vector<int64_t> keyHeads;  ///< of each layer; empty: `heads`
    bool differential = false;      ///< Ye et al., ICLR 2025: the difference of two attentions of half the width
    std::optional<VitRope> rope;
    std::optional<VitRelativePositions> relative;
    VitLayerScale layerScale = VitLayerScale::None;
    VitMlp mlp = VitMlp::Plain;
    Activation activation = Activation::Gelu;
    bool finalNorm = true;    ///< of the tokens, before pooling
    bool pooledNorm = false;  ///< of what was pooled
    VitPool pool = VitPool::Token;
    bool poolPrefix = false;              ///< the prefix is pooled as well
    int64_t mapHeads = 0, mapHidden = 0;  ///< of attention pooling; 0: heads and hidden()
    std::optional<Activation> mapActivation;
    bool fusedOutput = false;  ///< Parallel: one matrix for both outputs

    AttentionSpec attention = AttentionSpec::reference();
    bool landmarkMaps = false;  ///< the network was trained with `light` landmark maps, which count as parameters
    ImagePreparation preparation;  ///< evit and deit: that of ImageNet evaluations
    int64_t evaluationResize = 256;
    std::vector<std::string> labels;
    /// The grid that stored positions are for, where it was changed since: not in JSON.
    std::optional<std::pair<int64_t, int64_t>> storedGrid;

    /// The short side before the crop that goes with its image size.
    int64_t defaultResize() const;
    int64_t rows() const { return imageHeight / patchSize; }
    int64_t columns() const { return imageWidth / patchSize; }
    int64_t prefixTokens() const { return (classToken ? 1 : 0) + (distilled ? 1 : 0) + registers; }
    int64_t tokens() const { return prefixTokens() + rows() * columns(); }
    int64_t positionPrefix() const { return positionedPrefix ? prefixTokens() : 0; }
    int64_t hidden() const { return mlpHidden > 0 ? mlpHidden : mlpWidth(width, mlpRatio); }
    /// Of one attention's queries and keys, and of its values; and how many run side by side in a layer.
    int64_t headDim() const { return width / heads / (differential ? 2 : 1); }
    int64_t valueDim() const { return width / heads; }
    int64_t attentions() const { return differential ? 2 : branches; }
    int64_t keyHeadsOf(int64_t layer) const { return keyHeads.empty() ? heads : keyHeads.at(size_t(layer)); }
    /// Outputs of the joint projection: queries, then keys and values of fewer heads.
    int64_t qkvWidth(int64_t layer) const { return width + 2 * keyHeadsOf(layer) * valueDim(); }
    int64_t pooledWidth() const { return pool == VitPool::TokenAverage ? 2 * width : width; }
    int64_t poolHeads() const { return mapHeads > 0 ? mapHeads : heads; }
    int64_t poolHidden() const { return mapHidden > 0 ? mapHidden : hidden(); }
    Activation poolActivation() const { return mapActivation.value_or(activation); }
    /// Rows of a table of relative positions.
    int64_t relativeRows() const { return (2 * rows() - 1) * (2 * columns() - 1) + 3; }
    bool scalesAttention() const { return layerScale != VitLayerScale::None; }
    bool scalesMlp() const { return layerScale == VitLayerScale::Both; }

    /// Computed from the description; equal to the number in its checkpoint without buffers.
    int64_t parameters() const;
    /// Multiply-adds outside attention (projections, MLPs, patch embedding, pooling, heads) for `gridTokens` patches. Biases of relative
    /// positions are counted for the described grid.
    double linearMultiplyAdds(int64_t gridTokens) const;
    /// That of one block, whose MLP may see fewer tokens than its attention; of what stands before and behind the blocks; and of pooling with
    /// the heads.
    struct BlockTokens {
        int64_t attention = 0, mlp = 0;  ///< with prefix tokens
    };
    double blockMultiplyAdds(int64_t layer, const BlockTokens& tokenCounts) const;
    double outsideMultiplyAdds(int64_t gridTokens) const;
    double headMultiplyAdds(int64_t gridTokens) const;
};

const char* toText(VitFamily family);

/// The keys of the golden cases' `config`: family, img_size or input_size, patch_size, embed_dim, depth, num_heads, num_classes,
/// ln_eps, mlp_ratio, distilled, attn, attn_args (the LARA authors' names) or attention (our grammar); of family `vit` also mlp_hidden
/// and every switch, where left out means the default. `subject` is used in messages. Throws UsageError naming the key if it is missing
/// or its value unknown or invalid.
VitDescription parseVitDescription(const Json& config, const std::string& subject);

/// Switches with their defaults are left out.
Json toJson(const VitDescription& description);

}
