#include "ui/train/training_worker.h"

#include "core/data/dataset/labelled_folder.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "models/training/train_request_json.h"

#include <utility>

namespace attnscope::ui {

namespace {

DataFolder lookIntoFolder(const std::string& folder, const std::string& layout, const std::string& validation)
{
    const LabelledSplits splits = scanSplits(folder, parseFolderLayout(layout), validation);
    DataFolder found;
    found.layout = folderLayoutName(splits.training.layout);
    found.video = splits.training.video;
    found.classes = std::int64_t(splits.training.classes.size());
    found.training = std::int64_t(splits.training.files.size());
    found.notes = splits.training.notes;
    if (splits.validation) {
        found.validation = std::int64_t(splits.validation->files.size());
        found.notes.insert(found.notes.end(), splits.validation->notes.begin(), splits.validation->notes.end());
    }
    const LabelledSet& samples = splits.validation && !splits.validation->files.empty() ? *splits.validation
                                                                                        : splits.training;
    if (!samples.files.empty())
        found.sample = samples.files.front().path;
    return found;
}

/// A minute of training on two cores, and validation intervals that still say something.
constexpr DemoAmount trainingDemoAmount{60, 20};

}

TrainingBackend coreTraining(const std::string& photos)
{
    TrainingBackend backend;
    backend.train = [](const TrainRequest& request, TrainingObserver& observer, std::stop_token stop) {
        const FreedMemoryReturn after;
        return train(request, observer, std::move(stop));
    };
    backend.look = lookIntoFolder;
    backend.interrupted = interruptedTraining;
    if (!photos.empty())
        backend.writeDemo = [photos](const std::string& folder, const ProgressCallback& progress,
                                     std::stop_token stop) {
            return writeDemoScenes(photos, folder, trainingDemoAmount, progress, std::move(stop));
        };
    backend.setThreads = [](std::int64_t threads) { setThreads(threads); };
    return backend;
}

}
