#pragma once

#include "models/training/train_model.h"

#include <QString>

#include <vector>

namespace attnscope::ui {

/// A place in the form where a sentence about it can stand.
enum class TrainField {
    Folder,
    Attention,
    Start,
    Teacher,
    Epochs,
    Batch,
    Rate,
    Warmup,
    FinalRate,
    Crop,
    Weights,
    Output
};

struct TrainProblem {
    TrainField field = TrainField::Folder;
    QString sentence;
};

/// What the form can say of itself before anything is opened; empty: it can be tried. `trainingSamples` 0: not known yet.
std::vector<TrainProblem> problemsOf(const TrainRequest& request, int64_t trainingSamples);

/// The file next to `output` that a training is continued from.
QString resumeFile(const QString& output);

/// What augmentation is chosen by name; Own: none of those.
enum class Augmentation { None, Light, Deit, Own };
AugmentPlan planOf(Augmentation augmentation);
Augmentation augmentationOf(const AugmentPlan& plan);

/// A plan to begin with: DeiT's for random weights; fewer epochs and smaller steps where weights are given.
TrainingPlan defaultPlan(bool untrained);

}
