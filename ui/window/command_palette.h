#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace attnscope::ui {

/// Actions by name, found by its letters in order, or by words of QAction::whatsThis, which stands below it; shows their keys.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QList<QAction*>& actions, const QString& title, QWidget* parent);

    QLineEdit* field() const { return m_field; }
    QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void runCurrent();

    QList<QAction*> m_actions;
    QLineEdit* m_field;
    QListWidget* m_list;
};

/// Whether the letters of `needle` occur in `hay` in this order, whatever their case.
bool lettersMatch(const QString& needle, const QString& hay);

}
