#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// Layers before anything was inspected: errors that grow with depth, and a map over a photograph.
EmptyScreen::Description layersEmpty();

}
