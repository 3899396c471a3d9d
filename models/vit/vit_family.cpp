// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_family.h"

#include "core/attention/attention_backend.h"
#include "core/base/error.h"
#include "models/description_model.h"
#include "models/vit/vision_transformer.h"
#include "models/vit/vit_models.h"
#include "models/vit/vit_recogniser.h"

namespace attnscope {

namespace {

class VitModel : public DescriptionModel<VitModel, VitDescription, VitWeights, VisionTransformer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return toText(m_d.family); }
    std::vector<std::int64_t> input() const override { return {3, m_d.imageHeight, m_d.imageWidth}; }
    std::int64_t classes() const override { return m_d.classes; }
    void setClasses(std::int64_t classes) override { m_d.classes = classes; }

    double multiplyAdds() const override
    {
        const AttentionShape shape{m_d.heads, m_d.tokens(), m_d.tokens(), m_d.headDim(), m_d.headDim()};
        double total = m_d.linearMultiplyAdds(m_d.rows() * m_d.columns());
        for (std::int64_t layer = 0; layer < m_d.depth; ++layer)
            total += makeBackend(m_d.attention.layer(layer), {.heads = m_d.heads, .width = m_d.headDim(),
                                                              .tokens = {m_d.prefixTokens(), 1, m_d.rows(), m_d.columns()},
                                                              .parameters = {}})
                         ->multiplyAdds(shape);
        return total;
    }

    void setImageSize(std::int64_t side) override
    {
        if (side < m_d.patchSize || side % m_d.patchSize != 0 || side > 16384)
            throw UsageError("", "an image size of " + std::to_string(side) + " does not fit " + m_d.name,
                             "it should be a multiple of the patch size, " + std::to_string(m_d.patchSize));
        if (side == m_d.imageHeight && side == m_d.imageWidth)
            return;
        m_d.imageHeight = m_d.imageWidth = side;
        m_d.evaluationResize = side * 256 / 224;
    }

protected:
    VitWeights take(WeightLoader& loader, const ModelSetup& setup) const override { return loadVitWeights(m_d, loader, setup.positionRule); }
    VitWeights draw(std::uint64_t seed) const override { return randomVitWeights(m_d, seed); }
};

}  // namespace

ModelFamily vitFamily()
{
    return {.names = {"deit", "evit"},
            .parse = parseModel<VitModel, parseVitDescription>,
            .models = namedModelsOf<VitModel, namedVits>,
            .recognise = recogniseVit};
}

}  // namespace attnscope
