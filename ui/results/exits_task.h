#pragma once

#include "core/lab/exits/exits.h"
#include "ui/engine/task.h"

namespace attnscope::ui {

/// The early exits of a model on a labelled folder.
struct ExitsJob {
    ModelRequest model;
    std::string folder;
    int64_t limit = 0;  ///< number of samples, spread evenly; 0: all
    ExitRequest request;
};
using ExitsTask = Task<ExitsJob, ExitReport>;

ExitsTask::Measure coreExits();

}
