// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/backend_list.h"

#include "ui/data/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

QString samplesText(const AttentionSpec& spec)
{
    const BackendInfo* info = findBackend(spec.backend());
    if (info == nullptr)
        return {};
    for (const OptionInfo& option : info->options)
        if (option.name == "samples")
            return QString::number(spec.integer("samples"));
    return {};
}

/// What is ticked at the very first start: the reference, the classic and the paper's own.
bool tickedAtFirst(const std::string& backend) { return backend == "softmax" || backend == "performer" || backend == "lara"; }

}  // namespace

BackendList::BackendList(QObject* parent) : QAbstractListModel(parent)
{
    for (const BackendInfo& info : backends())
        m_entries.push_back({m_nextId++, AttentionSpec::parse(info.name), tickedAtFirst(info.name)});
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
    default: return {};
    }
}

const BackendList::Entry* BackendList::entry(int id) const { return const_cast<BackendList*>(this)->find(id); }

BackendList::Entry* BackendList::find(int id)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [id](const Entry& e) { return e.id == id; });
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
    const auto better = [](const Entry& e) { return e.checked && e.spec.backend() == "softmax"; };
    auto found = std::find_if(m_entries.begin(), m_entries.end(), better);
    if (found == m_entries.end())
        found = std::find_if(m_entries.begin(), m_entries.end(), [](const Entry& e) { return e.checked; });
    m_reference = found == m_entries.end() ? 0 : found->id;
}

void BackendList::setChecked(int id, bool checked)
{
    Entry* entry = find(id);
    if (entry == nullptr || entry->checked == checked)
        return;
    entry->checked = checked;
    ensureReference();
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
            return tr("native stands for the model's own attention; name that attention here");
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
        emit layoutOfEntriesChanged();
        emit selectionChanged();
        return;
    }
}

void BackendList::setSpecs(const std::vector<AttentionSpec>& specs)
{
    beginResetModel();
    std::vector<Entry> next;
    for (const BackendInfo& info : backends()) {
        const std::size_t before = next.size();
        for (const AttentionSpec& spec : specs) {
            if (spec.backend() != info.name)
                continue;
            // An entry that already has this specification keeps its id, and with it its results.
            const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.spec == spec; });
            next.push_back({same == m_entries.end() ? m_nextId++ : same->id, spec, true});
        }
        if (next.size() == before) {
            const auto old = std::find_if(m_entries.begin(), m_entries.end(),
                                          [&](const Entry& e) { return e.spec.backend() == info.name; });
            next.push_back({old == m_entries.end() ? m_nextId++ : old->id,
                            old == m_entries.end() ? AttentionSpec::parse(info.name) : old->spec, false});
        }
    }
    for (const AttentionSpec& spec : specs) {
        if (!spec.isMixed())
            continue;
        const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.spec == spec; });
        next.push_back({same == m_entries.end() ? m_nextId++ : same->id, spec, true});
    }
    m_entries = next;
    ensureReference();
    endResetModel();
    emit layoutOfEntriesChanged();
    emit selectionChanged();
}

std::vector<ColumnSpec> BackendList::columns() const
{
    std::vector<ColumnSpec> columns;
    for (const Entry& entry : m_entries)
        if (entry.checked)
            columns.push_back({entry.id, toQt(entry.spec.canonical()), toQt(entry.spec.backend()), samplesText(entry.spec),
                               entry.id == m_reference});
    return columns;
}

QStringList BackendList::checkedSpecs() const
{
    QStringList specs;
    for (const Entry& entry : m_entries)
        if (entry.checked)
            specs << toQt(entry.spec.canonical());
    return specs;
}

std::vector<Preset> presets()
{
    Preset all{BackendList::tr("All backends, defaults"), {}};
    for (const BackendInfo& info : backends())
        if (!info.needsReduction)
            all.specs << toQt(info.name);
    // DeiT recipe of the LARA paper: 49 landmarks, mixed proposals, decoupled weights, β = 2, for 196 and 784 tokens alike;
    // Performer is given as many features.
    const QString lara = QStringLiteral("lara:samples=49,proposal=mixed,weights=decoupled,beta=2");
    return {{BackendList::tr("Paper, N = 196"), {QStringLiteral("softmax"), QStringLiteral("performer:samples=49"), lara}},
            {BackendList::tr("Paper, N = 784"),
             {QStringLiteral("softmax"), QStringLiteral("performer:samples=49"), QStringLiteral("ra:mode=biased,noise=none"), lara}},
            all};
}

}  // namespace attnscope::ui
