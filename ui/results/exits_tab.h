#pragma once

#include "ui/results/results_session.h"
#include "ui/workspace/instrument_tab.h"

namespace attnscope::ui {

/// Early exits of the model in use on a labelled folder: accuracy against the blocks that samples run, and what each threshold gives.
InstrumentTab* exitsTab(ResultsSession& session, QWidget* parent);

}
