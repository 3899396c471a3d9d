#pragma once

#include "ui/widgets/cell_table.h"

namespace attnscope::ui {

class RunTableModel;

/// Every figure of the shown input as text: a row per backend, with repetitions, seeds and weights. What the Table view shows
/// and what copying puts on the clipboard.
class QuantitiesModel : public CellTable {
    Q_OBJECT
public:
    QuantitiesModel(const RunTableModel& runs, QObject* parent = nullptr);

private:
    void refresh();

    const RunTableModel& m_runs;
};

}
