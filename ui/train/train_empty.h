#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// Train before there is anything to train on: the accuracy that a softmax model regains once its attention was exchanged.
EmptyScreen::Description trainEmpty();

}
