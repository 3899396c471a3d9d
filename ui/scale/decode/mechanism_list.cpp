// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/decode/mechanism_list.h"

#include "ui/style/qt_text.h"

#include "core/base/error.h"
#include "core/lab/decode/decode_output.h"

#include <QStringList>

#include <algorithm>

namespace attnscope::ui {

QString mechanismTitle(const std::string& mechanism)
{
    const QString text = toQt(mechanism), options = text.section(QLatin1Char(':'), 1);
    const QString name = text.section(QLatin1Char(':'), 0, 0);
    return options.isEmpty() ? name
                             : name + QStringLiteral(" · ") + QString(options).replace(QLatin1Char(','), QStringLiteral(", "));
}

MechanismList::MechanismList(QObject* parent)
    : QObject(parent)
{
    for (const StreamSpec& spec : usualMechanisms())
        if (spec.kind() != StreamKind::Cache)
            m_entries.push_back({m_nextId++, spec});
}

const MechanismList::Entry* MechanismList::entry(int id) const
{
    const auto found = std::ranges::find_if(m_entries, [id](const Entry& each) { return each.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

std::vector<StreamSpec> MechanismList::checked() const
{
    std::vector<StreamSpec> specs;
    for (const Entry& each : m_entries)
        if (each.checked)
            specs.push_back(each.spec);
    return specs;
}

QString MechanismList::look(int id) const
{
    std::vector<std::string> mechanisms{streamInfos().front().name};
    std::size_t place = 0;
    for (const Entry& each : m_entries) {
        if (each.id == id)
            place = mechanisms.size();
        if (each.checked || each.id == id)
            mechanisms.push_back(each.spec.canonical());
    }
    return toQt(looksOfMechanisms(mechanisms)[place]);
}

void MechanismList::setChecked(int id, bool checked)
{
    for (Entry& each : m_entries)
        if (each.id == id && each.checked != checked) {
            each.checked = checked;
            emit selectionChanged();
        }
}

/// What `changed` throws is the sentence.
template <typename Change>
QString MechanismList::change(int id, const Change& changed)
{
    for (Entry& each : m_entries) {
        if (each.id != id)
            continue;
        try {
            const StreamSpec spec = changed(each.spec);
            if (spec.kind() == StreamKind::Cache)
                throw UsageError(spec.canonical(), "the cache is measured in any case", "name another mechanism");
            if (spec == each.spec)
                return {};
            const bool sameKind = spec.kind() == each.spec.kind();
            each.spec = spec;
            if (!sameKind)
                emit entriesChanged();
        } catch (const Error& error) {
            return toQt(error.what());
        }
        emit selectionChanged();
    }
    return {};
}

QString MechanismList::setSpec(int id, const QString& text)
{
    return change(id, [&](const StreamSpec&) { return StreamSpec::parse(fromQt(text)); });
}

QString MechanismList::setOption(int id, const QString& option, const OptionValue& value)
{
    return change(id, [&](const StreamSpec& spec) { return spec.with(fromQt(option), value); });
}

void MechanismList::clearOption(int id, const QString& option)
{
    const QString problem = change(id, [&](const StreamSpec& spec) {
        const QString text = toQt(spec.canonical());
        QStringList kept;
        for (const QString& part : text.section(QLatin1Char(':'), 1).split(QLatin1Char(','), Qt::SkipEmptyParts))
            if (part.section(QLatin1Char('='), 0, 0) != option)
                kept << part;
        return StreamSpec::parse(spec.info().name + (kept.isEmpty() ? "" : ":" + fromQt(kept.join(QLatin1Char(',')))));
    });
    Q_ASSERT(problem.isEmpty());
}

int MechanismList::duplicate(int id)
{
    const auto found = std::ranges::find_if(m_entries, [id](const Entry& each) { return each.id == id; });
    const int added = m_nextId++;
    m_entries.insert(found + 1, {added, found->spec});
    emit entriesChanged();
    emit selectionChanged();
    return added;
}

void MechanismList::remove(int id)
{
    if (m_entries.size() < 2)
        return;
    std::erase_if(m_entries, [id](const Entry& each) { return each.id == id; });
    emit entriesChanged();
    emit selectionChanged();
}

}  // namespace attnscope::ui
