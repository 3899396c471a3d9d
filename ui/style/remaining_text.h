// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;

namespace attnscope::ui {

/// "about 3 min": how long something still takes.
QString remainingText(double seconds);

}  // namespace attnscope::ui
