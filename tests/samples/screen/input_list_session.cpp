#include "tests/samples/screen/input_list_session.h"

namespace attnscope::ui {

InputListSession::InputListSession(Workspace& workspace, QObject* parent)
    : Session(workspace, parent)
{
    connect(&workspace, &Workspace::inputsReplaced, this, [this] {
        QList<CellTable::Row> rows;
        for (const InputEntry& input : m_workspace.inputs())
            rows.push_back({.cells = {{.text = input.name}, {.text = input.path}}});
        m_table.setTable({{tr("Name"), {}}, {tr("Path"), {}}}, rows);
        emit activityChanged();
    });
}

std::optional<Session::Job> InputListSession::job() const
{
    return m_counting ? std::optional(Job{tr("count inputs"), {}, 0.5}) : std::nullopt;
}

void InputListSession::run()
{
    m_counting = true;
    emit activityChanged();
}

void InputListSession::stop()
{
    if (std::exchange(m_counting, false))
        emit announcement(tr("There are %1 inputs.").arg(m_table.rowCount()));
    emit activityChanged();
}

}
