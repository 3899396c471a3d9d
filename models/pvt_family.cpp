// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "models/model_family.h"
#include "models/pvt_models.h"
#include "models/pyramid_vision_transformer.h"

namespace attnscope {

namespace {

class PvtModel : public ModelDescription {
public:
    explicit PvtModel(PvtDescription description)
        : m_d(std::move(description))
    {}

    std::unique_ptr<ModelDescription> clone() const override { return std::make_unique<PvtModel>(m_d); }
    std::string name() const override { return m_d.name; }
    void setName(const std::string& name) override { m_d.name = name; }
    std::string family() const override { return m_d.family(); }
    std::vector<std::int64_t> input() const override { return {3, m_d.imageHeight, m_d.imageWidth}; }
    std::int64_t classes() const override { return m_d.classes; }
    void setClasses(std::int64_t classes) override { m_d.classes = classes; }
    std::vector<std::string> labels() const override { return m_d.labels; }
    void setLabels(std::vector<std::string> labels) override { m_d.labels = std::move(labels); }
    AttentionSpec attention() const override { return m_d.attention; }
    std::int64_t parameters() const override { return m_d.parameters(); }
    double multiplyAdds() const override { return m_d.multiplyAdds(m_d.attention); }
    std::int64_t evaluationResize() const override { return m_d.evaluationResize; }
    void setEvaluationResize(std::int64_t resize) override { m_d.evaluationResize = resize; }
    Json toJson() const override { return attnscope::toJson(m_d); }

    void setImageSize(std::int64_t side) override
    {
        if (side > 16384)
            throw UsageError("", "an image size of " + std::to_string(side) + " does not fit " + m_d.name,
                             "16384 is the largest");
        m_d.checkImageSize(side, side);
        if (side == m_d.imageHeight && side == m_d.imageWidth)
            return;
        m_d.imageHeight = m_d.imageWidth = side;
        m_d.evaluationResize = side * 256 / 224;
    }

    std::shared_ptr<Classifier> load(WeightLoader& loader, const ModelSetup& setup) const override
    {
        PvtWeights weights = loadPvtWeights(m_d, loader);
        LoadReport report = loader.finish(m_d.name, setup.advice);
        return make(std::move(weights), setup, WeightsKind::Trained, std::move(report));
    }

    std::shared_ptr<Classifier> untrained(std::uint64_t seed, const ModelSetup& setup) const override
    {
        return make(randomPvtWeights(m_d, seed), setup, WeightsKind::Untrained, {});
    }

private:
    std::shared_ptr<Classifier> make(PvtWeights weights, const ModelSetup& setup, WeightsKind kind,
                                     LoadReport report) const
    {
        PyramidVisionTransformer::Setup made;
        made.description = m_d;
        made.weights = std::move(weights);
        made.kind = kind;
        made.source = setup.source;
        made.report = std::move(report);
        made.device = setup.device;
        made.dtype = setup.dtype;
        return std::make_shared<PyramidVisionTransformer>(std::move(made));
    }

    PvtDescription m_d;
};

std::unique_ptr<ModelDescription> parse(const Json& config, const std::string& subject)
{
    return std::make_unique<PvtModel>(parsePvtDescription(config, subject));
}

std::vector<NamedModel> modelsOf(PvtForm form)
{
    std::vector<NamedModel> models;
    for (const NamedPvt& named : namedPvts())
        if (named.description.form == form)
            models.push_back({named.title, named.note, std::make_shared<PvtModel>(named.description)});
    return models;
}

}  // namespace

ModelFamily pvtFamily()
{
    return {"pvt_v2", parse, [] { return modelsOf(PvtForm::Reduced); }};
}

ModelFamily pvtLaraFamily()
{
    return {"pvt_v2_lara", parse, [] { return modelsOf(PvtForm::Joint); }};
}

}  // namespace attnscope
