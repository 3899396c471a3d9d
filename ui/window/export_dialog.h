#pragma once

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace attnscope::ui {

/// Which attention the exported network has, and where it is written.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `chosen` is the proposed one of the specifications.
    ExportDialog(const QString& network, const QStringList& specs, const QString& chosen,
                 QWidget* parent = nullptr);

    QString attention() const;
    QString path() const;
    QComboBox* choice() const { return m_attention; }
    QLineEdit* file() const { return m_file; }
    QPushButton* exportButton() const { return m_export; }

private:
    void browse();
    void proposeFile();

    QString m_network, m_proposed;
    QComboBox* m_attention;
    QLineEdit* m_file;
    QPushButton* m_export = nullptr;
};

}
