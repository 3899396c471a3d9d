#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What the tab of early exits says before anything was measured.
EmptyScreen::Description exitsEmpty();

}
