#pragma once

#include "ui/engine/workbench.h"

namespace attnscope::ui {

/// A file as the command line opens it: an image as it is stored, or one view of a video.
InputSource fileSource(const std::shared_ptr<Workbench>& workbench, const OpenedModel& model,
                       const std::string& path, const Limits& limits, const std::stop_token& stop);

}
