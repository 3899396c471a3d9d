#pragma once

#include "core/base/limits.h"
#include "core/run/run_record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attnscope::cli {

/// Whether ["n01440764", "tench"] is the name "n01440764 tench", by which folders are matched, or "tench", which is shown.
enum class Synsets { Dropped, Kept };

/// Class names: one a line, a JSON list, or a JSON object {"0": "tench"}, {"0": ["n01440764", "tench"]} or {"tench": 0}.
/// Throws FileError when the file is none of these, or has not one name for each of the `classes`.
std::vector<std::string> readLabels(const std::filesystem::path& path, int64_t classes, const Limits& limits,
                                    Synsets synsets = Synsets::Dropped);

/// Puts names to predictions of the first network, if its weights are trained; random weights predict nothing that a name would fit.
void nameClasses(RunReport& report, const std::vector<std::string>& labels);

}
