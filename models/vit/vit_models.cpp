// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_models.h"

namespace attnscope {

namespace {

struct VitSize {
    const char* name;
    const char* title;
    std::int64_t width, heads;
};

VitDescription deit(const VitSize& size, bool distilled, std::int64_t image)
{
    VitDescription d;
    d.name = std::string("deit_") + size.name + (distilled ? "_distilled" : "") + "_patch16_" + std::to_string(image);
    d.distilled = distilled;
    d.imageHeight = d.imageWidth = image;
    d.width = size.width;
    d.heads = size.heads;
    d.evaluationResize = image == 384 ? 438 : 256;
    return d;
}

VitDescription evit(const VitSize& size, std::int64_t patch)
{
    VitDescription d;
    d.name = std::string("evit_") + size.name + "_p" + std::to_string(patch);
    d.family = VitFamily::Evit;
    d.patchSize = patch;
    d.width = size.width;
    d.heads = size.heads;
    return d;
}

std::vector<NamedVit> makeVits()
{
    const VitSize tiny{"tiny", "Tiny", 192, 3}, small{"small", "Small", 384, 6}, base{"base", "Base", 768, 12};
    const auto published = [](const char* top1) { return std::string("published ImageNet top-1: ") + top1 + " %"; };
    const std::string token = "the LARA authors' network without class token; no vision checkpoints were released";
    return {
        {deit(tiny, false, 224), "DeiT-Tiny", published("72.2")},
        {deit(small, false, 224), "DeiT-Small", published("79.9")},
        {deit(base, false, 224), "DeiT-Base", published("81.8")},
        {deit(tiny, true, 224), "DeiT-Tiny, distilled", published("74.5")},
        {deit(small, true, 224), "DeiT-Small, distilled", published("81.2")},
        {deit(base, true, 224), "DeiT-Base, distilled", published("83.4")},
        {deit(base, false, 384), "DeiT-Base at 384", published("82.9")},
        {deit(base, true, 384), "DeiT-Base at 384, distilled", published("85.2")},
        {evit(tiny, 16), "evit Tiny, patch 16", token},
        {evit(tiny, 8), "evit Tiny, patch 8", token},
        {evit(small, 16), "evit Small, patch 16", token},
        {evit(small, 8), "evit Small, patch 8", token},
    };
}

}  // namespace

const std::vector<NamedVit>& namedVits()
{
    static const std::vector<NamedVit> models = makeVits();
    return models;
}

}  // namespace attnscope
