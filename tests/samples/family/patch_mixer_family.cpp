#include "tests/samples/family/patch_mixer_family.h"

#include "core/base/error.h"
#include "models/description_model.h"
#include "models/weights/named_tensors.h"
#include "tests/samples/family/patch_mixer.h"

#include <cmath>

namespace attnscope {

namespace {

class PatchMixerModel
    : public DescriptionModel<PatchMixerModel, PatchMixerDescription, PatchMixerWeights, PatchMixer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return "patch_mixer"; }
    std::vector<int64_t> input() const override { return {3, m_d.imageSize, m_d.imageSize}; }
    int64_t classes() const override { return m_d.classes; }
    void setClasses(int64_t classes) override { m_d.classes = classes; }

    double multiplyAdds() const override
    {
        const AttentionShape shape{m_d.heads, m_d.tokens(), m_d.tokens(), m_d.headDim(), m_d.headDim()};
        double total = m_d.linearMultiplyAdds();
        for (int64_t layer = 0; layer < m_d.depth; ++layer)
            total += makeBackend(m_d.attention.layer(layer),
                                 {m_d.heads, m_d.headDim(), {0, 1, m_d.side(), m_d.side()}, {}})
                         ->multiplyAdds(shape);
        return total;
    }

    void setImageSize(InputSize size) override
    {
        if (size != InputSize::square(m_d.imageSize))
            throw UsageError("", "an image size of " + size.text() + " does not fit " + m_d.name,
                             "it takes " + std::to_string(m_d.imageSize));
    }

protected:
    PatchMixerWeights take(WeightLoader& loader, const ModelSetup&) const override
    {
        return makePatchMixerWeights(
            m_d, [&](const std::string& name, const auto& shape) { return loader.take(name, shape); });
    }
    PatchMixerWeights draw(uint64_t seed) const override
    {
        return makePatchMixerWeights(m_d, [&](const std::string& name, const auto& shape) {
            if (name.ends_with(".bias"))
                return at::zeros(shape);
            return shape.size() == 1 ? at::ones(shape) : truncatedNormal(name, shape, 0.2, seed);
        });
    }
};

std::vector<NamedModel> models()
{
    PatchMixerDescription small;
    small.name = "patch_mixer_small";
    return {{"Patch mixer, small", "a sample of how a family is added", std::make_shared<PatchMixerModel>(small)}};
}

/// Told by its patch embedding; all but the number of heads is in the tensors' shapes.
std::optional<CheckpointIdentity> recognise(const StateDict& state, const CompanionFiles&)
{
    CheckpointIdentity identity;
    identity.tensors = namedTensors(state);
    const TensorIndex info(identity.tensors);
    if (!info.has("mixer.patch.weight"))
        return std::nullopt;
    identity.family = "patch_mixer";
    identity.title = "a patch mixer";
    identity.naming = "original";
    identity.reason = "it has `mixer.patch`";
    const int64_t patch = info.size("mixer.patch.weight", 2);
    const auto side = int64_t(std::sqrt(double(info.size("mixer.position", 1))));
    identity.config = {{"family", "patch_mixer"},
                       {"patch_size", patch},
                       {"img_size", side * patch},
                       {"embed_dim", info.size("mixer.patch.weight", 0)},
                       {"depth", info.count("mixer.blocks.")},
                       {"num_classes", info.size("head.weight", 0)}};
    identity.undecided.emplace_back("num_heads");
    return identity;
}

}

ModelFamily patchMixerFamily()
{
    return {.names = {"patch_mixer"},
            .parse = parseModel<PatchMixerModel, parsePatchMixer>,
            .models = models,
            .recognise = recognise};
}

}
