#pragma once

#include "models/weights/inspection.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QSpinBox;
class QTreeWidget;

namespace attnscope::ui {

/// What a checkpoint is, why it is taken for that, and what became of its tensors; asks for what nothing in it says.
class CheckpointDialog : public QDialog {
    Q_OBJECT
public:
    CheckpointDialog(const Inspection& inspection, const QStringList& models, QWidget* parent = nullptr);

    QString path() const { return m_path; }
    QString model() const;  ///< a name of the catalogue; empty: as the checkpoint says
    int heads() const;      ///< 0: as the checkpoint says

private:
    void addHead(const Inspection& inspection);
    void addQuestions(const Inspection& inspection, const QStringList& models);
    void addReport(const Inspection& inspection);
    void addButtons(bool usable);
    void refresh();

    QString m_path;
    bool m_headsRequested = false;
    QComboBox* m_model = nullptr;
    QSpinBox* m_heads = nullptr;
    QTreeWidget* m_report = nullptr;
};

}
