// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/training_progress.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace attnscope::ui {

/// What distilling changed: accuracy and distance from the teacher, before and after, and each layer's error.
class DistillationModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Figure, Before, After, Change, Teacher, ColumnCount };

    explicit DistillationModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    void set(const std::optional<DistillationState>& before, const std::optional<DistillationState>& after,
             const std::optional<ValidationResult>& teacher);

    QString asTsv() const;
    QString asMarkdown() const;

private:
    struct Row {
        QString name, help;
        QString cells[ColumnCount];
    };
    void addPart(const QString& name, const QString& help, std::optional<double> before,
                  std::optional<double> after, std::optional<double> teacher);
    void addDistance(const QString& name, const QString& help, std::optional<double> before,
                     std::optional<double> after);

    std::vector<Row> m_rows;
};

}  // namespace attnscope::ui
