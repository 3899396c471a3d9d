#pragma once

#include "models/training/train_model.h"
#include "ui/train/train_check.h"
#include "ui/widgets/field_row.h"

#include <QComboBox>

#include <map>
#include <string>
#include <vector>

class QVBoxLayout;

namespace attnscope::ui {

/// What a training can be told beyond the usual: optimizer, regularisation, augmentation, distillation, data. Folded away at first.
class TrainMore : public QWidget {
    Q_OBJECT
public:
    explicit TrainMore(QWidget* parent = nullptr);

    /// Writes what the fields say into `request`.
    void fill(TrainRequest& request) const;
    void showRequest(const TrainRequest& request);
    /// Distillation's fields are there with a teacher alone.
    void setTaught(bool taught);
    /// The row that a problem belongs to; null: none of these.
    FieldRow* row(TrainField field) const;
    QString layoutName() const;
    QString validation() const { return m_validation->path(); }
    QComboBox* augmentation() const { return m_augmentation; }

signals:
    void changed();
    /// Layout or validation folder.
    void dataChanged();

private:
    void addSection(const QString& title);
    FieldRow* addRow(const QString& label, QWidget* field, const QString& help);
    /// A row for an option of the list, with its range; without `help` that of the command line.
    FieldRow* addOption(const char* name, const QString& label, double step = 1, const QString& help = {});
    void buildOptimizer();
    void buildAugmentation();
    void buildDistillation();
    void buildData();

    QVBoxLayout* m_column;
    std::map<std::string, QWidget*> m_fields;  ///< by the name of their option
    std::vector<QWidget*> m_taughtOnly;
    QComboBox* m_augmentation = nullptr;
    PathField* m_validation = nullptr;
    std::map<TrainField, FieldRow*> m_rows;
};

}
