#pragma once

#include "ui/batch/evaluation_setup.h"
#include "ui/engine/demo_scenes.h"

#include <QImage>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attnscope::ui {

/// A look into the folder of an evaluation, the newest one of those that were asked for.
struct CheckRequest {
    quint64 id = 0, number = 0;
    EvaluationSetup plan;
};
using CheckTask = Task<CheckRequest, EvaluationCheck>;

struct EvaluationJob {
    EvaluationSetup plan;
    std::string command;
    std::shared_ptr<const LabelledSet> data;  ///< null: the folder is scanned first
};
/// The report is the evaluation's number in the store.
using EvaluationTask = Task<EvaluationJob, int64_t>;

/// The calls into core and models. They are made off the window's thread and throw what core throws. Tests bring their own.
struct EvaluationBackend {
    /// What is in a folder or list, whatever the model.
    std::function<LabelledSet(const std::string& folder)> look;
    /// The samples of a folder or list, their labels as classes of the model.
    std::function<LabelledSet(const EvaluationSetup&, const OpenedModel&)> scan;
    /// Fills in what the store keeps of where the model comes from.
    std::function<void(EvaluationRequest&, const ModelRequest&)> noteOrigin;
    std::function<EvaluationEstimate(const OpenedModel&, const std::vector<NetworkRequest>&, std::stop_token)>
        estimate;
    /// Returns the first network's evaluation. Empty: this build has no evaluation.
    std::function<int64_t(const OpenedModel&, const std::vector<NetworkRequest>&, EvaluationObserver&,
                          std::stop_token)>
        evaluate;
    DemoTask::Measure writeDemo;
    /// A sample to look at: an image, or a frame of a video, turned as a viewer turns it.
    std::function<QImage(const std::string& path)> image;

    EvaluationCheck check(const EvaluationSetup& plan, TaskTurn& turn) const;
    int64_t run(const EvaluationJob& job, EvaluationObserver& observer, TaskTurn& turn) const;

private:
    /// A network with the plan's attentions in it.
    struct Columns {
        NetworkRequest network;
        std::vector<AttentionSpec> attention;
    };
    EvaluationRequest requestOf(const EvaluationSetup& plan, const ModelRequest& model,
                                const LabelledSet& data) const;
    std::vector<Columns> networksOf(const EvaluationSetup& plan, const OpenedModel& first, const LabelledSet& data,
                                    TaskTurn& turn) const;
    void takeData(const EvaluationSetup& plan, const OpenedModel& model, NetworkRequest& network) const;
};

/// The real ones. `photos`: the folder of the photographs that demo data are made of.
EvaluationBackend coreEvaluation(const std::string& photos);

}
