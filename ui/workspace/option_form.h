// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"

#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace attnscope::ui {

/// The controls of one backend, built from `BackendInfo::options`: one widget a type. Integer: spin box, Real: decimal spin box,
/// Choice: combo box, Flag: check box; an option without a default starts as "run's".
class OptionForm : public QWidget {
    Q_OBJECT
public:
    enum class Part { Main, Advanced };
    OptionForm(const BackendInfo& backend, const AttentionSpec& spec, Part part, QWidget* parent = nullptr);

    void setSpec(const AttentionSpec& spec);
    /// The control of an option, by name; for tests.
    [[nodiscard]] QWidget* control(const QString& option) const;
    [[nodiscard]] int rows() const { return static_cast<int>(m_setters.size()); }

signals:
    void changed(const QString& option, const attnscope::OptionValue& value);
    /// Back to what the run says.
    void cleared(const QString& option);

private:
    void addRow(const OptionInfo& option, QWidget* control);
    QWidget* makeControl(const OptionInfo& option);
    QWidget* makeInteger(const OptionInfo& option);
    QWidget* makeReal(const OptionInfo& option);
    QWidget* makeChoice(const OptionInfo& option);
    QWidget* makeFlag(const OptionInfo& option);

    QString m_backend;
    QVBoxLayout* m_layout;
    std::vector<std::function<void(const AttentionSpec&)>> m_setters;
};

}  // namespace attnscope::ui

Q_DECLARE_METATYPE(attnscope::OptionValue)
