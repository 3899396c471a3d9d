#pragma once

#include "core/base/json.h"
#include "models/blocks/image_preparation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// timm's names of plain vision transformers: one patch embedding, one width, full self-attention in every layer. Independent of torch.
namespace attnscope {

// The unchanged files of resources/models, compiled into the program (models/vit/formats/plain_vit_texts.cpp.in).
extern const std::string_view plainVitText;
extern const std::string_view plainVitWeightText;

/// One of timm's names.
struct PlainVit {
    std::string name;
    int stage = 0;  ///< 1 to 3: it can be run; 4: NaFlex, which stores its patches in another way
    /// timm's source file, which decides how tensors are stored: "vision_transformer", "deit", "eva", "beit", …
    std::string module;
    int64_t width = 0, depth = 0, heads = 0, hidden = 0;
    int64_t patch = 0;
    int64_t imageHeight = 0, imageWidth = 0;
    int64_t classes = 0;           ///< of the default weights; 0: without a head
    ImagePreparation preparation;  ///< of the default weights
    std::string tag;               ///< of the default weights: "augreg_in21k_ft_in1k"
    int64_t parameters = 0;
    double macs = 0;  ///< multiply-adds of one image of its size
    Json switches;    ///< keys of a model description that differ from their defaults, without sizes

    bool runs() const { return stage < 4; }
};

/// Published weights of a name.
struct PlainVitWeights {
    std::string name, tag;
    bool published = false;  ///< timm knows a place to get them
    std::string licence;
    int64_t imageHeight = 0, imageWidth = 0;
    ImagePreparation preparation;
};

/// All of timm's names, in the order of its modules.
const std::vector<PlainVit>& plainVits();
/// Null if there is no such name.
const PlainVit* findPlainVit(std::string_view name);
/// Every tag of every name; those of one name follow one another, the default tag's are not first.
const std::vector<PlainVitWeights>& plainVitWeights();
/// Null if there is no such tag.
const PlainVitWeights* findPlainVitWeights(std::string_view name, std::string_view tag);

/// The model description of a name, with the classes of its default weights: the keys of docs/models.md. Requires `runs()`.
Json descriptionOf(const PlainVit& vit);

/// "DINOv2, ViT-S/14": what a person calls it.
std::string titleOf(const PlainVit& vit);

/// Why a network of timm with this name can't be run, and what would be needed; empty if it can be, or if nothing is known of the name.
std::string whyOutOfScope(std::string_view name);

}
