#include "ui/workspace/session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"

namespace attnscope::ui {

Session::Session(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(this, &Session::stateChanged, this, &Session::activityChanged);
    connect(this, &Session::progressed, this, &Session::activityChanged);
    for (const auto changed : {&Workspace::contextChanged, &Workspace::settingsChanged, &Workspace::modelChanged,
                               &Workspace::surroundingsChanged})
        connect(&m_workspace, changed, this, &Session::choicesChanged);
    connect(&m_workspace, &Workspace::currentInputChanged, this, &Session::choicesChanged);
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this, &Session::choicesChanged);
}

void Session::follow(TaskBase& task)
{
    m_task = &task;
    connect(&task, &TaskBase::stateChanged, this, &Session::stateChanged);
    connect(&task, &TaskBase::progressed, this, &Session::progressed);
    connect(&task, &TaskBase::failed, this, &Session::problem);
}

Session::Job Session::StepCount::job(const QString& title) const
{
    Job made{u"%1 · %2"_s.arg(title, what)};
    if (total <= 0)
        return made;
    made.fraction = double(done) / total;
    made.text = tr("%1 of %2 steps").arg(done).arg(total);
    const double seconds = double(clock.elapsed()) / 1000;
    if (done >= 3 && seconds > 0) {
        made.text += u" · "_s + tr("%1/s").arg(toQt(formatError(done / seconds)));
        made.text += u" · "_s + remainingText((total - done) * seconds / done);
    }
    return made;
}

}
