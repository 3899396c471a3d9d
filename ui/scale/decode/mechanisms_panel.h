// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/decode/stream_spec.h"

#include <QFrame>

#include <map>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace attnscope::ui {

class IconButton;
class LinkButton;
class MarkCheckBox;
class MechanismList;
class OptionForm;

/// One mechanism: its box, and while it is the current one its options, its specification as text and the ways to have it twice.
class MechanismRow : public QWidget {
    Q_OBJECT
public:
    MechanismRow(MechanismList& list, int id, QWidget* parent = nullptr);

    void refresh();
    void setCurrent(bool current);

    [[nodiscard]] MarkCheckBox* tick() const { return m_tick; }
    [[nodiscard]] IconButton* opener() const { return m_opener; }
    [[nodiscard]] OptionForm* options() const { return m_main; }
    [[nodiscard]] QLineEdit* specField() const { return m_spec; }
    [[nodiscard]] QLabel* problem() const { return m_problem; }
    [[nodiscard]] LinkButton* duplicateLink() const { return m_duplicate; }
    [[nodiscard]] LinkButton* removeLink() const { return m_remove; }

signals:
    /// Its options are to be shown, or with 0 those of none.
    void opened(int id);
    void duplicateRequested(int id);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    void connectOptions();
    void showProblem(const QString& sentence);
    void arrange();

    MechanismList& m_list;
    int m_id;
    StreamKind m_kind;
    bool m_isCurrent = false;
    MarkCheckBox* m_tick;
    IconButton* m_opener;
    OptionForm* m_main;
    OptionForm* m_advanced;
    QLineEdit* m_spec;
    QLabel* m_problem;
    LinkButton* m_duplicate;
    LinkButton* m_remove;
};

/// Which causal mechanisms are measured, next to the figures of the Decode tab.
class MechanismsPanel : public QFrame {
    Q_OBJECT
public:
    explicit MechanismsPanel(MechanismList& list, QWidget* parent = nullptr);
    [[nodiscard]] MechanismRow* row(int id) const;

private:
    void rebuild();
    void refresh();
    void makeCurrent(int id);

    MechanismList& m_list;
    QVBoxLayout* m_column;
    std::map<int, MechanismRow*> m_rows;
    int m_current = 0;
};

}  // namespace attnscope::ui
