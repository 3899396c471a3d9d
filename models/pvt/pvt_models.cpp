#include "models/pvt/pvt_models.h"

#include "core/base/error.h"
#include "models/pvt/pyramid_vision_transformer.h"

#include <array>

namespace attnscope {

namespace {

using Four = std::array<int64_t, 4>;

struct PvtSize {
    const char* name;
    Four widths, depths, ratios;
    const char* accuracy;  ///< published by the PVTv2 authors
};

constexpr Four narrow{32, 64, 160, 256}, wide{64, 128, 320, 512};

const std::array<PvtSize, 6> sizes{{{"b0", narrow, {2, 2, 2, 2}, {8, 8, 4, 4}, "70.5"},
                                    {"b1", wide, {2, 2, 2, 2}, {8, 8, 4, 4}, "78.7"},
                                    {"b2", wide, {3, 4, 6, 3}, {8, 8, 4, 4}, "82.0"},
                                    {"b3", wide, {3, 4, 18, 3}, {8, 8, 4, 4}, "83.1"},
                                    {"b4", wide, {3, 8, 27, 3}, {8, 8, 4, 4}, "83.6"},
                                    {"b5", wide, {3, 6, 40, 3}, {4, 4, 4, 4}, "83.8"}}};

PvtDescription sized(const PvtSize& size, const Four& heads)
{
    constexpr Four reductions{8, 4, 2, 1};
    PvtDescription d;
    d.name = std::string("pvt_v2_") + size.name;
    for (size_t i = 0; i < 4; ++i)
        d.stages.push_back({size.widths[i], heads[i], size.depths[i], double(size.ratios[i]), reductions[i]});
    return d;
}

NamedPvt published(const PvtSize& size)
{
    return {sized(size, {1, 2, 5, 8}), std::string("PVTv2-B") + size.name[1],
            std::string("published ImageNet top-1: ") + size.accuracy + " %"};
}

NamedPvt linearB2()
{
    NamedPvt named = published(sizes[2]);
    named.description.name = "pvt_v2_b2_li";
    named.description.linear = true;
    named.description.attention = AttentionSpec::parse("sra:linear");
    named.title = "PVTv2-B2, linear SRA";
    named.note = "published ImageNet top-1: 82.1 %";
    return named;
}

/// The entry of table 2 of the LARA paper for one size and attention.
struct Published {
    const char* size;
    const char* attention;
    const char* figures;
};

constexpr std::array<Published, 8> table2{{
    // The code published with the paper has 12,635,816 parameters here, and agrees with the table everywhere else.
    {"b1", "lara", "79.6 %, 2.3 G, 13.7 M parameters (apparently a misprint: 12.64 M counted)"},
    {"b2", "lara", "82.6 %, 4.5 G, 22.4 M parameters"},
    {"b3", "lara", "83.6 %, 7.7 G, 39.9 M parameters"},
    {"b4", "lara", "84.0 %, 11.3 G, 54.5 M parameters"},
    {"b1", "performer", "77.3 %, 2.5 G, 12.1 M parameters"},
    {"b2", "performer", "81.0 %, 4.9 G, 21.1 M parameters"},
    {"b3", "performer", "82.4 %, 8.2 G, 36.0 M parameters"},
    {"b4", "performer", "82.7 %, 11.9 G, 48.6 M parameters"},
}};

std::string noteOf(const std::string& size, const std::string& attention)
{
    std::string origin = "the LARA authors' form, without spatial reduction; no checkpoint was released";
    for (const Published& row : table2)
        if (size == row.size && attention == row.attention)
            return std::string("published ImageNet top-1: ") + row.figures + "; " + origin;
    return origin;
}

/// Twice as many heads, attention over all tokens in stages 1 to 3, softmax in the last.
NamedPvt withoutReduction(const PvtSize& size, const std::string& attention, const char* title, const char* spec)
{
    NamedPvt named{sized(size, {2, 4, 10, 16}), std::string("PVTv2-B") + size.name[1] + ", " + title,
                   noteOf(size.name, attention)};
    named.description.name += "_" + attention;
    named.description.form = PvtForm::Joint;
    named.description.attention = AttentionSpec::parse(spec);
    if (attention == "lara")
        named.description.landmarkMaps = LandmarkMaps::Dense;
    return named;
}

std::vector<NamedPvt> makePyramids()
{
    std::vector<NamedPvt> models;
    for (const PvtSize& size : sizes) {
        models.push_back(published(size));
        if (size.name == std::string("b2"))
            models.push_back(linearB2());
    }
    for (size_t i = 1; i < sizes.size(); ++i) {
        models.push_back(
            withoutReduction(sizes[i], "lara", "LARA", "lara:samples=49,proposal=mixed,weights=decoupled,beta=2"));
        models.push_back(withoutReduction(sizes[i], "performer", "Performer", "performer:samples=128"));
        models.push_back(withoutReduction(sizes[i], "softmax", "softmax", "softmax"));
    }
    return models;
}

class PvtModel : public DescriptionModel<PvtModel, PvtDescription, PvtWeights, PyramidVisionTransformer> {
public:
    using DescriptionModel::DescriptionModel;

    std::string family() const override { return m_d.family(); }
    std::vector<int64_t> input() const override { return {3, m_d.imageHeight, m_d.imageWidth}; }
    int64_t classes() const override { return m_d.classes; }
    void setClasses(int64_t classes) override { m_d.classes = classes; }
    double multiplyAdds() const override { return m_d.multiplyAdds(m_d.attention); }

    void setImageSize(InputSize size) override
    {
        m_d.checkImageSize(size.height, size.width);
        if (size.height == m_d.imageHeight && size.width == m_d.imageWidth)
            return;
        m_d.imageHeight = size.height;
        m_d.imageWidth = size.width;
        m_d.evaluationResize = m_d.preparation.resizeFor(size.shortSide());
    }
    /// Its names crop 0.9 of the short side, unless the file said otherwise.
    int64_t timmResize() const override
    {
        const bool stated = m_d.preparation != ImagePreparation();
        return (stated ? m_d.preparation : ImagePreparation{.cropFraction = 0.9})
            .resizeFor(std::min(m_d.imageHeight, m_d.imageWidth));
    }

protected:
    PvtWeights take(WeightLoader& loader, const ModelSetup&) const override { return loadPvtWeights(m_d, loader); }
    PvtWeights draw(uint64_t seed) const override { return randomPvtWeights(m_d, seed); }
};

}

const std::vector<NamedPvt>& namedPvts()
{
    static const std::vector<NamedPvt> models = makePyramids();
    return models;
}

ModelFamily pvtFamily()
{
    return {.names = {"pvt_v2", "pvt_v2_lara"},
            .parse = parseModel<PvtModel, parsePvtDescription>,
            .models = namedModelsOf<PvtModel, namedPvts>,
            .recognise = recognisePvt};
}

}
