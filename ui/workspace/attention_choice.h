#pragma once

#include "core/attention/option.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace attnscope::ui {

class LinkButton;
class OptionForm;

/// One attention to choose: its name, its options as the registry has them, and the specification as text.
class AttentionChoice : public QWidget {
    Q_OBJECT
public:
    explicit AttentionChoice(QWidget* parent = nullptr);

    /// Canonical; what is typed wrongly is `problem`, and `spec` stays the last right one.
    QString spec() const { return m_spec; }
    QString problem() const;
    void setSpec(const QString& text);
    QComboBox* names() const { return m_names; }
    QLineEdit* text() const { return m_text; }
    OptionForm* options() const { return m_main; }

signals:
    void changed();

private:
    void take(const QString& text);
    void rebuild();
    void setOption(const QString& option, const std::optional<OptionValue>& value);

    QString m_spec, m_backend;
    QVBoxLayout* m_column;
    QComboBox* m_names;
    QLineEdit* m_text;
    QLabel* m_problem;
    OptionForm* m_main = nullptr;
    OptionForm* m_advanced = nullptr;
    LinkButton* m_more;
};

}
