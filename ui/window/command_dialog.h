#pragma once

#include <QDialog>
#include <QStringList>

class QDialogButtonBox;
class QPlainTextEdit;
class QProcess;
class QPushButton;

namespace attnscope::ui {

/// What a command of attnscope-cli prints, as it comes. *Copy* is for a report of a bug. A command that still runs is ended with the dialog.
class CommandDialog : public QDialog {
    Q_OBJECT
public:
    /// `program` is attnscope-cli; where it is missing, the dialog says so. `what` names the text for those who do not see it.
    CommandDialog(const QString& title, const QString& what, const QString& program, const QStringList& arguments,
                  QWidget* parent = nullptr);
    ~CommandDialog() override;

    /// A button that runs another command; what that prints follows, and at its end what the first one says then.
    QPushButton* addCommand(const QString& text, const QStringList& arguments);

    QPlainTextEdit* text() const { return m_text; }
    QPushButton* copyButton() const { return m_copy; }

private:
    void start(const QStringList& arguments);
    void takeOutput();
    void finish();

    QStringList m_first;
    QPlainTextEdit* m_text;
    QDialogButtonBox* m_buttons;
    QPushButton* m_copy = nullptr;
    QList<QPushButton*> m_commands;
    QProcess* m_process;
};

/// `attnscope-cli doctor`: versions, processor, devices, limits, folders, and what is missing.
CommandDialog* doctorDialog(const QString& program, QWidget* parent);
/// `attnscope-cli gpu`: which GPUs there are and what keeps them from being used; with *Install* and *Remove*.
CommandDialog* gpuDialog(const QString& program, QWidget* parent);

}
