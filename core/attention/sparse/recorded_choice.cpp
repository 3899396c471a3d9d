#include "core/attention/sparse/recorded_choice.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <algorithm>
#include <map>
#include <string>

namespace attnscope {

RecordedChoice recordedChoice(NoiseSource& noise, std::string_view name, const std::vector<std::int64_t>& sizes,
                              std::pair<std::int64_t, std::int64_t> range)
{
    const at::Tensor given = noise.given(name).to(at::kCPU, at::kDouble).contiguous();
    bool fits = given.dim() == std::int64_t(sizes.size());
    for (std::size_t d = 0; fits && d < sizes.size(); ++d)
        fits = sizes[d] < 0 || sizes[d] == given.size(std::int64_t(d));
    if (!fits)
        throw UsageError("", "the recorded `" + std::string(name) + "` is " + describeShape(given.sizes()),
                         describeShape(sizes) + " is needed, where -1 is any size");
    RecordedChoice choice{given.sizes().vec(), {}};
    const auto* values = given.const_data_ptr<double>();
    for (std::int64_t i = 0; i < given.numel(); ++i) {
        const double value = values[i];
        const bool inRange = value >= double(range.first) && value <= double(range.second);
        if (!inRange || value != double(std::int64_t(value)))
            throw UsageError(
                "", "the recorded `" + std::string(name) + "` holds a value that is not one of its choices",
                "they are whole numbers from " + std::to_string(range.first) + " to "
                    + std::to_string(range.second));
        choice.values.push_back(std::int64_t(value));
    }
    return choice;
}

std::vector<double> uniformNumbers(NoiseSource& noise, std::string_view name, std::int64_t first,
                                   std::int64_t count)
{
    std::vector<float> uniform(static_cast<std::size_t>(count));
    fillUniform(noise.stream(name, 0).value().key, 0, static_cast<std::uint64_t>(first), uniform);
    return {uniform.begin(), uniform.end()};
}

std::vector<std::int64_t> partialShuffle(std::int64_t size, std::int64_t count, const std::vector<double>& uniform)
{
    std::map<std::int64_t, std::int64_t>
        moved;  // what stands at a position, where it is not the position's own number
    const auto at = [&](std::int64_t position) {
        const auto found = moved.find(position);
        return found == moved.end() ? position : found->second;
    };
    std::vector<std::int64_t> picks;
    for (std::int64_t t = 0; t < std::min(size, count); ++t) {
        const auto other = t + std::int64_t(uniform[std::size_t(t)] * double(size - t));
        picks.push_back(at(other));
        moved[other] = at(t);
    }
    return picks;
}

}
