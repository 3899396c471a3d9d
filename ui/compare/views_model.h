// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_record.h"

#include <QAbstractTableModel>

#include <vector>

namespace attnscope::ui {

class RunTableModel;

/// The views of the shown video: a row per backend; its name, the mean of all views, then a column per view. A cell holds the
/// probability that this view gives the class which the mean puts first, so that a row's cells have the mean as their mean.
class ViewsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        ProbabilityRole = Qt::UserRole + 1,  ///< double; invalid while the view was not predicted
        DiffersRole,                         ///< bool: this view's own first class is another
        BackendRole,                         ///< QString: colour and mark go by it
    };
    enum Column { NameColumn, MeanColumn, FirstView };

    explicit ViewsModel(const RunTableModel& runs, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Whether the shown input has views.
    bool any() const { return !m_input.views.empty(); }
    int views() const { return static_cast<int>(m_input.views.size()); }
    /// That which latency, memory and error were measured on.
    int measuredView() const { return static_cast<int>(m_input.measuredView); }
    /// "clip 3 of 10, left crop, 4.2 s to 6.1 s"
    QString title(int view) const;

private:
    void refresh();
    QString cropName(int view) const;
    QVariant viewData(const RunRecord& record, int view, int role) const;
    QVariant meanData(const RunRecord& record, int role) const;

    const RunTableModel& m_runs;
    InputRecord m_input;  ///< without its runs
    std::vector<int> m_backends;  ///< ids of the columns that are the rows here
};

}  // namespace attnscope::ui
