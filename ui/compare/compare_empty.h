#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// Compare before there is an input: a photograph, and what each ticked attention costs.
EmptyScreen::Description compareEmpty();

}
