#pragma once

#include "ui/widgets/cell_table.h"

#include <vector>

namespace attnscope::ui {

class RunTableModel;

/// Every figure of the shown input as text: a row per backend, with repetitions, seeds and weights. What the Table view shows
/// and what copying puts on the clipboard.
class QuantitiesModel : public CellModel {
    Q_OBJECT
public:
    QuantitiesModel(const RunTableModel& runs, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }

protected:
    Cell cell(int row, int column) const override;
    QString rowName(int row) const override;

private:
    void refresh();
    void setColumns();

    const RunTableModel& m_runs;
    std::vector<std::size_t> m_shown;  ///< of all columns that there are
    int m_rows = 0;
};

}
