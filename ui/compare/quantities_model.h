// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

namespace attnscope::ui {

class RunTableModel;

/// Every figure of the shown input as text: a row per backend, with repetitions, seeds and weights. What the Table view shows
/// and what copying puts on the clipboard.
class QuantitiesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    QuantitiesModel(const RunTableModel& runs, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    QString asTsv() const;
    QString asMarkdown() const;

private:
    void refresh();

    const RunTableModel& m_runs;
    int m_rows = 0;
};

}  // namespace attnscope::ui
