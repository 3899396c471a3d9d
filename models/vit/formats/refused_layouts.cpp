#include "models/vit/formats/refused_layouts.h"

#include "core/base/text.h"

#include <array>
#include <string_view>

namespace attnscope {

namespace {

struct Refused {
    std::string_view begins;
    const char* what;
};

constexpr std::array<Refused, 19> refused{{
    {"radio_model.", "RADIO in its authors' layout, which is opened under timm's names only"},
    {"preprocessor.patchifier.", "AIMv2 in its authors' layout, which is opened under timm's names only"},
    {"blocks.0.attn.wq.", "Sapiens2 in its authors' layout, which is opened under timm's names only"},
    {"layers.0.attn.wq.", "Sapiens2 in its authors' layout, which is opened under timm's names only"},
    {"visual.attn_pool.probe",
     "the Perception Encoder in its authors' layout, which is opened under timm's names only"},
    {"visual.attn_pool.", "CoCa, whose attention pooling of captions is not supported"},
    {"visual.layer1.", "CLIP with a ResNet, which is not a vision transformer"},
    {"visual.trunk.stem.", "OpenCLIP over a convolutional network of timm, which is not a vision transformer"},
    {"visual.head.mlp.", "OpenCLIP over timm with a projection of two layers, of which only one is supported"},
    {"blocks.0.norm11.", "the parallel DeiT of \"Three things everyone should know about vision transformers\", "
                         "whose layout is not supported"},
    {"rel_pos_bias.", "BEiT before fine-tuning, whose shared table of relative positions is not supported"},
    {"encoder.relative_position_bias.",
     "BEiT before fine-tuning, whose shared table of relative positions is not supported"},
    {"beit.encoder.relative_position_bias.",
     "BEiT before fine-tuning, whose shared table of relative positions is not supported"},
    {"embeds.proj.", "a NaFlex vision transformer, whose storage of patches and positions is not supported"},
    {"patch_embed.backbone.", "a vision transformer on a convolutional network, which is not supported"},
    {"patch_embed3d.", "a video network"},
    {"Transformer/encoderblock_0/", "a vision transformer of JAX, which is opened from timm's safetensors only"},
    {"blocks.0.attn.rel_pos_h", "Segment Anything or ViTDet, whose window attention is not supported"},
    {"pos_embed_win", "Hiera or Segment Anything, whose window attention is not supported"},
}};

}

std::optional<RefusedLayout> refusedLayout(const NamedTensors& tensors)
{
    const TensorIndex index(tensors);
    for (const Refused& each : refused)
        if (const auto found = tensors.lower_bound(std::string(each.begins));
            found != tensors.end() && found->first.starts_with(each.begins))
            return RefusedLayout{each.what, found->first};
    const bool images = index.begins("visual.") || index.begins("vision_model.") || index.begins("vision_tower.");
    for (const char* text : {"token_embedding.weight", "text_model.embeddings.token_embedding.weight"})
        if (index.has(text) && !images)
            return RefusedLayout{"the text tower of CLIP or SigLIP, without a network for images", text};
    if (index.shape("vision_model.embeddings.patch_embedding.weight").size() == 2)
        return RefusedLayout{
            "SigLIP 2 for any aspect (NaFlex), whose storage of patches and positions is not supported",
            "vision_model.embeddings.patch_embedding.weight"};
    if (tensors.size() == 2 && index.shape("weight").size() == 2 && index.has("bias"))
        return RefusedLayout{"a linear head alone, which needs the network that it reads", "weight"};
    if (const auto kernel = index.shape("patch_embed.proj.weight"); kernel.size() == 4 && kernel[1] != 3)
        return RefusedLayout{"a network for images of " + counted(kernel[1], "channel") + "; images have three",
                             "patch_embed.proj.weight"};
    return std::nullopt;
}

}
