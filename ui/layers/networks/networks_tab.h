#pragma once

#include "ui/layers/layers_session.h"
#include "ui/workspace/instrument_tab.h"

namespace attnscope::ui {

/// The open network and another checkpoint, or itself in another type: drift of each block, CKA of all with all, what a query attends to in
/// both, and what differs in weights and description.
InstrumentTab* networksTab(LayersSession& layers, QWidget* parent);

}
