// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "models/model_family.h"
#include "models/motionformer.h"
#include "models/motionformer_models.h"

namespace attnscope {

namespace {

class MotionformerModel : public ModelDescription {
public:
    explicit MotionformerModel(MotionformerDescription description)
        : m_d(std::move(description))
    {}

    std::unique_ptr<ModelDescription> clone() const override { return std::make_unique<MotionformerModel>(m_d); }
    std::string name() const override { return m_d.name; }
    void setName(const std::string& name) override { m_d.name = name; }
    std::string family() const override { return "motionformer"; }
    std::vector<std::int64_t> input() const override { return {3, m_d.frames, m_d.imageHeight, m_d.imageWidth}; }
    std::int64_t classes() const override { return m_d.classes(); }
    void setClasses(std::int64_t classes) override { m_d.headClasses = {classes}; }
    std::vector<std::string> labels() const override { return m_d.labels; }
    void setLabels(std::vector<std::string> labels) override { m_d.labels = std::move(labels); }
    AttentionSpec attention() const override { return m_d.attention; }
    std::int64_t parameters() const override { return m_d.parameters(); }
    double multiplyAdds() const override { return m_d.multiplyAdds(Counting::Computed); }
    std::int64_t evaluationResize() const override { return m_d.evaluationResize; }
    void setEvaluationResize(std::int64_t resize) override { m_d.evaluationResize = resize; }
    Json toJson() const override { return attnscope::toJson(m_d); }

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

    std::shared_ptr<Classifier> load(WeightLoader& loader, const ModelSetup& setup) const override
    {
        MotionformerWeights weights = loadMotionformerWeights(m_d, loader);
        LoadReport report = loader.finish(m_d.name, setup.advice);
        return make(std::move(weights), setup, WeightsKind::Trained, std::move(report));
    }

    std::shared_ptr<Classifier> untrained(std::uint64_t seed, const ModelSetup& setup) const override
    {
        return make(randomMotionformerWeights(m_d, seed), setup, WeightsKind::Untrained, {});
    }

private:
    std::shared_ptr<Classifier> make(MotionformerWeights weights, const ModelSetup& setup, WeightsKind kind,
                                     LoadReport report) const
    {
        Motionformer::Setup made;
        made.description = m_d;
        made.weights = std::move(weights);
        made.kind = kind;
        made.source = setup.source;
        made.report = std::move(report);
        made.device = setup.device;
        made.dtype = setup.dtype;
        return std::make_shared<Motionformer>(std::move(made));
    }

    MotionformerDescription m_d;
};

std::unique_ptr<ModelDescription> parse(const Json& config, const std::string& subject)
{
    return std::make_unique<MotionformerModel>(parseMotionformerDescription(config, subject));
}

std::vector<NamedModel> models()
{
    std::vector<NamedModel> list;
    for (const NamedMotionformer& named : namedMotionformers())
        list.push_back({named.title, named.note, std::make_shared<MotionformerModel>(named.description)});
    return list;
}

}  // namespace

ModelFamily motionformerFamily()
{
    return {"motionformer", parse, models};
}

}  // namespace attnscope
