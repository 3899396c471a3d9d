// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/option.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QVBoxLayout;

namespace attnscope::ui {

/// The controls of a specification, built from its options: one widget a type. Integer: spin box, Real: decimal spin box, Choice: combo
/// box, Flag: check box; an option without a default starts as "run's".
class OptionForm : public QWidget {
    Q_OBJECT
public:
    enum class Part { Main, Advanced };
    /// `info` has a name and options, `spec` their values: an attention or a causal mechanism.
    template <typename Info, typename Spec>
    OptionForm(const Info& info, const Spec& spec, Part part, QWidget* parent = nullptr)
        : OptionForm(info.name, info.options, part, parent)
    {
        setSpec(spec);
    }

    template <typename Spec>
    void setSpec(const Spec& spec)
    {
        for (const Row& row : m_rows)
            row.show(valueOf(spec, row.option));
    }
    /// The control of an option, by name; for tests.
    [[nodiscard]] QWidget* control(const QString& option) const;
    [[nodiscard]] int rows() const { return static_cast<int>(m_rows.size()); }

signals:
    void changed(const QString& option, const attnscope::OptionValue& value);
    /// Back to what the run says.
    void cleared(const QString& option);

private:
    struct Row {
        OptionInfo option;
        std::function<void(const std::optional<OptionValue>&)> show;  ///< nothing: what the run says
    };
    OptionForm(const std::string& name, const std::vector<OptionInfo>& options, Part part, QWidget* parent);

    template <typename Spec>
    static std::optional<OptionValue> valueOf(const Spec& spec, const OptionInfo& option)
    {
        if (!option.defaultValue && spec.canonical().find(option.name + "=") == std::string::npos)
            return std::nullopt;
        switch (option.type) {
        case OptionType::Integer:
            return spec.integer(option.name);
        case OptionType::Real:
            return spec.real(option.name);
        case OptionType::Choice:
            return spec.choice(option.name);
        case OptionType::Flag:
            break;
        }
        return spec.flag(option.name);
    }

    void addRow(const OptionInfo& option, QWidget* control);
    QWidget* makeControl(const OptionInfo& option);
    QWidget* makeInteger(const OptionInfo& option);
    QWidget* makeReal(const OptionInfo& option);
    QWidget* makeChoice(const OptionInfo& option);
    QWidget* makeFlag(const OptionInfo& option);

    QString m_backend;
    QVBoxLayout* m_layout;
    std::vector<Row> m_rows;
};

}  // namespace attnscope::ui

Q_DECLARE_METATYPE(attnscope::OptionValue)
