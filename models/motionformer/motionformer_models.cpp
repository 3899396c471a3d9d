#include "models/motionformer/motionformer_models.h"

#include "core/base/error.h"
#include "models/motionformer/motionformer.h"

namespace attnscope {

namespace {

MotionformerDescription described(const char* name, SpaceTime spaceTime, int64_t crop, int64_t frames,
                                  int64_t interval)
{
    MotionformerDescription d;
    d.name = name;
    d.spaceTime = spaceTime;
    d.imageHeight = d.imageWidth = d.evaluationResize = crop;
    d.frames = frames;
    d.frameInterval = interval;
    return d;
}

std::vector<NamedMotionformer> makeMotionformers()
{
    const auto published = [](const char* first, const char* top5, const char* published) {
        return std::string("published Kinetics-400 top-1 and top-5 with 10×3 views: ") + first + " and " + top5
               + " %; " + published + " multiply-adds per view as published";
    };
    return {
        {described("motionformer_224_16x4", SpaceTime::Trajectory, 224, 16, 4), "Motionformer, 16 frames",
         published("79.7", "94.2", "369.4 G")},
        {described("motionformer_336_16x8", SpaceTime::Trajectory, 336, 16, 8),
         "Motionformer-HR, 16 frames at 336", published("81.1", "95.2", "958.4 G")},
        {described("motionformer_224_32x3", SpaceTime::Trajectory, 224, 32, 3), "Motionformer-L, 32 frames",
         published("80.2", "94.8", "1184.9 G")},
        {described("joint_224_16x4", SpaceTime::Joint, 224, 16, 4), "Joint space-time attention, 16 frames",
         published("79.2", "94.2", "180.5 G")},
        {described("divided_224_16x4", SpaceTime::Divided, 224, 16, 4), "Divided space-time attention, 16 frames",
         published("78.5", "93.8", "185.5 G")},
    };
}

class MotionformerModel
    : public DescriptionModel<MotionformerModel, MotionformerDescription, MotionformerWeights, Motionformer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return "motionformer"; }
    std::vector<int64_t> input() const override { return {3, m_d.frames, m_d.imageHeight, m_d.imageWidth}; }
    int64_t classes() const override { return m_d.classes(); }
    void setClasses(int64_t classes) override { m_d.classifierHeads = {classes}; }
    double multiplyAdds() const override { return m_d.multiplyAdds(Counting::Computed); }

    void setImageSize(InputSize size) override
    {
        if (!size.isSquare())
            throw UsageError("", "an image size of " + size.text() + " does not fit " + m_d.name,
                             "clips are cropped to squares: give one side");
        const int64_t side = size.width;
        const bool small = m_d.times() * (side / m_d.patchSize) * (side / m_d.patchSize) <= 1 << 20;
        if (side < m_d.patchSize || side % m_d.patchSize != 0 || !small)
            throw UsageError("", "an image size of " + std::to_string(side) + " does not fit " + m_d.name,
                             "it should be a multiple of the patch size, " + std::to_string(m_d.patchSize)
                                 + ", with at most a million tokens");
        if (side == m_d.imageHeight && side == m_d.imageWidth)
            return;
        m_d.imageHeight = m_d.imageWidth = m_d.evaluationResize = side;
    }

protected:
    MotionformerWeights take(WeightLoader& loader, const ModelSetup&) const override
    {
        return loadMotionformerWeights(m_d, loader);
    }
    MotionformerWeights draw(uint64_t seed) const override { return randomMotionformerWeights(m_d, seed); }
};

}

const std::vector<NamedMotionformer>& namedMotionformers()
{
    static const std::vector<NamedMotionformer> models = makeMotionformers();
    return models;
}

ModelFamily motionformerFamily()
{
    return {.names = {"motionformer"},
            .parse = parseModel<MotionformerModel, parseMotionformerDescription>,
            .models = namedModelsOf<MotionformerModel, namedMotionformers>,
            .recognise = recogniseMotionformer,
            .freeKeys = {"crop", "approx", "landmarks", "use_original_traj_attn_code"}};
}

}
