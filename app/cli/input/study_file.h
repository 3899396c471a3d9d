#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attnscope::cli {

/// Evaluations of several data sets, networks, sizes …, as a TOML file describes them.
struct StudyFile {
    /// The words of `evaluate` for each.
    std::vector<std::vector<std::string>> evaluations;
    std::string report;  ///< the report that is written of all; empty: none
};

/// Reads `KEY = VALUE` for options of `evaluate` (image-size = 224) and tables `[[data]]` with the options of one data set each. A list is
/// evaluated value by value, each with each, but for `weights` and `attention`, which one evaluation takes together. Throws FileError.
StudyFile readStudy(const std::filesystem::path& file);

}
