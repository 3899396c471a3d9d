#pragma once

#include <QPalette>
#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace attnscope::ui {

class IconButton;

/// A row of a form: label, field, and below the field a hint and what is wrong with it.
class FieldRow : public QWidget {
    Q_OBJECT
public:
    /// `help` is the tooltip of label and field, and what a screen reader adds.
    FieldRow(const QString& label, QWidget* field, const QString& help, QWidget* parent = nullptr);

    QWidget* field() const { return m_field; }
    void setHint(const QString& hint) { setLine(m_hint, hint, QPalette::PlaceholderText); }
    void setProblem(const QString& sentence) { setLine(m_problem, sentence, QPalette::BrightText); }
    QString problem() const;
    static constexpr int labelWidth = 88;

private:
    void setLine(QLabel*& line, const QString& text, QPalette::ColorRole role);

    QWidget* m_field;
    QVBoxLayout* m_column;
    QLabel* m_hint = nullptr;
    QLabel* m_problem = nullptr;
};

/// A path to type, and a button that lets one choose it.
class PathField : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Folder, OpenFile, SaveFile };
    /// `name`: for screen readers and the title of the dialog. `filter`: as QFileDialog takes it.
    PathField(Kind kind, const QString& name, const QString& filter, QWidget* parent = nullptr);

    QString path() const;
    void setPath(const QString& path);
    QLineEdit* edit() const { return m_edit; }

signals:
    /// Typed to the end, chosen or set.
    void pathChanged(const QString& path);

private:
    void choose();
    void report();

    Kind m_kind;
    QString m_name, m_filter, m_told;
    QLineEdit* m_edit;
};

}
