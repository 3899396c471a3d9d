#pragma once

#include "core/run/run_record.h"
#include "ui/widgets/cell_table.h"

#include <vector>

namespace attnscope::ui {

class RunTableModel;

/// The views of the shown video: a row per backend; its name, the mean of all views, then a column per view. A cell holds the
/// probability that this view gives the class which the mean puts first, so that a row's cells have the mean as their mean; these cells have
/// no value while the view was not predicted. A cell differs where the view's own first class is another.
class ViewsModel : public CellModel {
    Q_OBJECT
public:
    enum Column { NameColumn, MeanColumn, FirstView };

    explicit ViewsModel(const RunTableModel& runs, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Whether the shown input has views.
    bool any() const { return !m_input.views.empty(); }
    int views() const { return int(m_input.views.size()); }
    /// That which latency, memory and error were measured on.
    int measuredView() const { return int(m_input.measuredView); }
    /// "clip 3 of 10, left crop, 4.2 s to 6.1 s"
    QString title(int view) const;

protected:
    Cell cell(int row, int column) const override;

private:
    void refresh();
    void take(InputRecord input);
    QString cropName(int view) const;

    const RunTableModel& m_runs;
    InputRecord m_input;          ///< without its runs
    std::vector<int> m_backends;  ///< ids of the columns that are the rows here
};

}
