#pragma once

#include <QDialog>

class QPlainTextEdit;
class QProcess;
class QPushButton;

namespace attnscope::ui {

/// What `attnscope-cli doctor` prints: versions, processor, devices, limits, folders, and what is missing. *Copy* is for a report of a bug.
class DoctorDialog : public QDialog {
    Q_OBJECT
public:
    /// `program` is attnscope-cli; where it is missing, the dialog says so.
    explicit DoctorDialog(const QString& program, QWidget* parent = nullptr);

    QPlainTextEdit* text() const { return m_text; }
    QPushButton* copyButton() const { return m_copy; }

private:
    void finish();

    QPlainTextEdit* m_text;
    QPushButton* m_copy = nullptr;
    QProcess* m_process;
};

}
