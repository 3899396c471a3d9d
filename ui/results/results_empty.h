#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// Results before a store has a run: accuracy over time, and the front of those that nothing beats in both.
EmptyScreen::Description resultsEmpty();

}
