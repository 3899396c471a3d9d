// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/compare_types.h"

#include "core/attention/attention_spec.h"

#include <QAbstractListModel>

#include <vector>

namespace attnscope::ui {

/// What the Backends dock holds: entries of the registry with their options, which of them take part and which is the
/// reference. Starts with one entry per registered backend, so that a new backend needs no code here.
class BackendList : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole + 1, SpecRole, CheckedRole, ReferenceRole, BackendRole, LookRole };

    struct Entry {
        int id = 0;
        AttentionSpec spec;
        bool checked = false;
        bool operator==(const Entry&) const = default;
    };

    explicit BackendList(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    [[nodiscard]] const Entry* entry(int id) const;
    [[nodiscard]] int reference() const { return m_reference; }

    void setChecked(int id, bool checked);
    /// Takes a specification as text; returns the error sentence (which names the alternatives), or nothing.
    QString setSpec(int id, const QString& text);
    /// The same for one option. A value out of range is an error sentence too.
    QString setOption(int id, const QString& option, const OptionValue& value);
    /// What the network does with its tokens when it runs with this attention.
    void setTokens(int id, const TokenSpec& tokens);
    void setWeights(int id, WeightStorage weights);
    /// Leaves an option to its default: a seed to the run's.
    void clearOption(int id, const QString& option);
    void setReference(int id);
    /// A second entry of the same backend, ticked, behind the first. Returns its id.
    int add(const AttentionSpec& spec);
    /// Ticks the entry with this specification, or adds one; `native` stands for no entry.
    void tick(const AttentionSpec& spec);
    void remove(int id);
    /// Exactly these, ticked, in the registry's order; the first is the reference when no reference is among them.
    void setSpecs(const std::vector<AttentionSpec>& specs);

    /// All of it, to go back to.
    struct State {
        std::vector<Entry> entries;
        int reference = 0;
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] State state() const { return {m_entries, m_reference}; }
    void restore(const State& state);

    /// The ticked entries as columns, and their specifications. Several of one backend differ in look and are named by the options that
    /// differ.
    [[nodiscard]] std::vector<ColumnSpec> columns() const;
    /// Of an entry's mark and colour: it keeps it, ticked or not.
    [[nodiscard]] QString look(int id) const;
    [[nodiscard]] QStringList checkedSpecs() const;

signals:
    /// Rows came, went or changed places: forms are to be built anew.
    void layoutOfEntriesChanged();
    /// Any change of what takes part or how.
    void selectionChanged();

private:
    void ensureReference();
    Entry* find(int id);
    void entryChanged(int id);

    std::vector<Entry> m_entries;
    int m_reference = 0;
    int m_nextId = 1;
};

struct Preset {
    QString title;
    QStringList specs;
};

/// The same with an option at its default.
AttentionSpec withoutOption(const AttentionSpec& spec, const QString& option);

/// Drop-in forms for weights trained with softmax, settings of the LARA paper, and everything that is registered (reference: LARA paper, appendix G).
std::vector<Preset> presets();

}  // namespace attnscope::ui
