#pragma once

#include "core/data/dataset/labelled_folder.h"
#include "core/run/classifier.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// Samples of a labelled set, as a network takes them.
struct SampleBatch {
    std::vector<int64_t> samples;  ///< places in the set's files, one for each element of the input
    NetworkInput input;            ///< undefined values if none of them could be read
    struct Unreadable {
        int64_t sample = 0;
        std::string reason;  ///< a sentence
    };
    std::vector<Unreadable> unreadable;
};

/// The samples of a set in order; empty after the last. Throws Cancelled.
using SampleBatches = std::function<std::optional<SampleBatch>(const std::stop_token& stop)>;

/// A labelled set and its samples as network input.
struct LabelledSamples {
    const LabelledSet& data;  ///< labels are indices of the model's classes
    SampleBatches next;

    const LabelledFile& file(int64_t sample) const { return data.files[size_t(sample)]; }
};

}
