#include "ui/workspace/backend_list.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/attention/plugin/plugin.h"
#include "core/base/number.h"
#include "models/compared_networks.h"
#include "ui/workspace/command_line.h"

#include <QDir>
#include <QFileInfo>

#include <iterator>
#include <utility>

namespace attnscope::ui {

namespace {

QString samplesText(const AttentionSpec& spec)
{
    return spec.samples() ? QString::number(*spec.samples()) : QString();
}

/// An option as a heading has it: "proposal mixed", "seed run's".
QString optionText(const AttentionSpec& spec, const OptionInfo& option)
{
    const QString name = toQt(option.name).replace(QLatin1Char('_'), QLatin1Char(' ')) + QLatin1Char(' ');
    const std::optional<OptionValue> value = spec.value(option.name);
    if (!value)
        return name + BackendList::tr("same as run");
    if (const bool* on = std::get_if<bool>(&*value))
        return name + (*on ? BackendList::tr("on") : BackendList::tr("off"));
    return name + toQt(toText(*value));
}

/// What a heading adds to the backend's name: samples, and whatever else tells it from the others of that backend.
QString additionOf(const AttentionSpec& spec, const std::vector<AttentionSpec>& others)
{
    const BackendInfo* info = findBackend(spec.backend());
    if (info == nullptr)
        return others.empty() ? QString() : toQt(spec.inNetwork().canonical());
    QStringList parts{samplesText(spec)};
    for (const OptionInfo& option : info->options)
        if (option.name != "samples" && std::ranges::any_of(others, [&](const AttentionSpec& other) {
                return other.value(option.name) != spec.value(option.name);
            }))
            parts << optionText(spec, option);
    if (!spec.tokens().isNone())
        parts << toQt(spec.tokens().canonical());
    if (spec.weights() != WeightStorage::Own)
        parts << BackendList::tr("%1 weights").arg(toQt(toText(spec.weights())));
    parts << toQt(spec.dtype());
    parts.removeAll(QString());
    return parts.join(u", "_s);
}

QStringList specsOf(const std::vector<ColumnSpec>& columns)
{
    QStringList specs;
    for (const ColumnSpec& column : columns)
        specs << column.spec;
    return specs;
}

AttentionSpec inNetwork(const AttentionSpec& spec, int network)
{
    return spec.withCheckpoint(network == 1 ? std::string() : std::to_string(network));
}

/// The reference, plug-ins, for whoever gave one wants to see it, and all others in the table's order.
std::vector<const BackendInfo*> backendsAsListed()
{
    std::vector<const BackendInfo*> listed;
    for (const BackendInfo& info : backends())
        listed.push_back(&info);
    std::stable_partition(listed.begin() + 1, listed.end(), [plugins = loadedPlugins()](const BackendInfo* info) {
        return std::ranges::find(plugins, info->name, &PluginInfo::backend) != plugins.end();
    });
    return listed;
}

}

BackendList::BackendList(QObject* parent)
    : SpecList(parent)
{
    for (const BackendInfo* info : backendsAsListed())
        m_entries.push_back({m_nextId++, AttentionSpec::parse(info->name), info->proposed != Proposed::No});
    changed(true);
}

void BackendList::changed(bool layout)
{
    if (!isChecked(m_reference)) {
        const auto better = [](const Entry& e) {
            return e.checked && e.spec.backend() == referenceBackend && e.spec == e.spec.alone();
        };
        auto found = std::ranges::find_if(m_entries, better);
        if (found == m_entries.end())
            found = std::ranges::find_if(m_entries, &Entry::checked);
        m_reference = found == m_entries.end() ? 0 : found->id;
    }
    SpecList::changed(layout);
}

QString BackendList::refusal(const AttentionSpec& spec) const
{
    return spec.isNative() ? tr("native means the model's own attention; specify that attention by name here")
                           : QString();
}

QString BackendList::setSpec(int id, const QString& text)
{
    return change(id, [&](const AttentionSpec&) {
        const AttentionSpec spec = AttentionSpec::parse(fromQt(text));
        return spec.checkpoint().empty() ? spec : columnsOf({spec}, fromQt(weights()), {}).front();
    });
}

void BackendList::setTokens(int id, const TokenSpec& tokens)
{
    change(id, [&](const AttentionSpec& spec) { return spec.withTokens(tokens); });
}

void BackendList::setWeights(int id, WeightStorage weights)
{
    change(id, [&](const AttentionSpec& spec) { return spec.withWeights(weights); });
}

void BackendList::setDtype(int id, const QString& dtype)
{
    change(id, [&](const AttentionSpec& spec) { return spec.withDtype(fromQt(dtype)); });
}

void BackendList::setNetwork(int id, int network)
{
    change(id, [&](const AttentionSpec& spec) { return inNetwork(spec, network); });
}

int BackendList::networkOf(const AttentionSpec& spec)
{
    return spec.checkpoint().empty() ? 1 : parseNumber<int>(spec.checkpoint()).value_or(0);
}

QStringList BackendList::weights() const
{
    QStringList all{m_firstWeights};
    for (const FurtherCheckpoint& checkpoint : m_further)
        all << checkpoint.weights;
    return all;
}

QStringList BackendList::networks() const
{
    QStringList names;
    for (const QString& path : weights())
        names << shortCheckpointName(path);
    const QStringList alone = names;
    for (qsizetype i = 0; i < names.size(); ++i)
        if (alone.count(alone[i]) > 1)
            names[i].prepend(QFileInfo(weights()[i]).dir().dirName() + u'/');
    return names;
}

void BackendList::setFirstNetwork(const QString& weights)
{
    if (std::exchange(m_firstWeights, weights) == weights || m_further.empty())
        return;
    const auto same = std::ranges::find(m_further, weights, &FurtherCheckpoint::weights);
    if (same == m_further.end())
        changed(false);
    else
        removeCheckpoint(int(same - m_further.begin()) + 2);  // it is no further one any more
}

void BackendList::setFurtherCheckpoints(std::vector<FurtherCheckpoint> checkpoints)
{
    m_further = std::move(checkpoints);
    std::erase_if(m_entries,
                  [&](const Entry& entry) { return networkOf(entry.spec) > int(m_further.size()) + 1; });
    changed(true);
}

void BackendList::addCheckpoint(const FurtherCheckpoint& checkpoint, const AttentionSpec& native)
{
    m_further.push_back(checkpoint);
    add(inNetwork(native, int(m_further.size()) + 1));
}

void BackendList::removeCheckpoint(int network)
{
    m_further.erase(m_further.begin() + network - 2);
    std::erase_if(m_entries, [&](const Entry& entry) { return networkOf(entry.spec) == network; });
    for (Entry& entry : m_entries)
        if (const int own = networkOf(entry.spec); own > network)
            entry.spec = inNetwork(entry.spec, own - 1);
    changed(true);
}

void BackendList::setReference(int id)
{
    Entry* entry = find(id);
    if (entry == nullptr || m_reference == id)
        return;
    entry->checked = true;
    m_reference = id;
    changed(false);
}

void BackendList::tick(const AttentionSpec& spec)
{
    const auto known = std::ranges::find_if(m_entries, [&](const Entry& entry) { return entry.spec == spec; });
    if (known != m_entries.end())
        setChecked(known->id, true);
    else if (!spec.isNative())
        add(spec);
}

void BackendList::setSpecs(const std::vector<AttentionSpec>& specs)
{
    std::vector<Entry> next;
    // An entry that already has this specification keeps its id, and with it its results.
    const auto keep = [&](const AttentionSpec& spec) {
        const auto same = std::ranges::find(m_entries, spec, &Entry::spec);
        next.push_back({same == m_entries.end() ? m_nextId++ : same->id, spec, true});
    };
    for (const BackendInfo* info : backendsAsListed()) {
        const size_t before = next.size();
        for (const AttentionSpec& spec : specs)
            if (spec.backend() == info->name && networkOf(spec) == 1)
                keep(spec);
        const auto old = std::ranges::find_if(
            m_entries, [&](const Entry& e) { return e.spec.backend() == info->name && networkOf(e.spec) == 1; });
        if (next.size() == before)
            next.push_back(old == m_entries.end() ? Entry{m_nextId++, AttentionSpec::parse(info->name)}
                                                  : Entry{old->id, old->spec});
    }
    for (const AttentionSpec& spec : specs)
        if (spec.isMixed() && networkOf(spec) == 1)
            keep(spec);
    std::ranges::copy_if(m_entries, std::back_inserter(next),
                         [](const Entry& entry) { return networkOf(entry.spec) > 1; });
    m_entries = std::move(next);
    changed(true);
    for (const AttentionSpec& spec : specs)
        if (const int network = networkOf(spec); network > 1 && network <= int(m_further.size()) + 1)
            tick(spec);
}

void BackendList::restore(const State& state)
{
    m_entries = state.entries;
    m_reference = state.reference;
    m_further = state.further;
    setFirstNetwork(std::exchange(m_firstWeights, {}));  // which may be one of them by now
    changed(true);
}

std::vector<ColumnSpec> BackendList::columns() const
{
    std::vector<ColumnSpec> own = allColumns();
    std::erase_if(own, [this](const ColumnSpec& column) {
        const AttentionSpec& spec = entry(column.id)->spec;
        return spec != spec.inNetwork();
    });
    for (ColumnSpec& column : own)
        column.network.clear();
    return own;
}

std::vector<ColumnSpec> BackendList::allColumns() const
{
    const QStringList names = networks();
    std::vector<ColumnSpec> columns;
    for (const Entry& entry : m_entries) {
        const bool isTwice = entry.spec != entry.spec.inNetwork()
                             && std::ranges::find(columns, toQt(entry.spec.canonical()), &ColumnSpec::spec)
                                    != columns.end();
        if (!entry.checked || isTwice)
            continue;
        std::vector<AttentionSpec> others;
        for (const Entry& other : m_entries)
            if (other.checked && other.spec.backend() == entry.spec.backend() && other.spec != entry.spec
                && other.spec.checkpoint() == entry.spec.checkpoint())
                others.push_back(other.spec);
        const QString backend = toQt(entry.spec.backend()), own = look(entry.id);
        columns.push_back({entry.id, toQt(entry.spec.canonical()), backend, additionOf(entry.spec, others),
                           entry.id == m_reference, others.empty() && own == backend ? QString() : own});
        const auto network = size_t(networkOf(entry.spec));
        if (names.size() > 1)
            columns.back().network = names[qsizetype(network) - 1];
        if (network > 1)
            columns.back().checkpoint = m_further[network - 2];
    }
    return columns;
}

QString BackendList::look(int id) const
{
    QStringList specs;
    qsizetype place = 0;
    for (const Entry& entry : m_entries) {
        if (entry.id == id)
            place = specs.size();
        specs << toQt(entry.spec.canonical());
    }
    return looksOfSpecs(specs).value(place);
}

QStringList BackendList::checkedSpecs() const
{
    return specsOf(columns());
}

QStringList BackendList::allSpecs() const
{
    return specsOf(allColumns());
}

std::vector<Preset> presets()
{
    Preset dropIn{BackendList::tr("Without training"), {toQt(referenceBackend)}};
    std::vector<Preset> list{{BackendList::tr("Paper, N = 196"), {}},
                             {BackendList::tr("Paper, N = 784"), {}},
                             {BackendList::tr("All backends, defaults"), {}}};
    for (const BackendInfo& info : backends()) {
        for (size_t i = 0; i < info.paperSettings.size(); ++i)
            if (!info.paperSettings[i].empty())
                list[i].specs << toQt(info.paperSettings[i]);
        if (!info.needsReduction)
            list.back().specs << toQt(info.name);
        if (!info.dropIn.empty())
            dropIn.specs << toQt(info.dropIn);
    }
    list.insert(list.begin(), std::move(dropIn));
    return list;
}

}
