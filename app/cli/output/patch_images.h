#pragma once

#include "core/base/json.h"
#include "core/run/run_record.h"

#include <filesystem>

/// Principal components of patches as image files.
namespace attnscope::cli {

/// Before any work: makes the folder. Throws Unsupported if this build cannot write images, FileError if the folder cannot be written.
void preparePatchImages(const std::filesystem::path& folder);

/// Writes the colours of every run, and of exact attention, as PNG: 16 × 16 pixels for each patch, frames side by side. `json`, that of the
/// report, gets their paths: `image` and `exact_image` in a run's `features`. Throws FileError.
void writePatchImages(const RunReport& report, const std::filesystem::path& folder, Json& json);

}
