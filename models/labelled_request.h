#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/reading_options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// A labelled folder or list as it is read for the laboratory.
struct LabelledRequest {
    std::string folder;
    std::string layout = "auto";
    std::vector<std::string> labels;  ///< names for the model's classes; empty: its own
    int64_t limit = 0;                ///< number of samples, spread evenly; 0: all
    int64_t batch = 0;                ///< samples at once; 0: 32 images, or one video
    /// Threads that read and preprocess; 0: as many as the network's threads, or one per core with a GPU.
    int64_t workers = 0;
    Limits limits;
    ReadingOptions reading = {};
};

}
