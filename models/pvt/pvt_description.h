#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/methods/key_source.h"
#include "core/attention/token_layout.h"
#include "core/base/json.h"
#include "models/blocks/image_preparation.h"
#include "models/blocks/mlp_width.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attnscope {

class AttentionBackend;
struct LandmarkMapTensor;

enum class PvtForm {
    Reduced,  ///< PVTv2 as published: `q`, `kv` and a spatial reduction of the keys
    Joint,    ///< the LARA authors' form: no reduction, joint `qkv`, any attention over all tokens
};

/// Learned maps after LARA's landmark pooling, which a trained network may have.
enum class LandmarkMaps {
    None,
    Light,  ///< on the D channels of a head, shared by the heads
    Dense,  ///< on all C channels
};

struct PvtStage {
    int64_t width = 64;  ///< C
    int64_t heads = 1;
    int64_t depth = 2;
    double mlpRatio = 8;
    /// R: keys are cells of R×R. 1 means no reduction, and that the stage keeps softmax whatever attention is selected.
    int64_t reduction = 8;

    int64_t hidden() const { return mlpWidth(width, mlpRatio); }
    int64_t headDim() const { return width / heads; }
};

/// A layer's place: error reports speak of "stage 2 block 1", both counted from 1.
struct PvtPlace {
    size_t stage = 0, block = 0;  ///< from 0

    std::string name() const;  ///< "stage 2 block 1"
};

/// A PVTv2 as data: the content of JSON descriptions and the catalogue.
struct PvtDescription {
    std::string name;
    PvtForm form = PvtForm::Reduced;
    bool linear = false;  ///< linear SRA, and ReLU before the depthwise convolution of the MLP
    int64_t imageHeight = 224, imageWidth = 224;
    std::vector<PvtStage> stages;
    int64_t classes = 1000;
    double blockEps = 1e-6;      ///< norm1, norm2 of blocks and the norms of stages
    double embeddingEps = 1e-5;  ///< norms of the patch embeddings
    double reductionEps = 1e-5;  ///< norm after `sr`
    bool qkvBias = true;
    AttentionSpec attention = AttentionSpec::parse("sra");
    LandmarkMaps landmarkMaps = LandmarkMaps::None;
    ImagePreparation preparation;  ///< that of ImageNet evaluations, unless a file says otherwise
    int64_t evaluationResize = 256;
    std::vector<std::string> labels;

    const char* family() const { return form == PvtForm::Reduced ? "pvt_v2" : "pvt_v2_lara"; }
    int64_t layers() const;
    PvtPlace place(int64_t layer) const;

    /// Kernel and stride of a stage's patch embedding (padding is kernel / 2): 7 and 4, then 3 and 2.
    static int64_t embeddingKernel(size_t stage) { return stage == 0 ? 7 : 3; }
    static int64_t embeddingStride(size_t stage) { return stage == 0 ? 4 : 2; }
    /// The grids of the stages for an image of that size.
    std::vector<TokenLayout> grids(int64_t height, int64_t width) const;
    /// Whether the stage has a spatial reduction (`sr` and `norm` in its weights).
    bool reduces(size_t stage) const;
    /// The landmark maps of each of a stage's layers, by their names inside the attention (2: linear, 3: norm).
    std::vector<LandmarkMapTensor> landmarkShapes(size_t stage) const;
    /// The grid of a stage's keys.
    TokenLayout keyGrid(size_t stage, const TokenLayout& tokens, KeySource keys) const;

    /// Throws UsageError if some layer of a resolved specification requires the other form of reduction than the network's.
    void checkReduction(const AttentionSpec& spec) const;
    /// Throws UsageError if an image of that size is too small for the reduction of some stage, or has more than a million patches.
    void checkImageSize(int64_t height, int64_t width) const;

    /// Computed from the description; equal to the number in its checkpoint without buffers.
    int64_t parameters() const;
    /// Multiply-adds at the description's image size outside attention: of patch embeddings and head, and of one block of a stage.
    double outerMultiplyAdds() const;
    double blockMultiplyAdds(size_t stage, KeySource keys) const;
    /// Of a layer with its attention, if the network runs `spec`.
    double blockMultiplyAdds(int64_t layer, const AttentionSpec& spec, const AttentionBackend& backend) const;
    /// Multiply-adds of a forward pass with that resolved attention, and its backends if they are there already.
    double multiplyAdds(const AttentionSpec& spec,
                        const std::vector<std::shared_ptr<AttentionBackend>>& layers) const;
    double multiplyAdds(const AttentionSpec& spec) const;
    AttentionShape attentionShape(size_t stage, KeySource keys) const;

    /// The specification of a stage's layers if the network runs `spec`: the last stage (R = 1) keeps softmax, as in the LARA authors'
    /// networks.
    AttentionSpec stageAttention(const AttentionSpec& spec, size_t stage) const;
};

/// The keys of the golden cases' `config`: family (pvt_v2, pvt_v2_lara), input or img_size, embed_dims, num_heads, mlp_ratios,
/// depths, sr_ratios (or sr_ratios_select_attention), linear, num_classes, ln_eps_blocks, ln_eps_patch_embed, ln_eps_attn_norm,
/// qkv_bias, act, attn and attn_args (the LARA authors' names) or attention and landmark_maps (ours).
/// Throws UsageError naming the key if it is missing or its value unknown or invalid.
PvtDescription parsePvtDescription(const Json& config, const std::string& subject);

Json toJson(const PvtDescription& description);

}
