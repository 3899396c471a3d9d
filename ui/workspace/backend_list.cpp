// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/backend_list.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/attention/plugin/plugin.h"
#include "core/base/error.h"

#include <algorithm>

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
    const QString given = QLatin1Char(',') + toQt(spec.alone().canonical()).section(QLatin1Char(':'), 1);
    if (!option.defaultValue && !given.contains(QLatin1Char(',') + toQt(option.name) + QLatin1Char('=')))
        return name + BackendList::tr("same as run");
    switch (option.type) {
    case OptionType::Integer: return name + toQt(toText(spec.integer(option.name)));
    case OptionType::Real: return name + toQt(toText(spec.real(option.name)));
    case OptionType::Choice: return name + toQt(spec.choice(option.name));
    case OptionType::Flag: return name + (spec.flag(option.name) ? BackendList::tr("on") : BackendList::tr("off"));
    }
    return {};
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
                return optionText(other, option) != optionText(spec, option);
            }))
            parts << optionText(spec, option);
    if (!spec.tokens().isNone())
        parts << toQt(spec.tokens().canonical());
    if (spec.weights() != WeightStorage::Own)
        parts << BackendList::tr("%1 weights").arg(toQt(toText(spec.weights())));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
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

}  // namespace

BackendList::BackendList(QObject* parent) : QAbstractListModel(parent)
{
    for (const BackendInfo* info : backendsAsListed())
        m_entries.push_back({m_nextId++, AttentionSpec::parse(info->name), info->proposed != Proposed::No});
    ensureReference();
}

int BackendList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant BackendList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case SpecRole: return toQt(entry.spec.canonical());
    case BackendRole: return toQt(entry.spec.backend());
    case Qt::CheckStateRole: return entry.checked ? Qt::Checked : Qt::Unchecked;
    case CheckedRole: return entry.checked;
    case ReferenceRole: return entry.id == m_reference;
    case IdRole: return entry.id;
    case LookRole: return look(entry.id);
    default: return {};
    }
}

const BackendList::Entry* BackendList::entry(int id) const { return const_cast<BackendList*>(this)->find(id); }

BackendList::Entry* BackendList::find(int id)
{
    const auto found = std::ranges::find_if(m_entries, [id](const Entry& e) { return e.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

void BackendList::entryChanged(int id)
{
    for (int row = 0; row < rowCount(); ++row)
        if (m_entries[static_cast<std::size_t>(row)].id == id)
            emit dataChanged(index(row), index(row));
    emit selectionChanged();
}

void BackendList::ensureReference()
{
    const Entry* now = find(m_reference);
    if (now != nullptr && now->checked)
        return;
    const auto better = [](const Entry& e) { return e.checked && e.spec.backend() == referenceBackend && e.spec == e.spec.alone(); };
    auto found = std::ranges::find_if(m_entries, better);
    if (found == m_entries.end())
        found = std::ranges::find_if(m_entries, [](const Entry& e) { return e.checked; });
    m_reference = found == m_entries.end() ? 0 : found->id;
}

void BackendList::setChecked(int id, bool checked)
{
    Entry* entry = find(id);
    if (entry == nullptr || entry->checked == checked)
        return;
    entry->checked = checked;
    const int before = m_reference;
    ensureReference();
    for (int row = 0; row < rowCount(); ++row)
        if (const int each = m_entries[static_cast<std::size_t>(row)].id; m_reference != before && each != id && (each == before || each == m_reference))
            emit dataChanged(index(row), index(row));
    entryChanged(id);
}

QString BackendList::setSpec(int id, const QString& text)
{
    Entry* entry = find(id);
    if (entry == nullptr)
        return {};
    try {
        const AttentionSpec spec = AttentionSpec::parse(fromQt(text));
        if (spec.isNative())
            return tr("native means the model's own attention; specify that attention by name here");
        if (spec == entry->spec)
            return {};
        const bool sameBackend = spec.backend() == entry->spec.backend();
        entry->spec = spec;
        entryChanged(id);
        if (!sameBackend)
            emit layoutOfEntriesChanged();
    } catch (const Error& error) {
        return toQt(error.reason());
    }
    return {};
}

QString BackendList::setOption(int id, const QString& option, const OptionValue& value)
{
    Entry* entry = find(id);
    if (entry == nullptr)
        return {};
    try {
        const AttentionSpec spec = entry->spec.with(fromQt(option), value);
        if (spec == entry->spec)
            return {};
        entry->spec = spec;
        entryChanged(id);
    } catch (const Error& error) {
        return toQt(error.reason());
    }
    return {};
}

void BackendList::setTokens(int id, const TokenSpec& tokens)
{
    Entry* entry = find(id);
    if (entry == nullptr || entry->spec.tokens() == tokens)
        return;
    entry->spec = entry->spec.withTokens(tokens);
    entryChanged(id);
}

void BackendList::setWeights(int id, WeightStorage weights)
{
    Entry* entry = find(id);
    if (entry == nullptr || entry->spec.weights() == weights)
        return;
    entry->spec = entry->spec.withWeights(weights);
    entryChanged(id);
}

void BackendList::clearOption(int id, const QString& option)
{
    Entry* entry = find(id);
    if (entry == nullptr || withoutOption(entry->spec, option) == entry->spec)
        return;
    entry->spec = withoutOption(entry->spec, option);
    entryChanged(id);
}

void BackendList::setReference(int id)
{
    Entry* entry = find(id);
    if (entry == nullptr || m_reference == id)
        return;
    entry->checked = true;
    m_reference = id;
    if (rowCount() > 0)
        emit dataChanged(index(0), index(rowCount() - 1));
    emit selectionChanged();
}

int BackendList::add(const AttentionSpec& spec)
{
    auto place = m_entries.end();
    for (auto it = m_entries.begin(); it != m_entries.end(); ++it)
        if (it->spec.backend() == spec.backend())
            place = it + 1;
    const int row = static_cast<int>(place - m_entries.begin());
    beginInsertRows({}, row, row);
    m_entries.insert(place, {m_nextId, spec, true});
    endInsertRows();
    emit layoutOfEntriesChanged();
    emit selectionChanged();
    return m_nextId++;
}

void BackendList::remove(int id)
{
    for (int row = 0; row < rowCount(); ++row) {
        if (m_entries[static_cast<std::size_t>(row)].id != id)
            continue;
        beginRemoveRows({}, row, row);
        m_entries.erase(m_entries.begin() + row);
        endRemoveRows();
        ensureReference();
        if (rowCount() > 0)  // looks and the reference pass on
            emit dataChanged(index(0), index(rowCount() - 1));
        emit layoutOfEntriesChanged();
        emit selectionChanged();
        return;
    }
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
    beginResetModel();
    std::vector<Entry> next;
    for (const BackendInfo* info : backendsAsListed()) {
        const std::size_t before = next.size();
        for (const AttentionSpec& spec : specs) {
            if (spec.backend() != info->name)
                continue;
            // An entry that already has this specification keeps its id, and with it its results.
            const auto same = std::ranges::find_if(m_entries, [&](const Entry& e) { return e.spec == spec; });
            next.push_back({same == m_entries.end() ? m_nextId++ : same->id, spec, true});
        }
        if (next.size() == before) {
            const auto old = std::ranges::find_if(m_entries,
                                                  [&](const Entry& e) { return e.spec.backend() == info->name; });
            next.push_back({old == m_entries.end() ? m_nextId++ : old->id,
                            old == m_entries.end() ? AttentionSpec::parse(info->name) : old->spec, false});
        }
    }
    for (const AttentionSpec& spec : specs) {
        if (!spec.isMixed())
            continue;
        const auto same = std::ranges::find_if(m_entries, [&](const Entry& e) { return e.spec == spec; });
        next.push_back({same == m_entries.end() ? m_nextId++ : same->id, spec, true});
    }
    m_entries = std::move(next);
    ensureReference();
    endResetModel();
    emit layoutOfEntriesChanged();
    emit selectionChanged();
}

void BackendList::restore(const State& state)
{
    beginResetModel();
    m_entries = state.entries;
    m_reference = state.reference;
    endResetModel();
    emit layoutOfEntriesChanged();
    emit selectionChanged();
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
        columns.push_back({entry.id, toQt(entry.spec.canonical()), backend, additionOf(entry.spec, others), entry.id == m_reference,
                           others.empty() && own == backend ? QString() : own});
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
    for (const Entry& entry : m_entries)
        if (entry.checked)
            specs << toQt(entry.spec.canonical());
    return specs;
}

AttentionSpec withoutOption(const AttentionSpec& spec, const QString& option)
{
    const QString text = toQt(spec.alone().canonical());
    QStringList kept;
    for (const QString& part : text.section(QLatin1Char(':'), 1).split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (part.section(QLatin1Char('='), 0, 0) != option)
            kept << part;
    const QString name = text.section(QLatin1Char(':'), 0, 0);
    return AttentionSpec::parse(fromQt(kept.isEmpty() ? name : name + QLatin1Char(':') + kept.join(QLatin1Char(',')))).withTokens(spec.tokens()).withWeights(spec.weights());
}

std::vector<Preset> presets()
{
    Preset dropIn{BackendList::tr("Without training"), {toQt(referenceBackend)}};
    std::vector<Preset> list{{BackendList::tr("Paper, N = 196"), {}},
                             {BackendList::tr("Paper, N = 784"), {}},
                             {BackendList::tr("All backends, defaults"), {}}};
    for (const BackendInfo& info : backends()) {
        for (std::size_t i = 0; i < info.paperSettings.size(); ++i)
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

}  // namespace attnscope::ui
