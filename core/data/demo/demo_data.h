#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Writes the demo data to disk.
namespace attnscope {

enum class DemoSet { Scenes, Moves };
/// "scenes" or "moves".
std::string demoSetName(DemoSet set);

struct DemoRequest {
    std::string folder;
    std::string photos;  ///< the folder of the photographs
    std::vector<DemoSet> sets{DemoSet::Scenes, DemoSet::Moves};
    /// Samples per class; empty: 400 and 50 scenes, 150 and 25 moves.
    std::optional<int64_t> training, validation;
    uint64_t seed = 0;
    bool overwrite = false;  ///< write into a folder that is not empty
    int workers = 0;         ///< threads; 0: one per core
};

/// What was written for one set.
struct DemoSetReport {
    DemoSet set = DemoSet::Scenes;
    std::string folder;  ///< contains train and val
    std::vector<std::string> classes;
    int64_t training = 0, validation = 0;  ///< samples of all classes
    int64_t bytes = 0;
};

struct DemoReport {
    std::vector<DemoSetReport> sets;
    uint64_t seed = 0;
    double seconds = 0;
};

/// FOLDER/scenes/{train,val}/CLASS/0000.jpg (224×224, quality 90) in ImageNet's layout and FOLDER/moves/{train,val}/CLASS/0000.mp4 (16
/// frames of 128×128, 7.5 per second, H.264) in Kinetics', with FOLDER/README.md that describes their origin. A sample depends only on
/// seed, class, split and number: more samples leave the first ones unchanged. Samples of an earlier call beyond the requested numbers are
/// removed. Throws UsageError: numbers out of range (0 … 10000, validation from 0, training from 1); FileError, also for a non-empty folder
/// without `overwrite`; Unsupported: no H.264 encoder; Cancelled, leaving finished files in place.
DemoReport writeDemoData(const DemoRequest& request, const ProgressCallback& progress, std::stop_token stop);

}
