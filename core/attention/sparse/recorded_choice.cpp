#include "core/attention/sparse/recorded_choice.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <algorithm>
#include <map>
#include <string>

namespace attnscope {

RecordedChoice recordedChoice(NoiseSource& noise, std::string_view name, const std::vector<int64_t>& sizes,
                              std::pair<int64_t, int64_t> range)
{
    const at::Tensor given = noise.given(name).to(at::kCPU, at::kDouble).contiguous();
    bool fits = given.dim() == int64_t(sizes.size());
    for (size_t d = 0; fits && d < sizes.size(); ++d)
        fits = sizes[d] < 0 || sizes[d] == given.size(int64_t(d));
    if (!fits)
        throw UsageError("", "the recorded `" + std::string(name) + "` is " + describeShape(given.sizes()),
                         describeShape(sizes) + " is needed, where -1 is any size");
    RecordedChoice choice{given.sizes().vec(), {}};
    const auto* values = given.const_data_ptr<double>();
    for (int64_t i = 0; i < given.numel(); ++i) {
        const double value = values[i];
        const bool inRange = value >= double(range.first) && value <= double(range.second);
        if (!inRange || value != double(int64_t(value)))
            throw UsageError(
                "", "the recorded `" + std::string(name) + "` holds a value that is not one of its choices",
                "they are whole numbers from " + std::to_string(range.first) + " to "
                    + std::to_string(range.second));
        choice.values.push_back(int64_t(value));
    }
    return choice;
}

std::vector<double> uniformNumbers(NoiseSource& noise, std::string_view name, int64_t first, int64_t count)
{
    std::vector<float> uniform(static_cast<size_t>(count));
    fillUniform(noise.stream(name, 0).value().key, 0, static_cast<uint64_t>(first), uniform);
    return {uniform.begin(), uniform.end()};
}

std::vector<int64_t> partialShuffle(int64_t size, int64_t count, const std::vector<double>& uniform)
{
    std::map<int64_t, int64_t> moved;  // what stands at a position, where it is not the position's own number
    const auto at = [&](int64_t position) {
        const auto found = moved.find(position);
        return found == moved.end() ? position : found->second;
    };
    std::vector<int64_t> picks;
    for (int64_t t = 0; t < std::min(size, count); ++t) {
        const auto other = t + int64_t(uniform[size_t(t)] * double(size - t));
        picks.push_back(at(other));
        moved[other] = at(t);
    }
    return picks;
}

}
