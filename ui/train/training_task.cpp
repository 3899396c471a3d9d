#include "ui/train/training_task.h"

#include "core/data/dataset/labelled_folder.h"
#include "models/training/train_request_json.h"

namespace attnscope::ui {

namespace {

DataFolder lookIntoFolder(const std::string& folder, const std::string& layout, const std::string& validation)
{
    const LabelledSplits splits = scanSplits(folder, parseFolderLayout(layout), validation);
    DataFolder found;
    found.layout = folderLayoutName(splits.training.layout);
    found.video = splits.training.video;
    found.classes = int64_t(splits.training.classes.size());
    found.training = int64_t(splits.training.files.size());
    found.notes = splits.training.notes;
    if (splits.validation) {
        found.validation = int64_t(splits.validation->files.size());
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
    return {.train = train,
            .look = lookIntoFolder,
            .interrupted = interruptedTraining,
            .writeDemo = demoScenes(photos, trainingDemoAmount)};
}

}
