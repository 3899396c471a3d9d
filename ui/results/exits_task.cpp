#include "ui/results/exits_task.h"

#include "models/labelled_samples.h"

namespace attnscope::ui {

ExitsTask::Measure coreExits()
{
    return [](const ExitsJob& job, TaskTurn& turn, const ExitsTask::Grew&) {
        const LabelledRequest samples{.folder = job.folder, .limit = job.limit, .limits = job.model.limits};
        return measureExits(*turn.models().open(job.model)->classifier, samples, job.request, turn.progress(),
                            turn.stop());
    };
}

}
