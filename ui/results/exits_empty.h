// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What the tab of early exits says before anything was measured.
[[nodiscard]] EmptyScreen::Description exitsEmpty();

}  // namespace attnscope::ui
