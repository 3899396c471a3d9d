// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scale/scale_session.h"
#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// A tab of Scale before its first run; its words depend on the form.
EmptyScreen::Description scaleEmpty(ScaleSession::Kind kind);

}  // namespace attnscope::ui
