#include "ui/workspace/session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"

namespace attnscope::ui {

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
