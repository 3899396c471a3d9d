#pragma once

#include "models/training/train_model.h"
#include "ui/train/train_check.h"
#include "ui/widgets/field_row.h"

#include <QComboBox>

#include <functional>
#include <map>
#include <vector>

class QCheckBox;
class QVBoxLayout;

namespace attnscope::ui {

/// What a training can be told beyond the usual: optimizer, regularisation, augmentation, distillation, data. Folded away at first.
class TrainMore : public QWidget {
    Q_OBJECT
public:
    explicit TrainMore(QWidget* parent = nullptr);

    /// Writes what the fields say into `request`.
    void fill(TrainRequest& request) const;
    /// Shows `plan`; the fields of the data stay.
    void showPlan(const TrainingPlan& plan);
    /// Layout, validation folder and landmark map.
    void showData(const TrainRequest& request);
    /// Distillation's fields are there with a teacher alone.
    void setTaught(bool taught);
    /// The row that a problem belongs to; null: none of these.
    FieldRow* row(TrainField field) const;
    QString layoutName() const { return m_layoutNames->currentText(); }
    QString validation() const { return m_validation->path(); }
    QComboBox* augmentation() const { return m_augmentation; }

signals:
    void changed();
    /// Layout or validation folder.
    void dataChanged();

private:
    void addSection(const QString& title);
    FieldRow* addRow(const QString& label, QWidget* field, const QString& help);
    /// A row for a number at `place` of the plan.
    template <typename Spin, typename Place>
    FieldRow* bind(const QString& label, Spin* spin, const QString& help, Place place);
    void buildOptimizer();
    void buildAugmentation();
    void buildDistillation();
    void buildData();

    QVBoxLayout* m_column;
    std::vector<std::function<void(TrainingPlan&)>> m_takers;
    std::vector<std::function<void(const TrainingPlan&)>> m_showers;
    std::vector<QWidget*> m_taughtOnly;
    QComboBox* m_augmentation = nullptr;
    QComboBox* m_layoutNames = nullptr;
    QComboBox* m_landmarkMap = nullptr;
    QCheckBox* m_mixed = nullptr;
    QCheckBox* m_exits = nullptr;
    PathField* m_validation = nullptr;
    std::map<TrainField, FieldRow*> m_rows;
    bool m_showing = false;
};

}
