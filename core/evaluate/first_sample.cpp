// SPDX-License-Identifier: Apache-2.0
#include "core/evaluate/first_sample.h"

#include "core/base/error.h"
#include "core/run/compare.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::int64_t lookedAtFirst = 20;

FloatArray middleView(const OpenedViews& views)
{
    return views.view(views.count / 2);
}

std::optional<FloatArray> firstReadable(const ReadingRequest& reading)
{
    const bool video = reading.data->video;
    const SampleLoader load = video ? SampleLoader() : imageLoaders(reading)();
    const ViewOpener open = video ? videoOpeners(reading)() : ViewOpener();
    for (std::int64_t sample = 0; sample < std::min(lookedAtFirst, std::ssize(reading.data->files)); ++sample) {
        try {
            return video ? middleView(open(sample)) : load(sample, 0);
        } catch (const FileError&) {
            // Reported with its batch.
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<InputRecord> measureFirstSample(const Classifier& classifier, const EvaluationRequest& request,
                                              const ReadingRequest& reading, const std::stop_token& stop)
{
    const auto input = firstReadable(reading);
    if (!input)
        return std::nullopt;
    RunRequest measured;
    measured.attention = request.attention;
    measured.seed = request.seed;
    measured.topK = 1;
    measured.latency = request.latency;
    measured.memory = request.memory;
    measured.error = request.error;
    RunObserver silent;
    RunReport report = run(classifier,
                           {{"first sample", reading.data->video ? "video" : "image", [&] { return *input; }}},
                           measured, silent, stop);
    if (report.inputs.empty())
        throw Error("",
                    report.unreadable.empty() ? "nothing could be measured" : report.unreadable.front().reason);
    return std::move(report.inputs.front());
}

}  // namespace attnscope
