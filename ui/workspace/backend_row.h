// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace attnscope::ui {

class BackendList;
class IconButton;
class LinkButton;
class MarkCheckBox;
class OptionForm;

/// One backend in the dock.
class BackendRow : public QWidget {
    Q_OBJECT
public:
    BackendRow(BackendList& list, int id, QWidget* parent = nullptr);

    void refresh();
    /// The current row also shows its specification as text and the way to its further options.
    void setCurrent(bool current);

    /// Whose options it has.
    [[nodiscard]] QString backend() const { return m_backend; }
    [[nodiscard]] MarkCheckBox* tick() const { return m_tick; }
    [[nodiscard]] QLineEdit* specField() const { return m_spec; }
    [[nodiscard]] QLabel* problem() const { return m_problem; }
    [[nodiscard]] OptionForm* mainOptions() const { return m_main; }
    [[nodiscard]] QComboBox* tokenChoice() const { return m_tokens; }
    [[nodiscard]] QComboBox* weightChoice() const { return m_weights; }
    [[nodiscard]] OptionForm* tokenOptions() const { return m_tokenOptions; }

signals:
    void touched(int id);

protected:
    void paintEvent(QPaintEvent*) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void takeSpec();
    void showProblem(const QString& sentence);
    void arrange();
    QComboBox* addChoice(QWidget*& row, const QString& caption, const QString& usual, const QString& other, const QString& help);
    void buildTokens();
    void buildWeights();

    BackendList& m_list;
    int m_id;
    bool m_isCurrent = false, m_more = false;
    QString m_backend;
    MarkCheckBox* m_tick;
    IconButton* m_star;
    QLabel* m_referenceWord;
    OptionForm* m_main;
    OptionForm* m_advanced;
    QWidget* m_tokenRow = nullptr;
    QComboBox* m_tokens = nullptr;
    OptionForm* m_tokenOptions = nullptr;
    QWidget* m_weightRow = nullptr;
    QComboBox* m_weights = nullptr;
    LinkButton *m_dropInLink, *m_moreLink;
    QLineEdit* m_spec;
    QLabel* m_problem;
};

}  // namespace attnscope::ui
