#pragma once

#include "models/model_family.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

/// Calls the family's `toJson`, which a member of that name would hide.
template <typename Description>
Json jsonOf(const Description& description)
{
    return toJson(description);
}

/// Attention layers: a network with stages counts them itself.
template <typename Description>
int64_t layersOf(const Description& description)
{
    if constexpr (requires { description.layers(); })
        return description.layers();
    else
        return description.depth;
}

/// The part of a ModelDescription that is the same for every family's plain description: `Description` has name, labels, attention,
/// evaluationResize, parameters() and toJson(); `Network` is made of a Setup with it and its `Weights`
/// (models/blocks/network.h). `Model` is what derives from this.
template <typename Model, typename Description, typename Weights, typename Network>
class DescriptionModel : public ModelDescription {
public:
    explicit DescriptionModel(Description description)
        : m_d(std::move(description))
    {}

    std::unique_ptr<ModelDescription> clone() const override { return std::make_unique<Model>(m_d); }
    std::string name() const override { return m_d.name; }
    void setName(const std::string& name) override { m_d.name = name; }
    std::vector<std::string> labels() const override { return m_d.labels; }
    void setLabels(std::vector<std::string> labels) override { m_d.labels = std::move(labels); }
    AttentionSpec attention() const override { return m_d.attention; }
    int64_t layers() const override { return layersOf(m_d); }
    int64_t parameters() const override { return m_d.parameters(); }
    int64_t evaluationResize() const override { return m_d.evaluationResize; }
    void setEvaluationResize(int64_t resize) override { m_d.evaluationResize = resize; }
    Json toJson() const override { return jsonOf(m_d); }

    std::shared_ptr<TrainableClassifier> load(WeightLoader& loader, const ModelSetup& setup) const override
    {
        Made made{setup, m_d, take(loader, setup), WeightsKind::Trained, {}};
        if constexpr (requires { made.exits; })
            made.exits = takeExits(loader, readoutOf(made.weights), readableCount(made.weights) - 1);
        made.report = loader.finish(m_d.name, setup.advice);
        return make(std::move(made));
    }

    std::shared_ptr<TrainableClassifier> untrained(uint64_t seed, const ModelSetup& setup) const override
    {
        return make({setup, m_d, draw(seed), WeightsKind::Untrained, {}});
    }

protected:
    using Made = typename Network::Setup;

    virtual Weights take(WeightLoader& loader, const ModelSetup& setup) const = 0;
    virtual Weights draw(uint64_t seed) const = 0;

    Description m_d;

private:
    static std::shared_ptr<TrainableClassifier> make(Made made)
    {
        if (const std::string slowness = slownessOf(made.device, made.dtype); !slowness.empty())
            made.report.notes.push_back(slowness);
        return std::make_shared<Network>(std::move(made));
    }
};

/// `ModelFamily::parse` of the family whose models are `Model`.
template <typename Model, auto parseDescription>
std::unique_ptr<ModelDescription> parseModel(const Json& config, const std::string& subject)
{
    return std::make_unique<Model>(parseDescription(config, subject));
}

/// A description that has a name, and what the catalogue says of it.
template <typename Description>
struct NamedDescription {
    Description description;
    std::string title;
    std::string note;
};

/// `ModelFamily::models` of what `named` lists: descriptions with a title and a note.
template <typename Model, auto named>
std::vector<NamedModel> namedModelsOf()
{
    std::vector<NamedModel> models;
    for (const auto& each : named())
        models.push_back({each.title, each.note, std::make_shared<Model>(each.description)});
    return models;
}

}
