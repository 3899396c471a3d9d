// SPDX-License-Identifier: Apache-2.0
#include "models/pvt/pvt_family.h"

#include "core/base/error.h"
#include "models/description_model.h"
#include "models/pvt/pvt_models.h"
#include "models/pvt/pvt_recogniser.h"
#include "models/pvt/pyramid_vision_transformer.h"

namespace attnscope {

namespace {

class PvtModel : public DescriptionModel<PvtModel, PvtDescription, PvtWeights, PyramidVisionTransformer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return m_d.family(); }
    std::vector<std::int64_t> input() const override { return {3, m_d.imageHeight, m_d.imageWidth}; }
    std::int64_t classes() const override { return m_d.classes; }
    void setClasses(std::int64_t classes) override { m_d.classes = classes; }
    double multiplyAdds() const override { return m_d.multiplyAdds(m_d.attention); }

    void setImageSize(std::int64_t side) override
    {
        if (side > 16384)
            throw UsageError("", "an image size of " + std::to_string(side) + " does not fit " + m_d.name,
                             "the maximum is 16384");
        m_d.checkImageSize(side, side);
        if (side == m_d.imageHeight && side == m_d.imageWidth)
            return;
        m_d.imageHeight = m_d.imageWidth = side;
        m_d.evaluationResize = side * 256 / 224;
    }

protected:
    PvtWeights take(WeightLoader& loader, const ModelSetup&) const override { return loadPvtWeights(m_d, loader); }
    PvtWeights draw(std::uint64_t seed) const override { return randomPvtWeights(m_d, seed); }
};

}  // namespace

ModelFamily pvtFamily()
{
    return {.names = {"pvt_v2", "pvt_v2_lara"},
            .parse = parseModel<PvtModel, parsePvtDescription>,
            .models = namedModelsOf<PvtModel, namedPvts>,
            .recognise = recognisePvt};
}

}  // namespace attnscope
