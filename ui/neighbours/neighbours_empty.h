#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// The Neighbours screen before anything was searched.
EmptyScreen::Description neighboursEmpty();

}
