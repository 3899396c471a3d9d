// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What the tab of early exits says before anything was measured.
[[nodiscard]] EmptyScreen::Description exitsEmpty();

}  // namespace attnscope::ui
