#include "ui/scale/decode/decode_words.h"

namespace attnscope::ui {

namespace {

/// Multiply-adds a second of the loops over one token, on one thread.
constexpr double streamSpeed = 2.5e9;

/// A token that is only taken in: features are computed as for an output, keys are copied.
double skippedWork(const StreamSpec& spec, const StreamShape& shape, double work)
{
    return spec.info().constantState ? 0.6 * work : double(2 * shape.width);
}

}

double guessedSeconds(const DecodeRequest& request)
{
    std::vector<StreamSpec> specs{StreamSpec::parse(streamInfos().front().name)};
    specs.insert(specs.end(), request.mechanisms.begin(), request.mechanisms.end());
    const auto heads = double(request.heads);
    double seconds = 1;
    for (const StreamSpec& spec : specs) {
        const StreamShape shape{request.width, request.width, spec.info().random ? spec.integer("samples") : 0};
        seconds += 0.3;  // both forms over the first tokens
        for (const int64_t position : request.positions) {
            const auto work = double(streamCost(spec, shape, position).multiplyAdds) * heads;
            seconds += double(request.minimumRepetitions) * work / streamSpeed;
            if (position == request.positions.back())
                seconds += double(position) * skippedWork(spec, shape, work) / streamSpeed;
        }
    }
    return seconds;
}

}
