#include "core/evaluate/first_sample.h"

#include "core/base/error.h"
#include "core/run/compare.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int64_t lookedAtFirst = 20;

std::optional<FloatArray> firstReadable(const ReadingRequest& reading)
{
    const bool video = reading.data->video;
    const SampleLoader load = video ? SampleLoader() : imageLoaders(reading)();
    const ViewOpener open = video ? videoOpeners(reading)() : ViewOpener();
    for (int64_t sample = 0; sample < std::min(lookedAtFirst, std::ssize(reading.data->files)); ++sample) {
        try {
            if (!video)
                return load(sample, 0);
            const OpenedViews views = open(sample);
            return views.view(views.count / 2);
        } catch (const FileError&) {
            // Reported with its batch.
        }
    }
    return std::nullopt;
}

}

std::optional<InputRecord> measureFirstSample(const Classifier& classifier, const EvaluationRequest& request,
                                              const ReadingRequest& reading, const std::stop_token& stop)
{
    const auto input = firstReadable(reading);
    if (!input)
        return std::nullopt;
    const RunRequest measured{.attention = request.attention,
                              .seed = request.seed,
                              .topK = 1,
                              .latency = request.latency,
                              .memory = request.memory,
                              .error = request.error};
    RunObserver silent;
    RunReport report = run(classifier,
                           {{"first sample", reading.data->video ? "video" : "image", [&] { return *input; }}},
                           measured, silent, stop);
    if (report.inputs.empty())
        throw Error("",
                    report.unreadable.empty() ? "nothing could be measured" : report.unreadable.front().reason);
    return std::move(report.inputs.front());
}

}
