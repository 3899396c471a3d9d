#include "tests/samples/screen/input_list_session.h"

#include "ui/style/qt_text.h"

namespace attnscope::ui {

InputListSession::InputListSession(Workspace& workspace, QObject* parent)
    : Session(workspace, parent)
{
    connect(&workspace, &Workspace::inputsReplaced, this, [this] {
        Table table{.columns = {{fromQt(tr("Name"))}, {fromQt(tr("Path"))}}};
        for (const InputEntry& input : m_workspace.inputs())
            table.addTexts({fromQt(input.name), fromQt(input.path)});
        m_table.show(table);
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
