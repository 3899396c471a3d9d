#pragma once

#include "core/attention/option.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace attnscope::ui {

/// The controls of a specification, built from its options: one widget a type. Integer: spin box, Real: decimal spin box, Choice: combo
/// box, Flag: check box; an option without a default starts as "run's".
class OptionForm : public QWidget {
    Q_OBJECT
public:
    enum class Part { Main, Advanced };
    OptionForm(const OptionValues& spec, Part part, QWidget* parent = nullptr);

    /// The values of other options of the same name.
    void setSpec(const OptionValues& spec);
    /// The control of an option, by name; for tests.
    QWidget* control(const QString& option) const;
    int rows() const { return int(m_rows.size()); }

signals:
    /// No value: back to what the run says.
    void changed(const QString& option, const std::optional<attnscope::OptionValue>& value);

private:
    struct Row {
        std::string option;
        QWidget* control;
        std::function<void(const std::optional<OptionValue>&)> show;  ///< nothing: what the run says
    };

    void addRow(const OptionInfo& option, QWidget* control);
    QWidget* makeControl(const OptionInfo& option);
    QWidget* makeInteger(const OptionInfo& option);
    QWidget* makeReal(const OptionInfo& option);
    QWidget* makeChoice(const OptionInfo& option);

    QString m_backend;
    QVBoxLayout* m_layout;
    std::vector<Row> m_rows;
};

/// The field of a specification as text, the line below it for what is wrong there, and the text in the field, from its beginning.
QLineEdit* makeSpecField(const QString& name, QWidget* parent);
QLabel* makeProblemLine(QWidget* parent);
void showSpec(QLineEdit& field, const QString& spec);

}
