// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/remaining_text.h"

#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

QString remainingText(double seconds)
{
    if (seconds < 59.5)
        return tr("about %1 s").arg(std::max(1, static_cast<int>(std::lround(seconds))));
    const auto minutes = static_cast<int>(std::lround(seconds / 60));
    return minutes < 60 ? tr("about %1 min").arg(minutes) : tr("about %1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

}  // namespace attnscope::ui
