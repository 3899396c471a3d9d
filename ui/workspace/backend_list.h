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
    /// The type that its network computes in; empty: the run's.
    void setDtype(int id, const QString& dtype);
    /// Which network it is in, from 1 on.
    void setNetwork(int id, int network);
    void setReference(int id);
    QString setSpec(int id, const QString& text) override;
    /// Ticks the entry with this specification, or adds one; `native` stands for no entry.
    void tick(const AttentionSpec& spec);
    /// Exactly these of the first network, ticked, in the registry's order; the first is the reference when no reference is among them. Those of
    /// further networks are added to the ones that are there.
    void setSpecs(const std::vector<AttentionSpec>& specs);

    /// Short names of the networks that entries can be in, the first one's first; those of one name with their folder.
    QStringList networks() const;
    /// Their files, or "untrained".
    QStringList weights() const;
    /// Which of them, from 1 on.
    static int networkOf(const AttentionSpec& spec);
    /// `weights` is a file, or "untrained".
    void setFirstNetwork(const QString& weights);
    /// Those behind the first: `;checkpoint=2` is in the front one.
    const std::vector<FurtherCheckpoint>& furtherCheckpoints() const { return m_further; }
    void setFurtherCheckpoints(std::vector<FurtherCheckpoint> checkpoints);
    /// Another network, with a ticked entry for `native`, its own attention.
    void addCheckpoint(const FurtherCheckpoint& checkpoint, const AttentionSpec& native);
    /// And the entries in it; `network` counts from 1 on and is not the first.
    void removeCheckpoint(int network);

    /// All of it, to go back to.
    struct State {
        std::vector<Entry> entries;
        int reference = 0;
        std::vector<FurtherCheckpoint> further = {};
        bool operator==(const State&) const = default;
    };
    State state() const { return {m_entries, m_reference, m_further}; }
    void restore(const State& state);

    /// The ticked entries in all networks as columns, and their specifications. Several of one backend differ in look and are named by the
    /// options that differ.
    std::vector<ColumnSpec> allColumns() const;
    QStringList allSpecs() const;
    /// Those that run in the first network as the run says, for what knows one network alone.
    std::vector<ColumnSpec> columns() const;
    QStringList checkedSpecs() const;
    /// An entry keeps it, ticked or not.
    QString look(int id) const override;

protected:
    QString refusal(const AttentionSpec& spec) const override;
    void changed(bool layout) override;

private:
    int m_reference = 0;
    QString m_firstWeights;
    std::vector<FurtherCheckpoint> m_further;
};

struct Preset {
    QString title;
    QStringList specs;
};

/// Drop-in forms for weights trained with softmax, settings of the LARA paper, and everything that is registered (reference: LARA paper, appendix G).
std::vector<Preset> presets();

}
