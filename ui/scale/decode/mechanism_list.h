// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/decode/stream_spec.h"

#include <QObject>
#include <QString>

#include <vector>

namespace attnscope::ui {

/// "rfa · gate=0.99, gate_form=sum" of a canonical specification.
QString mechanismTitle(const std::string& mechanism);

/// The causal mechanisms that could be measured, and which of them are. Starts with those that the command line measures. The cache is
/// not among them: it always is.
class MechanismList : public QObject {
    Q_OBJECT
public:
    struct Entry {
        int id = 0;
        StreamSpec spec;
        bool checked = true;
    };

    explicit MechanismList(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    /// Null if there is none.
    [[nodiscard]] const Entry* entry(int id) const;
    [[nodiscard]] std::vector<StreamSpec> checked() const;
    /// Of an entry's mark and colour: those that it has in the charts, while it is measured.
    [[nodiscard]] QString look(int id) const;

    void setChecked(int id, bool checked);
    /// Takes a specification as text; returns the error sentence (which names the alternatives), or nothing.
    QString setSpec(int id, const QString& text);
    QString setOption(int id, const QString& option, const OptionValue& value);
    /// Leaves an option to its default: a seed to the run's.
    void clearOption(int id, const QString& option);
    /// A second entry of the same mechanism behind the first. Returns its id.
    int duplicate(int id);
    void remove(int id);

signals:
    /// Rows came or went.
    void entriesChanged();
    /// Any change of what is measured.
    void selectionChanged();

private:
    template <typename Change>
    QString change(int id, const Change& changed);

    std::vector<Entry> m_entries;
    int m_nextId = 1;
};

}  // namespace attnscope::ui
