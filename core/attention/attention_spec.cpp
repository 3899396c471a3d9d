#include "core/attention/attention_spec.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <map>

namespace attnscope {

namespace {

const BackendInfo& backendOf(std::string_view text, std::string_view name)
{
    const BackendInfo* info = findBackend(name);
    if (info != nullptr)
        return *info;
    if (const std::string why = whyOmitted(name); !why.empty())
        throw UsageError(text, why);
    throw UsageError(text, "unknown attention `" + printable(name) + "`",
                     "the attentions are " + joinWords(attentionNames(), "and"));
}

/// No backend's name starts with a digit.
bool startsWithLayers(std::string_view text)
{
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// A type that networks compute in. Throws UsageError for another.
std::string computationTypeOf(std::string_view spec, std::string_view text)
{
    const std::vector<std::string>& types = computationTypes();
    if (std::ranges::find(types, text) == types.end())
        throw UsageError(spec, "`" + printable(text) + "` is no type that networks compute in",
                         "write " + joinWords(types));
    return std::string(text);
}

constexpr int64_t maxLayers = 4096;

/// "0-3,8" → 0, 1, 2, 3, 8.
std::vector<int64_t> layersOf(std::string_view text, std::string_view spec)
{
    std::vector<int64_t> layers;
    for (const std::string_view given : split(text, ',')) {
        const std::string_view range = trim(given);
        const size_t dash = range.find('-');
        const auto first = parseNumber<int64_t>(trim(range.substr(0, dash)));
        const auto last = dash == std::string_view::npos ? first
                                                         : parseNumber<int64_t>(trim(range.substr(dash + 1)));
        if (!first || !last || *first < 0 || *last < *first || *last >= maxLayers)
            throw UsageError(spec, "`" + printable(range) + "` is not a valid range of layers",
                             "write one layer, or first-last from 0 to " + std::to_string(maxLayers - 1)
                                 + ", such as 0-3");
        for (int64_t layer = *first; layer <= *last; ++layer)
            layers.push_back(layer);
    }
    return layers;
}

/// What may stand behind an attention, in the order of the canonical spelling, each with an example.
enum NetworkPart { Tokens, Weights, Dtype, Checkpoint };
struct NetworkKey {
    std::string_view key, example;
};
constexpr std::array<NetworkKey, 4> networkKeys{{{"tokens=", "softmax;tokens=tome:r=13"},
                                                 {"weights=", "softmax;weights=int8"},
                                                 {"dtype=", "softmax;dtype=bfloat16"},
                                                 {"checkpoint=", "lara;checkpoint=2"}}};

const NetworkKey* networkKeyOf(std::string_view part)
{
    const auto found = std::ranges::find_if(
        networkKeys, [&](const NetworkKey& each) { return trim(part).starts_with(each.key); });
    return found == networkKeys.end() ? nullptr : &*found;
}

/// What stands behind the last semicolon.
std::string_view lastPart(std::string_view text)
{
    const size_t last = text.rfind(';');
    return last == std::string_view::npos ? text : trim(text.substr(last + 1));
}

/// A number from 1 on, or a path as it is.
std::string checkpointNamed(std::string_view spec, std::string_view text)
{
    if (text.empty() || text.find_first_not_of('0') == std::string_view::npos)
        throw UsageError(spec, "`checkpoint=" + printable(text) + "` names no checkpoint",
                         "write the number of one of the files of --weights, from 1 on, or its path");
    const auto number = parseNumber<int64_t>(text);
    return number && *number > 0 ? std::to_string(*number) : std::string(text);
}

std::string rangeOf(const LayerAttention& part)
{
    const std::string first = std::to_string(part.first);
    return part.first == part.last ? first : first + "-" + std::to_string(part.last);
}

}

std::vector<std::string> attentionNames()
{
    std::vector<std::string> names = backendNames();
    names.insert(names.begin(), "native");
    return names;
}

AttentionSpec::AttentionSpec(std::string name, std::string attention)
    : OptionValues(std::move(name))
    , m_attention(std::move(attention))
{
    m_canonical = m_attention;
}

AttentionSpec::AttentionSpec(const BackendInfo& info, std::string_view text)
    : OptionValues(info.name, info.options, text)
    , m_attention(canonical())
{}

AttentionSpec AttentionSpec::native()
{
    return {"native", "native"};
}

AttentionSpec AttentionSpec::reference()
{
    return parse(referenceBackend);
}

AttentionSpec AttentionSpec::explicitReference()
{
    return reference().with("form", std::string("explicit"));
}

AttentionSpec AttentionSpec::parse(std::string_view given)
{
    const std::string_view text = trim(given);
    std::string_view attention = text;
    std::array<std::optional<std::string_view>, networkKeys.size()> parts;
    for (std::string_view end = lastPart(attention); const NetworkKey* found = networkKeyOf(end);
         end = lastPart(attention)) {
        const std::string key(found->key), example(found->example);
        if (end.size() == attention.size())
            throw UsageError(text, "no attention goes with `" + key + "`",
                             "write attention;" + key + "…, such as " + example);
        auto& part = parts[size_t(found - networkKeys.data())];
        if (part)
            throw UsageError(text, "`" + key + "` is given twice", "give it once, such as " + example);
        part = trim(end.substr(key.size()));
        attention = trim(attention.substr(0, attention.rfind(';')));
    }
    AttentionSpec spec = parseAttention(attention);
    if (parts[Tokens])
        spec.m_tokens = TokenSpec::parse(*parts[Tokens]);
    if (parts[Weights])
        spec.m_weights = weightStorageOf(*parts[Weights]);
    if (parts[Dtype])
        spec.m_dtype = computationTypeOf(text, *parts[Dtype]);
    if (parts[Checkpoint])
        spec.m_checkpoint = checkpointNamed(text, *parts[Checkpoint]);
    spec.addNetwork();
    return spec;
}

AttentionSpec AttentionSpec::parseAttention(std::string_view text)
{
    if (std::ranges::any_of(split(text, ';'), networkKeyOf))
        throw UsageError(text, "what describes the network is not its last part",
                         "write attention;tokens=…;weights=…;dtype=…;checkpoint=…, such as "
                             + std::string(networkKeys[Tokens].example));
    return startsWithLayers(text) ? parseMixed(text) : parsePlain(text);
}

template <typename Change>
AttentionSpec AttentionSpec::changed(const Change& change) const
{
    AttentionSpec other = *this;
    change(other);
    other.addNetwork();
    return other;
}

AttentionSpec AttentionSpec::withTokens(const TokenSpec& tokens) const
{
    return changed([&](AttentionSpec& other) { other.m_tokens = tokens; });
}

AttentionSpec AttentionSpec::withWeights(WeightStorage weights) const
{
    return changed([&](AttentionSpec& other) { other.m_weights = weights; });
}

AttentionSpec AttentionSpec::withDtype(const std::string& dtype) const
{
    return changed([&](AttentionSpec& other) { other.m_dtype = dtype; });
}

AttentionSpec AttentionSpec::withCheckpoint(const std::string& checkpoint) const
{
    return changed([&](AttentionSpec& other) { other.m_checkpoint = checkpoint; });
}

AttentionSpec AttentionSpec::inNetworkOf(const AttentionSpec& column) const
{
    return withDtype(column.m_dtype).withCheckpoint(column.m_checkpoint);
}

AttentionSpec AttentionSpec::inNetwork() const
{
    return inNetworkOf(native());
}

AttentionSpec AttentionSpec::alone() const
{
    return inNetwork().withTokens({}).withWeights(WeightStorage::Own);
}

AttentionSpec AttentionSpec::around(const AttentionSpec& attention) const
{
    return attention.withTokens(m_tokens).withWeights(m_weights).inNetworkOf(*this);
}

AttentionSpec AttentionSpec::parseMixed(std::string_view text)
{
    std::map<int64_t, AttentionSpec> named;
    for (const std::string_view given : split(text, ';')) {
        const std::string_view part = trim(given);
        const size_t equals = part.find('=');
        if (equals == std::string_view::npos || !startsWithLayers(part))
            throw UsageError(text, "`" + printable(part) + "` does not assign an attention to layers",
                             "write layers=attention;layers=attention, such as 0-3=softmax;4-11=lara");
        const AttentionSpec spec = parsePlain(trim(part.substr(equals + 1)));
        for (const int64_t layer : layersOf(part.substr(0, equals), text))
            if (!named.emplace(layer, spec).second)
                throw UsageError(text, "layer " + std::to_string(layer) + " is given twice",
                                 "give each layer once");
    }
    std::vector<AttentionSpec> layers(size_t(named.rbegin()->first) + 1, native());
    for (const auto& [layer, spec] : named)
        layers[size_t(layer)] = spec;
    return mixedOf(layers);
}

AttentionSpec AttentionSpec::mixedOf(const std::vector<AttentionSpec>& layers)
{
    std::vector<LayerAttention> parts;
    for (size_t i = 0; i < layers.size(); ++i) {
        const auto index = int64_t(i);
        if (layers[i].isNative())
            continue;
        if (!parts.empty() && parts.back().last + 1 == index && parts.back().spec == layers[i])
            parts.back().last = index;
        else
            parts.push_back({index, index, layers[i]});
    }
    if (parts.empty())
        return native();
    std::vector<std::string> texts;
    for (const LayerAttention& part : parts)
        texts.push_back(rangeOf(part) + "=" + part.spec.canonical());
    AttentionSpec mixed("mixed", joined(texts, ";"));
    mixed.m_parts = std::move(parts);
    return mixed;
}

AttentionSpec AttentionSpec::perLayer(const std::vector<AttentionSpec>& layers)
{
    const bool alike = std::ranges::all_of(layers,
                                           [&](const AttentionSpec& spec) { return spec == layers.front(); });
    return layers.empty() ? native() : alike ? layers.front() : mixedOf(layers);
}

AttentionSpec AttentionSpec::layer(int64_t index) const
{
    if (!isMixed())
        return alone();
    for (const LayerAttention& part : m_parts)
        if (part.first <= index && index <= part.last)
            return part.spec;
    return native();
}

AttentionSpec AttentionSpec::resolved(const AttentionSpec& own, int64_t layers) const
{
    if (*this != inNetwork())
        throw UsageError(m_canonical,
                         "it names the network that it is in, which only `classify`, `compare` and "
                         "`layers --against` choose by column",
                         "leave out `;dtype=` and `;checkpoint=`");
    if (isNative())
        return around(own);
    if (!isMixed())
        return *this;
    if (m_parts.back().last >= layers)
        throw UsageError(m_canonical,
                         "layer " + std::to_string(m_parts.back().last) + " is out of range for the model's "
                             + counted(layers, "layer"),
                         "its layers are 0 to " + std::to_string(layers - 1));
    std::vector<AttentionSpec> each;
    for (int64_t i = 0; i < layers; ++i) {
        const AttentionSpec spec = layer(i);
        each.push_back(spec.isNative() ? own.layer(i) : spec);
    }
    return around(perLayer(each));
}

AttentionSpec AttentionSpec::parsePlain(std::string_view text)
{
    if (startsWithLayers(text))
        throw UsageError(text, "a list of layers was given instead of an attention",
                         "write layers=attention, separated by semicolons");
    constexpr std::string_view plugin = "plugin:";  // backends have one word as a name: plugin-NAME
    if (text.starts_with(plugin))
        return parsePlain("plugin-" + std::string(text.substr(plugin.size())));
    const size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    if (name == "native") {
        if (colon != std::string_view::npos)
            throw UsageError(text, "`native` has no options", "specify the attention by name to change an option");
        return native();
    }
    return {backendOf(text, name), text};
}

/// Spells what is said of the network behind the attention.
void AttentionSpec::addNetwork()
{
    m_canonical = m_attention;
    const std::array<std::string, networkKeys.size()> parts{
        m_tokens.isNone() ? "" : m_tokens.canonical(), m_weights == WeightStorage::Own ? "" : toText(m_weights),
        m_dtype, m_checkpoint};
    for (size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].empty())
            m_canonical += ";" + std::string(networkKeys[i].key) + parts[i];
}

std::optional<int64_t> AttentionSpec::samples() const
{
    return value("samples") ? std::optional(integer("samples")) : std::nullopt;
}

AttentionSpec AttentionSpec::with(std::string_view option, const std::optional<OptionValue>& value) const
{
    if (isMixed())
        throw UsageError(m_canonical,
                         "an option belongs to one attention, but this specification contains several",
                         "change the option in the part for its "
                         "layers");
    AttentionSpec changed = *this;
    changed.set(option, value);
    changed.m_attention = changed.m_canonical;
    changed.addNetwork();
    return changed;
}

AttentionSpec AttentionSpec::definition() const
{
    AttentionSpec defined = *this;
    for (const OptionInfo& option : options())
        if (!option.definesAttention)
            defined = defined.with(option.name, std::nullopt);
    return defined;
}

}
