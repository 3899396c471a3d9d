#include "core/train/training_json.h"

namespace attnscope {

namespace {

Json pathOrNull(const std::string& path)
{
    return textOrNull(jsonPath(path));
}

template <typename Value>
Json orNull(const std::optional<Value>& value)
{
    return value ? toJson(*value) : Json(nullptr);
}

}

Json toJson(const TrainingStart& start)
{
    return {{"model", start.model},
            {"attention", start.attention},
            {"init", jsonPath(start.weights)},
            {"teacher", pathOrNull(start.teacher)},
            {"device", start.device},
            {"parameters", start.parameters},
            {"classes", start.classes},
            {"training_samples", start.trainingSamples},
            {"validation_samples", start.validationSamples},
            {"steps_per_epoch", start.stepsPerEpoch},
            {"processes", start.processes},
            {"notes", start.notes}};
}

Json toJson(const TrainingReport& report)
{
    return {{"output", jsonPath(report.output)},
            {"best", pathOrNull(report.best)},
            {"history", jsonPath(report.historyFile)},
            {"finished", report.finished},
            {"seconds", report.seconds},
            {"start", toJson(report.start)},
            {"teacher", orNull(report.teacher)},
            {"before", orNull(report.before)},
            {"after", orNull(report.after)},
            {"epochs", jsonList(report.history, [](const EpochRecord& epoch) { return toJson(epoch); })}};
}

}
