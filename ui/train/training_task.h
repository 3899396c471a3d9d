#pragma once

#include "core/train/training_progress.h"
#include "models/training/train_model.h"
#include "ui/engine/demo_scenes.h"

#include <functional>
#include <optional>

namespace attnscope::ui {

/// What is in a folder of training data.
struct DataFolder {
    std::string layout;  ///< imagenet | kinetics | list
    bool video = false;
    int64_t classes = 0;
    int64_t training = 0, validation = 0;  ///< files; no validation: 0
    std::vector<std::string> notes;
    std::string sample = {};  ///< the first file for validation, or else for training
};

using TrainingTask = Task<TrainRequest, TrainingReport>;

/// The calls into core and models. They are made off the window's thread and throw what core throws. Tests bring their own.
struct TrainingBackend {
    /// Empty: there is no Train screen.
    std::function<TrainingReport(const TrainRequest&, TrainingObserver&, std::stop_token)> train;
    std::function<DataFolder(const std::string& folder, const std::string& layout, const std::string& validation)>
        look;
    /// The training that the files next to an output go on with; empty: none.
    std::function<std::optional<TrainRequest>(const std::string& output)> interrupted;
    DemoTask::Measure writeDemo;  ///< data to try a training on; empty: this build has none
};

/// The real ones. `photos`: the folder of the photographs that demo data are made of.
TrainingBackend coreTraining(const std::string& photos);

}
