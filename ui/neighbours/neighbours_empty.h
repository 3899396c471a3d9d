// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// The Neighbours screen before anything was searched.
EmptyScreen::Description neighboursEmpty();

}  // namespace attnscope::ui
