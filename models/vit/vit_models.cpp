#include "models/vit/vit_models.h"

#include "core/attention/attention_backend.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "models/vit/formats/plain_vits.h"
#include "models/vit/formats/recognise_plain_vit.h"
#include "models/vit/formats/timm_storage.h"
#include "models/vit/vision_transformer.h"

#include <algorithm>

namespace attnscope {

namespace {

struct VitSize {
    const char* name;
    const char* title;
    int64_t width, heads;
};

VitDescription deit(const VitSize& size, bool distilled, int64_t image)
{
    VitDescription d;
    d.name = std::string("deit_") + size.name + (distilled ? "_distilled" : "") + "_patch16_"
             + std::to_string(image);
    d.distilled = distilled;
    d.imageHeight = d.imageWidth = image;
    d.width = size.width;
    d.heads = size.heads;
    d.evaluationResize = image == 384 ? 438 : 256;
    return d;
}

VitDescription evit(const VitSize& size, int64_t patch)
{
    VitDescription d;
    d.name = std::string("evit_") + size.name + "_p" + std::to_string(patch);
    d.family = VitFamily::Evit;
    d.classToken = false;
    d.pool = VitPool::Average;
    d.patchSize = patch;
    d.width = size.width;
    d.heads = size.heads;
    return d;
}

/// timm's names, as far as they are not among DeiT's.
void addPlainVits(std::vector<NamedVit>& named)
{
    for (const PlainVit& vit : plainVits())
        if (vit.runs() && std::ranges::none_of(named, [&](const NamedVit& each) {
                return each.description.name == vit.name;
            }))
            named.push_back({parseVitDescription(descriptionOf(vit), vit.name), titleOf(vit),
                             "timm " + vit.name + "." + vit.tag});
}

std::vector<NamedVit> makeVits()
{
    const VitSize tiny{"tiny", "Tiny", 192, 3}, small{"small", "Small", 384, 6}, base{"base", "Base", 768, 12};
    const auto published = [](const char* accuracy) {
        return std::string("published ImageNet top-1: ") + accuracy + " %";
    };
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

class VitModel : public DescriptionModel<VitModel, VitDescription, VitWeights, VisionTransformer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return toText(m_d.family); }
    std::vector<int64_t> input() const override { return {3, m_d.imageHeight, m_d.imageWidth}; }
    int64_t classes() const override { return m_d.classes; }
    void setClasses(int64_t classes) override { m_d.classes = classes; }

    double multiplyAdds() const override
    {
        const AttentionShape shape{m_d.attentions() * m_d.heads, m_d.tokens(), m_d.tokens(), m_d.headDim(),
                                   m_d.valueDim()};
        double total = m_d.linearMultiplyAdds(m_d.rows() * m_d.columns());
        for (int64_t layer = 0; layer < m_d.depth; ++layer)
            total += makeBackend(m_d.attention.layer(layer),
                                 {.heads = m_d.heads,
                                  .width = m_d.headDim(),
                                  .tokens = {m_d.prefixTokens(), 1, m_d.rows(), m_d.columns()},
                                  .parameters = {}})
                         ->multiplyAdds(shape);
        return total;
    }

    /// Its names for DeiT crop 0.9 of the short side, those at 384 all of it.
    int64_t timmResize() const override
    {
        if (m_d.family == VitFamily::Vit)
            return m_d.defaultResize();
        const int64_t own = m_d.storedGrid ? m_d.storedGrid->first * m_d.patchSize : m_d.imageHeight;
        return ImagePreparation{.cropFraction = own == 384 ? 1.0 : 0.9}.resizeFor(
            std::min(m_d.imageHeight, m_d.imageWidth));
    }

    void setImageSize(InputSize size) override
    {
        if (size.height == m_d.imageHeight && size.width == m_d.imageWidth)
            return;
        const int64_t patch = m_d.patchSize;
        if (size.shortSide() < patch || size.width % patch != 0 || size.height % patch != 0)
            throw UsageError("", "an image size of " + size.text() + " does not fit " + m_d.name,
                             "it should be a multiple of the patch size, " + std::to_string(patch));
        if (size.height / patch * (size.width / patch) > 1 << 20)
            throw UsageError("", "an image of " + size.text() + " has more than a million patches",
                             "give a smaller one");
        if (m_d.relative && m_d.relative->kind == VitRelativePositions::Kind::Table)
            throw UsageError("", "the image size of " + m_d.name + " cannot be changed",
                             "its tables of relative positions are for "
                                 + InputSize{m_d.imageWidth, m_d.imageHeight}.text() + " pixels alone");
        if (!m_d.storedGrid)
            m_d.storedGrid = {m_d.rows(), m_d.columns()};
        m_d.imageHeight = size.height;
        m_d.imageWidth = size.width;
        m_d.evaluationResize = m_d.defaultResize();
    }

protected:
    VitWeights take(WeightLoader& loader, const ModelSetup& setup) const override
    {
        return loadVitWeights(m_d, loader, setup.positionRule);
    }
    VitWeights draw(uint64_t seed) const override { return randomVitWeights(m_d, seed); }
};

}

const std::vector<NamedVit>& namedVits()
{
    static const std::vector<NamedVit> models = [] {
        std::vector<NamedVit> all = makeVits();
        addPlainVits(all);
        return all;
    }();
    return models;
}

ModelFamily vitFamily()
{
    return {.names = {"deit", "evit", "vit"},
            .parse = parseModel<VitModel, parseVitDescription>,
            .models = namedModelsOf<VitModel, namedVits>,
            .recognise = recogniseVit,
            .tensors = plainVitTensors,
            .exported = exportedToTimm};
}

}
