#pragma once

#include "ui/engine/compare_types.h"
#include "ui/workspace/spec_list.h"

#include "core/attention/attention_spec.h"

namespace attnscope::ui {

/// What the Backends dock holds: entries of the registry with their options, which of them take part and which is the
/// reference. Starts with one entry per registered backend, so that a new backend needs no code here.
class BackendList : public SpecList<AttentionSpec> {
    Q_OBJECT
public:
    explicit BackendList(QObject* parent = nullptr);

    int reference() const { return m_reference; }
    /// What the network does with its tokens when it runs with this attention.
    void setTokens(int id, const TokenSpec& tokens);
    void setWeights(int id, WeightStorage weights);
    void setReference(int id);
    /// Ticks the entry with this specification, or adds one; `native` stands for no entry.
    void tick(const AttentionSpec& spec);
    /// Exactly these, ticked, in the registry's order; the first is the reference when no reference is among them.
    void setSpecs(const std::vector<AttentionSpec>& specs);

    /// All of it, to go back to.
    struct State {
        std::vector<Entry> entries;
        int reference = 0;
        bool operator==(const State&) const = default;
    };
    State state() const { return {m_entries, m_reference}; }
    void restore(const State& state);

    /// The ticked entries as columns, and their specifications. Several of one backend differ in look and are named by the options that
    /// differ.
    std::vector<ColumnSpec> columns() const;
    /// An entry keeps it, ticked or not.
    QString look(int id) const override;
    QStringList checkedSpecs() const;

protected:
    QString refusal(const AttentionSpec& spec) const override;
    void changed(bool layout) override;

private:
    int m_reference = 0;
};

struct Preset {
    QString title;
    QStringList specs;
};

/// Drop-in forms for weights trained with softmax, settings of the LARA paper, and everything that is registered (reference: LARA paper, appendix G).
std::vector<Preset> presets();

}
