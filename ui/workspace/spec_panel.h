#pragma once

#include <QFrame>

#include <map>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace attnscope::ui {

class LinkButton;
class MarkCheckBox;
class OptionForm;
class SpecListBase;

/// One entry of a list of specifications: its box, its options, and its specification as text.
class SpecRow : public QWidget {
    Q_OBJECT
public:
    virtual void refresh();
    /// The current row shows all that it has.
    void setCurrent(bool current);

    /// Whose options it has.
    const QString& name() const { return m_name; }
    MarkCheckBox* tick() const { return m_tick; }
    OptionForm* mainOptions() const { return m_main; }
    QLineEdit* specField() const { return m_spec; }
    QLabel* problem() const { return m_problem; }

signals:
    /// It is to be the current one; with 0, none is.
    void touched(int id);

protected:
    SpecRow(SpecListBase& entries, int id, QWidget* parent);
    void addForms();
    void addField();
    /// Which parts are visible.
    virtual void arrange();
    void showProblem(const QString& sentence);
    void paintEvent(QPaintEvent*) override;

    SpecListBase& m_entries;
    int m_id;
    QString m_name;
    bool m_isCurrent = false, m_isUnderlined = false;
    QHBoxLayout* m_head;
    QVBoxLayout* m_body;
    MarkCheckBox* m_tick;
    OptionForm *m_main = nullptr, *m_advanced = nullptr;
    QLineEdit* m_spec = nullptr;
    QLabel* m_problem = nullptr;
};

/// A row for each entry of a list, one of them the current one.
class SpecPanel : public QFrame {
    Q_OBJECT
protected:
    SpecPanel(SpecListBase& entries, const QString& name, QMargins margins, QWidget* parent);
    SpecRow* rowOf(int id) const;
    virtual SpecRow* makeRow(int id) = 0;
    virtual void rebuild();
    void makeCurrent(int id);

    SpecListBase& m_entries;
    QVBoxLayout *m_outer, *m_column;
    int m_current = 0;

private:
    void refresh();

    QVBoxLayout* m_rows;
    std::map<int, SpecRow*> m_byId;
};

}
