#pragma once

#include "ui/style/qt_text.h"

#include "core/attention/option.h"
#include "core/base/error.h"

#include <QObject>

#include <algorithm>

namespace attnscope::ui {

/// Specifications with boxes to tick, as the rows of a panel show and change them.
class SpecListBase : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual std::vector<int> ids() const = 0;
    /// Null if there is none of that id.
    virtual const OptionValues* values(int id) const = 0;
    virtual bool isChecked(int id) const = 0;
    /// Of an entry's mark and colour.
    virtual QString look(int id) const = 0;

    virtual void setChecked(int id, bool checked) = 0;
    /// Takes a specification as text; returns the error sentence (which names the alternatives), or nothing.
    virtual QString setSpec(int id, const QString& text) = 0;
    /// The same for one option; without a value it is left to its default, a seed to the run's.
    virtual QString setOption(int id, const QString& option, const std::optional<OptionValue>& value) = 0;
    /// Another entry like this one, ticked, behind the last of its name. Returns its id.
    virtual int duplicate(int id) = 0;
    /// Not the last one.
    virtual void remove(int id) = 0;

signals:
    /// Rows came, went or changed places: forms are to be built anew.
    void layoutOfEntriesChanged();
    /// Any change of what takes part or how.
    void selectionChanged();
};

template <typename Spec>
class SpecList : public SpecListBase {
public:
    struct Entry {
        int id = 0;
        Spec spec;
        bool checked = false;
        bool operator==(const Entry&) const = default;
    };

    using SpecListBase::SpecListBase;

    const std::vector<Entry>& entries() const { return m_entries; }
    /// Null if there is none of that id.
    const Entry* entry(int id) const
    {
        const auto found = std::ranges::find(m_entries, id, &Entry::id);
        return found == m_entries.end() ? nullptr : &*found;
    }
    std::vector<Spec> checked() const
    {
        std::vector<Spec> specs;
        for (const Entry& each : m_entries)
            if (each.checked)
                specs.push_back(each.spec);
        return specs;
    }
    /// Adds it, ticked, behind the last of its name. Returns its id.
    int add(const Spec& spec)
    {
        const auto last = std::ranges::find(m_entries.rbegin(), m_entries.rend(), spec.name(),
                                            [](const Entry& each) { return each.spec.name(); });
        m_entries.insert(last == m_entries.rend() ? m_entries.end() : last.base(), {m_nextId, spec, true});
        changed(true);
        return m_nextId++;
    }

    std::vector<int> ids() const override
    {
        std::vector<int> all;
        for (const Entry& each : m_entries)
            all.push_back(each.id);
        return all;
    }
    const OptionValues* values(int id) const override { return entry(id) ? &entry(id)->spec : nullptr; }
    bool isChecked(int id) const override { return entry(id) && entry(id)->checked; }
    void setChecked(int id, bool checked) override
    {
        Entry* each = find(id);
        if (each == nullptr || each->checked == checked)
            return;
        each->checked = checked;
        changed(false);
    }
    QString setSpec(int id, const QString& text) override
    {
        return change(id, [&](const Spec&) { return Spec::parse(fromQt(text)); });
    }
    QString setOption(int id, const QString& option, const std::optional<OptionValue>& value) override
    {
        return change(id, [&](const Spec& spec) { return spec.with(fromQt(option), value); });
    }
    int duplicate(int id) override { return add(Spec(entry(id)->spec)); }
    void remove(int id) override
    {
        if (m_entries.size() < 2)
            return;
        std::erase_if(m_entries, [id](const Entry& each) { return each.id == id; });
        changed(true);
    }

protected:
    /// Why a specification cannot be in the list; empty if it can.
    virtual QString refusal(const Spec& spec) const = 0;
    virtual void changed(bool layout)
    {
        if (layout)
            emit layoutOfEntriesChanged();
        emit selectionChanged();
    }
    Entry* find(int id) { return const_cast<Entry*>(entry(id)); }
    /// What `edited` throws is the sentence.
    template <typename Edit>
    QString change(int id, const Edit& edited)
    {
        Entry* each = find(id);
        if (each == nullptr)
            return {};
        try {
            const Spec spec = edited(each->spec);
            if (const QString why = refusal(spec); !why.isEmpty() || spec == each->spec)
                return why;
            const bool layout = spec.name() != each->spec.name();
            each->spec = spec;
            changed(layout);
        } catch (const Error& error) {
            return toQt(error.reason());
        }
        return {};
    }

    std::vector<Entry> m_entries;
    int m_nextId = 1;
};

}
