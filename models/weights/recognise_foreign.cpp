// SPDX-License-Identifier: Apache-2.0
#include "models/weights/recognise_foreign.h"

#include "models/weights/named_tensors.h"

#include <array>

namespace attnscope {

namespace {

/// A beginning of a name that gives a family away, which others of the table do not have before it.
struct ForeignName {
    const char* begins;
    const char* title;
};

constexpr std::array<ForeignName, 28> foreignNames{{
    {"visual.transformer.resblocks.", "CLIP"},
    {"visual.trunk.", "OpenCLIP"},
    {"vision_model.encoder.layers.", "CLIP or SigLIP of the Transformers library"},
    {"image_encoder.blocks.", "Segment Anything"},
    {"model.blocks.0.temporal_attn.", "TimeSformer"},
    {"blocks.0.temporal_attn.", "TimeSformer"},
    {"videomae.", "VideoMAE of the Transformers library"},
    {"timesformer.", "TimeSformer of the Transformers library"},
    {"encoder.blocks.0.attn.qkv.", "VideoMAE"},
    {"layers.0.blocks.0.attn.relative_position_bias_table", "Swin Transformer"},
    {"layers.0.blocks.0.attn.logit_scale", "Swin Transformer V2"},
    {"swin.", "Swin Transformer of the Transformers library"},
    {"pvt_v2.", "PVTv2 of the Transformers library"},
    {"pvt.", "PVT of the Transformers library"},
    {"pos_embed1", "PVT (the first version)"},
    {"decoder_pos_embed", "MAE with its decoder"},
    {"mask_token", "a masked-image model (DINOv2, BEiT, MAE)"},
    {"stages.0.blocks.0.conv_dw.", "ConvNeXt"},
    {"downsample_layers.", "ConvNeXt"},
    {"blocks.0.0.conv_pw.", "EfficientNet"},
    {"blocks.0.0.conv_dw.", "EfficientNet"},
    {"features.0.", "VGG, MobileNet or another convolutional network"},
    {"layer1.0.conv1.", "ResNet"},
    {"backbone.", "a detector or segmenter around a backbone"},
    {"model.layers.0.self_attn.", "a language model"},
    {"transformer.h.0.", "GPT-2 or another language model"},
    {"bert.", "BERT"},
    {"roberta.", "RoBERTa"},
}};

}  // namespace

std::optional<CheckpointIdentity> recogniseForeign(const StateDict& state)
{
    CheckpointIdentity identity;
    identity.tensors = namedTensors(state);
    const TensorIndex index(identity.tensors);
    for (const ForeignName& mark : foreignNames)
        if (index.begins(mark.begins)) {
            identity.title = mark.title;
            identity.reason = "it has `" + identity.tensors.lower_bound(mark.begins)->first + "`";
            return identity;
        }
    return std::nullopt;
}

}  // namespace attnscope
