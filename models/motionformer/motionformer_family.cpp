// SPDX-License-Identifier: Apache-2.0
#include "models/motionformer/motionformer_family.h"

#include "core/base/error.h"
#include "models/description_model.h"
#include "models/motionformer/motionformer.h"
#include "models/motionformer/motionformer_models.h"
#include "models/motionformer/motionformer_recogniser.h"

namespace attnscope {

namespace {

class MotionformerModel : public DescriptionModel<MotionformerModel, MotionformerDescription, MotionformerWeights, Motionformer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return "motionformer"; }
    std::vector<std::int64_t> input() const override { return {3, m_d.frames, m_d.imageHeight, m_d.imageWidth}; }
    std::int64_t classes() const override { return m_d.classes(); }
    void setClasses(std::int64_t classes) override { m_d.classifierHeads = {classes}; }
    double multiplyAdds() const override { return m_d.multiplyAdds(Counting::Computed); }

    void setImageSize(std::int64_t side) override
    {
        const bool small = side <= 16384
                           && m_d.times() * (side / m_d.patchSize) * (side / m_d.patchSize) <= 1 << 20;
        if (side < m_d.patchSize || side % m_d.patchSize != 0 || !small)
            throw UsageError("", "an image size of " + std::to_string(side) + " does not fit " + m_d.name,
                             "it should be a multiple of the patch size, " + std::to_string(m_d.patchSize)
                                 + ", with at most a million tokens");
        if (side == m_d.imageHeight && side == m_d.imageWidth)
            return;
        m_d.imageHeight = m_d.imageWidth = m_d.evaluationResize = side;
    }

protected:
    MotionformerWeights take(WeightLoader& loader, const ModelSetup&) const override { return loadMotionformerWeights(m_d, loader); }
    MotionformerWeights draw(std::uint64_t seed) const override { return randomMotionformerWeights(m_d, seed); }
};

}  // namespace

ModelFamily motionformerFamily()
{
    return {.names = {"motionformer"},
            .parse = parseModel<MotionformerModel, parseMotionformerDescription>,
            .models = namedModelsOf<MotionformerModel, namedMotionformers>,
            .recognise = recogniseMotionformer,
            .freeKeys = {"crop", "approx", "landmarks", "use_original_traj_attn_code"}};
}

}  // namespace attnscope
