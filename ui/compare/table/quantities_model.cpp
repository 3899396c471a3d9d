#include "ui/compare/table/quantities_model.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"

#include "core/run/record_tables.h"

namespace attnscope::ui {

QuantitiesModel::QuantitiesModel(const RunTableModel& runs, QObject* parent)
    : CellTable(parent)
    , m_runs(runs)
{
    connect(&runs, &RunTableModel::figuresChanged, this, &QuantitiesModel::refresh);
    connect(&runs, &QAbstractItemModel::modelReset, this, &QuantitiesModel::refresh);
    refresh();
}

void QuantitiesModel::refresh()
{
    std::vector<std::shared_ptr<const RunRecord>> records;
    std::vector<const RunRecord*> runs;
    for (int column = 0; column < m_runs.columnCount(); ++column)
        runs.push_back(records.emplace_back(m_runs.record(column)).get());
    Table table = costTable(runs);
    for (const Table& more : {errorTable(runs), driftTable(runs)}) {
        if (more.rows.size() != runs.size())
            continue;
        table.columns.insert(table.columns.end(), more.columns.begin() + 1, more.columns.end());
        for (size_t row = 0; row < runs.size(); ++row) {
            table.rows[row].cells.resize(table.columns.size() - more.columns.size() + 1);
            table.rows[row].cells.insert(table.rows[row].cells.end(), more.rows[row].cells.begin() + 1,
                                         more.rows[row].cells.end());
        }
    }
    for (int column = 0; column < m_runs.columnCount(); ++column) {
        auto& row = table.rows[size_t(column)];
        row.cells.resize(table.columns.size());
        row.cells.front().text = fromQt(m_runs.column(column).spec);
        row.name = fromQt(m_runs.columnTitle(column));
        if (!m_runs.column(column).network.isEmpty())
            row.cells.front().title = row.name;
    }
    show(table);
}

}
