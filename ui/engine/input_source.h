#pragma once

#include "ui/engine/compare_types.h"
#include "ui/engine/workbench.h"

namespace attnscope::ui {

/// An input as the command line opens it: an image as it is stored, or the views of a video that `grid` asks for, as the model takes them.
InputSource inputSource(const std::shared_ptr<Workbench>& workbench,
                        const std::shared_ptr<const OpenedModel>& model, const InputEntry& input,
                        const Limits& limits, const std::stop_token& stop, const ViewGrid& grid = {1, 1});

}
