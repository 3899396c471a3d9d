#include "ui/workspace/backend_list.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/attention/plugin/plugin.h"

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
        return others.empty() ? QString() : toQt(spec.canonical());
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
    parts.removeAll(QString());
    return parts.join(u", "_s);
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

void BackendList::setTokens(int id, const TokenSpec& tokens)
{
    change(id, [&](const AttentionSpec& spec) { return spec.withTokens(tokens); });
}

void BackendList::setWeights(int id, WeightStorage weights)
{
    change(id, [&](const AttentionSpec& spec) { return spec.withWeights(weights); });
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
            if (spec.backend() == info->name)
                keep(spec);
        if (next.size() > before)
            continue;
        const auto old = std::ranges::find(m_entries, info->name, [](const Entry& e) { return e.spec.backend(); });
        next.push_back(old == m_entries.end() ? Entry{m_nextId++, AttentionSpec::parse(info->name)}
                                              : Entry{old->id, old->spec});
    }
    for (const AttentionSpec& spec : specs)
        if (spec.isMixed())
            keep(spec);
    m_entries = std::move(next);
    changed(true);
}

void BackendList::restore(const State& state)
{
    m_entries = state.entries;
    m_reference = state.reference;
    changed(true);
}

std::vector<ColumnSpec> BackendList::columns() const
{
    std::vector<ColumnSpec> columns;
    for (const Entry& entry : m_entries) {
        if (!entry.checked)
            continue;
        std::vector<AttentionSpec> others;
        for (const Entry& other : m_entries)
            if (other.checked && other.spec.backend() == entry.spec.backend() && other.spec != entry.spec)
                others.push_back(other.spec);
        const QString backend = toQt(entry.spec.backend()), own = look(entry.id);
        columns.push_back({entry.id, toQt(entry.spec.canonical()), backend, additionOf(entry.spec, others),
                           entry.id == m_reference, others.empty() && own == backend ? QString() : own});
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
    QStringList specs;
    for (const AttentionSpec& spec : checked())
        specs << toQt(spec.canonical());
    return specs;
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
