#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// Live before anything plays: a film strip, and below it what each attention predicts when.
EmptyScreen::Description liveEmpty();

}
