#include "models/vit/formats/recognise_plain_vit.h"

#include "core/base/text.h"
#include "models/blocks/stated_preparation.h"
#include "models/vit/formats/config_reading.h"
#include "models/vit/formats/library_config.h"
#include "models/vit/formats/refused_layouts.h"
#include "models/vit/formats/signature.h"
#include "models/vit/formats/structure.h"
#include "models/vit/formats/timm_config.h"
#include "models/vit/formats/translation.h"

#include <algorithm>
#include <array>
#include <set>

namespace attnscope {

namespace {

CheckpointIdentity refusedIdentity(const std::string& what, const std::string& reason, NamedTensors tensors)
{
    CheckpointIdentity identity;
    identity.title = what;
    identity.reason = reason;
    identity.tensors = std::move(tensors);
    return identity;
}

bool isFree(const std::string& licence)
{
    return licence.empty() || licence == "apache-2.0" || licence == "mit";
}

class VitRecogniser {
public:
    VitRecogniser(const StateDict& state, const CompanionFiles& companions, Translation translation)
        : m_state(state)
        , m_companions(companions)
        , m_translation(std::move(translation))
    {}

    CheckpointIdentity identify()
    {
        readStructure(m_translation, statedImageSize(m_companions.config), m_findings);
        for (const LayoutHint& hint : m_translation.hints)
            if (hint.key == "pool")
                m_findings.putSeen(hint.key, hint.value, "the layout, " + m_translation.naming);
        readConfig();
        if (!m_reading.refusal.empty())
            return refusedIdentity("a vision transformer that can't be run: " + m_reading.refusal, "",
                                   std::move(m_translation.tensors));
        for (const LayoutHint& hint : m_translation.hints)
            readHint(hint);
        findCandidates();
        takeAgreed(m_candidates, m_findings);
        decideRest();
        readKeyHeads(m_translation, m_findings);
        return made();
    }

private:
    void readConfig()
    {
        if (isTimmConfig(m_companions.config))
            readTimmConfig(m_companions.config, m_findings, m_reading);
        else if (isLibraryConfig(m_companions.config))
            readLibraryConfig(m_companions.config, m_translation, m_findings, m_reading);
        else if (!m_companions.config.is_null())
            m_notes.emplace_back(
                "the config.json next to it is neither timm's nor the Transformers library's, and was not read");
        const auto stated = libraryPreparation(m_companions.preprocessor);
        if (!stated || m_reading.preparation)
            return;
        m_reading.preparation = stated->preparation;
        m_reading.input = stated->input;
        const auto [height, width] = statedImageSize(m_companions.config);
        if (isLibraryConfig(m_companions.config) && InputSize{width, height} != stated->input
            && m_companions.config["model_type"] != Json("dinov2_with_registers"))
            m_findings.put("pos_resample", "bicubic", "the library, at the size of its preprocessor");
        if (m_reading.refusal.empty())
            m_reading.refusal = stated->refusal;
    }

    void readHint(const LayoutHint& hint)
    {
        const std::string witness = "the layout, " + m_translation.naming;
        const int64_t width = m_findings.integer("embed_dim");
        if (hint.key != "head_dim")
            m_findings.put(hint.key, hint.value, witness);
        else if (const auto channels = hint.value.get<int64_t>(); channels > 0 && width % channels == 0)
            m_findings.putSeen("num_heads", width / channels, witness + ": tables of its rotary positions");
    }

    /// DeiT III names its layer scale as timm's eva.py does, and a RoPE-ViT with learned positions has no other tensors than it.
    void findCandidates()
    {
        bool gammas = m_translation.gammas;
        m_candidates = candidatesFor(m_findings, gammas, m_translation.nameMark);
        const bool alike = gammas && m_findings.flag("class_token") && !m_findings.flag("pos_prefix")
                           && m_findings.integer("reg_tokens") == 0 && m_findings.text("pos_embed") == "learned"
                           && m_findings.value("rope").is_null() && m_findings.value("qkv_bias") == Json(true)
                           && m_findings.text("mlp") == "plain";
        if (!alike || m_reading.found)
            return;
        if (m_state.nesting.empty() && m_candidates.likeness <= Likeness::OtherSize) {
            m_notes.push_back("files of DeiT III have the same tensors as this " + m_candidates.names.front()->name
                              + "; give its name with --model if it is one");
            return;
        }
        m_translation.naming = "DeiT III";
        m_candidates = candidatesFor(m_findings, false, "deit3_");
        m_findings.put("rope", nullptr, "the layout, DeiT III");
    }

    void decideRest()
    {
        for (const char* key : {"num_heads", "ln_eps", "act", "rope"})
            if (!m_findings.has(key))
                m_undecided.emplace_back(key);
        if (!m_findings.has("block") && m_candidates.names.size() > 1)
            m_undecided.emplace_back("block");
        decidePool();
        if (!m_findings.has("map_heads") && m_findings.text("pool") == "map"
            && m_candidates.likeness > Likeness::OtherSize)
            m_undecided.emplace_back("map_heads");
        if (!m_findings.has("img_size")) {
            if (m_candidates.likeness > Likeness::OtherSize)
                m_undecided.emplace_back("img_size");
            else
                m_findings.put("img_size", valueOf(*m_candidates.names.front(), "img_size"),
                               "default of " + m_candidates.names.front()->name);
        }
    }

    /// Without a head the pooled features are one choice among several that are all shown.
    void decidePool()
    {
        const bool marked = !m_reading.found && m_translation.nameMark == "_dinov3"
                            && m_findings.integer("num_classes") > 0;
        if (m_findings.has("pool") && !marked)
            return;
        if (m_findings.integer("num_classes") > 0 || m_candidates.names.empty()) {
            m_undecided.emplace_back("pool");
            return;
        }
        const PlainVit& vit = *m_candidates.names.front();
        m_findings.put("pool", valueOf(vit, "pool"), "default of " + vit.name);
        m_notes.push_back("the file does not tell how its features are pooled: here as in " + vit.name
                          + "; --set pool=token or pool=avg says otherwise");
    }

    bool isLikeDeit() const
    {
        if (m_reading.found || m_reading.preparation || m_translation.preparation
            || m_translation.passedOver.size() > 0 || m_findings.integer("num_classes") == 0)
            return false;
        for (const WitnessedKey& each : m_findings.all())
            if (const Json& usual = vitDefaults().at(each.key);
                each.seen && each.key != "distilled" && !usual.is_null() && !sameJson(each.value, usual))
                return false;
        const Candidates sized = sameWidths();
        return sized.names.empty() || std::ranges::any_of(sized.names, [](const PlainVit* vit) {
                   return vit->name.starts_with("deit_");
               });
    }

    /// Whatever their image size.
    Candidates sameWidths() const
    {
        Candidates sized;
        for (const PlainVit& vit : plainVits())
            if (m_candidates.likeness <= Likeness::OtherSize && vit.runs()
                && vit.width == m_findings.integer("embed_dim") && vit.patch == m_findings.integer("patch_size")
                && vit.hidden == m_findings.integer("mlp_hidden")
                && (vit.switches.empty() || (vit.switches.size() == 1 && vit.switches.contains("distilled"))))
                sized.names.push_back(&vit);
        return sized;
    }

    CheckpointIdentity made()
    {
        CheckpointIdentity identity;
        identity.family = isLikeDeit() ? "deit" : "vit";
        identity.config = m_findings.config();
        for (const std::string& key : m_undecided)
            identity.config.erase(key);
        if (identity.family == "deit") {
            identity.tensors = std::move(m_translation.tensors);
            identity.notes = std::move(m_notes);
            return identity;
        }
        nameModel(identity);
        Json config{{"family", "vit"}};
        if (!identity.model.empty())
            config["name"] = identity.model;
        config.update(identity.config);
        identity.config = std::move(config);
        prepare(identity);
        identity.naming = m_translation.naming;
        identity.labels = m_reading.labels;
        identity.input = m_reading.input;
        identity.undecided = m_undecided;
        for (const std::string& key : m_reading.undecided)
            if (std::ranges::find(identity.undecided, key) == identity.undecided.end())
                identity.undecided.push_back(key);
        for (const std::string& key : identity.undecided)
            if ((key != "num_heads" && key != "img_size" && key != "map_heads")
                || m_candidates.likeness <= Likeness::OtherSize)
                identity.choices[key] = valuesOf(m_candidates, key);
        identity.switches = m_findings.all();
        identity.ignored = ignoredKinds(m_translation);
        identity.notes = m_translation.notes;
        identity.notes.insert(identity.notes.end(), m_notes.begin(), m_notes.end());
        if (const std::string licence = licenceNote(identity.model); !licence.empty())
            identity.notes.push_back(licence);
        identity.tensors = std::move(m_translation.tensors);
        return identity;
    }

    void nameModel(CheckpointIdentity& identity)
    {
        const PlainVit* vit = m_reading.vit;
        for (const PlainVit* each : m_candidates.names)
            if (vit == nullptr && m_candidates.likeness == Likeness::Same
                && each->depth == m_findings.integer("depth")
                && sameJson(valueOf(*each, "num_heads"), m_findings.value("num_heads")))
                vit = each;
        identity.title = vit != nullptr ? titleOf(*vit) : "a plain vision transformer";
        identity.reason = m_reading.vit != nullptr     ? "its config.json names timm's " + vit->name
                          : m_reading.found            ? "by its config.json and its tensors"
                          : vit != nullptr             ? "it has the tensors of timm's " + vit->name
                          : m_candidates.names.empty() ? "by its tensors, which no model of timm has"
                                                       : "by its tensors";
        if (vit != nullptr && m_reading.vit == nullptr)
            identity.model = vit->name;
        if (m_reading.vit != nullptr && m_reading.vit->depth == m_findings.integer("depth")
            && m_reading.vit->width == m_findings.integer("embed_dim"))
            identity.model = m_reading.vit->name;
    }

    void prepare(CheckpointIdentity& identity)
    {
        if (m_reading.vit == nullptr && !m_candidates.names.empty())
            identity.timm = m_candidates.names.front()->preparation;
        if (const auto& told = m_reading.preparation ? m_reading.preparation : m_translation.preparation)
            return addTo(identity.config, *told);
        if (m_candidates.names.empty()) {
            m_notes.emplace_back("the file does not tell how images are prepared: as for ImageNet evaluations, or "
                                 "as --set mean=… and std=… say");
            return;
        }
        const PlainVit& vit = *m_candidates.names.front();
        addTo(identity.config, vit.preparation);
        m_notes.push_back("the file does not tell how images are prepared: as for " + vit.name + "." + vit.tag
                          + ", or as --set mean=… and std=… say");
    }

    std::string licenceNote(const std::string& model) const
    {
        const std::string licence = m_reading.licence.empty() ? m_translation.licence : m_reading.licence;
        if (!isFree(licence))
            return "weights under a licence that is not a free one: " + printable(licence);
        if (!m_reading.licence.empty())
            return {};
        std::set<std::string> licences;
        for (const PlainVitWeights& each : plainVitWeights())
            if (each.name == model && !isFree(each.licence))
                licences.insert(each.licence);
        return licences.empty()
                   ? std::string()
                   : "of the weights published as " + model + " some are under a licence that is not a free one ("
                         + joined({licences.begin(), licences.end()}, ", ") + ")";
    }

    const StateDict& m_state;
    const CompanionFiles& m_companions;
    Translation m_translation;
    Findings m_findings;
    ConfigReading m_reading;
    Candidates m_candidates;
    std::vector<std::string> m_undecided, m_notes;
};

}

std::optional<CheckpointIdentity> recognisePlainVit(const StateDict& state, const CompanionFiles& companions)
{
    NamedTensors raw = namedTensors(state);
    if (const auto refused = refusedLayout(raw))
        return refusedIdentity(refused->what, "it has `" + printable(refused->witness) + "`", std::move(raw));
    Translation translation = translated(state);
    const TensorIndex index(translation.tensors);
    if (!isPlainVit(index) || index.begins("norm_before_pooling.") || index.begins("temp_embed")
        || index.begins("time_embed"))
        return std::nullopt;
    return VitRecogniser(state, companions, std::move(translation)).identify();
}

NamedTensors plainVitTensors(const StateDict& state)
{
    return translated(state).tensors;
}

}
