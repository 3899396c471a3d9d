#pragma once

#include "core/base/json.h"
#include "core/base/limits.h"

#include <cstdint>
#include <filesystem>

namespace attnscope {

/// What a file holds; discarded (`is_discarded`) where `jsonFromText` accepts nothing of it. Throws FileError if it cannot be read, or has
/// more than `maxBytes`.
Json readJson(const std::filesystem::path& path, int64_t maxBytes = Limits().jsonBytes);

/// A limit for measurements of many inputs.
inline constexpr int64_t maxRecordBytes = int64_t{64} << 20;

}
