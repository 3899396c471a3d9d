#pragma once

#include "core/lab/sample_batches.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

/// A labelled set that no folder holds.
namespace attnscope::test {

inline constexpr int imageCount = 12;

inline FloatArray image(int number)
{
    FloatArray array{{3, 32, 32}, {}};
    for (int i = 0; i < 3 * 32 * 32; ++i)
        array.values.push_back(std::sin(0.01f * float((number + 1) * i)));
    return array;
}

/// Images made up, with classes 0, 1 and 2 in turn.
struct MadeUpSet {
    explicit MadeUpSet(const Classifier& classifier)
    {
        data.root = "/made/up";
        for (int64_t i = 0; i < classifier.describe().classes; ++i)
            data.classes.push_back("class " + std::to_string(i));
        for (int i = 0; i < imageCount; ++i)
            data.files.push_back({"/made/up/" + std::to_string(i), i % 3});
    }
    /// `broken` cannot be read.
    LabelledSamples samples(const Classifier& classifier, int64_t broken = -1) const
    {
        return {data,
                [&classifier, broken,
                 next = int64_t{0}](const std::stop_token&) mutable -> std::optional<SampleBatch> {
                    if (next == imageCount)
                        return std::nullopt;
                    const int64_t sample = next++;
                    SampleBatch batch;
                    if (sample == broken) {
                        batch.unreadable.push_back({sample, "it is broken."});
                    } else {
                        batch.samples.push_back(sample);
                        batch.input = networkInput(image(int(sample)), classifier);
                    }
                    return batch;
                }};
    }
    LabelledSet data;
};

}
