#pragma once

#include "ui/layers/layers_session.h"
#include "ui/workspace/instrument_tab.h"

namespace attnscope::ui {

/// Every attention that needs no training as a chart of error and cost, and as a table. A chosen row can be put among the compared backends.
InstrumentTab* leaderboardTab(LayersSession& layers, QWidget* parent);

}
