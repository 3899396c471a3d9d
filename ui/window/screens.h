#pragma once

#include "ui/batch/evaluation_task.h"
#include "ui/engine/store_reader.h"
#include "ui/layers/layers_task.h"
#include "ui/live/live_backend.h"
#include "ui/neighbours/neighbours_task.h"
#include "ui/results/exits_task.h"
#include "ui/scale/scale_task.h"
#include "ui/train/training_task.h"
#include "ui/workspace/screen.h"

namespace attnscope::ui {

/// What the screens work with.
struct ScreenBackends {
    std::shared_ptr<LiveBackend> live;      ///< empty: the real one
    std::shared_ptr<LayersBackend> layers;  ///< empty: the real one
    TrainingBackend training;               ///< without `train` there is no Train screen
    EvaluationBackend evaluation;           ///< without `evaluate` Batch opens nothing
    std::function<void()> storeDelay;       ///< before each question to the results store; for tests
    QString storePath;                      ///< of the results store
    ScaleTask::Measure scale;               ///< empty: there is no Scale screen
    ExitsTask::Measure exits;               ///< empty: Results has no early exits
    NeighboursBackend neighbours;           ///< without `search` there is no Neighbours screen
};

/// Every screen of this build, in the order of the rail. Rail, menu View, command palette, `--screen` and what is opened where follow it.
std::vector<Screen> screens(const ScreenBackends& backends);

}
