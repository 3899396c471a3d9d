// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/made_with.h"

#include <QCoreApplication>

namespace attnscope::ui {

QString madeWith(const RunContext& was, const RunContext& now, bool video)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("attnscope::ui::MadeWith", text); };
    if (was.model != now.model)
        return was.model.isEmpty() ? tr("made with another model") : tr("made with %1").arg(was.model);
    if (was.weights != now.weights || was.heads != now.heads)
        return tr("made with other weights");
    if (was.device != now.device)
        return tr("made with device %1").arg(was.device);
    if (was.dtype != now.dtype)
        return tr("made with %1").arg(was.dtype);
    if (video && was.views != now.views)
        return tr("made with %1 views").arg(was.views);
    return was.seed != now.seed ? tr("made with seed %1").arg(was.seed) : QString();
}

}  // namespace attnscope::ui
