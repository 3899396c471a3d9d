#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// Batch before there is a folder: many images, and how often each attention is right.
EmptyScreen::Description batchEmpty();

}
