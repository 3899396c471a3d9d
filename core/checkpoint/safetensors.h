#pragma once

#include "core/checkpoint/state_dict.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// Format: 8-byte little-endian header length, JSON header, data. Rejected: header beyond the limits, duplicate or malformed entries,
/// shapes that overflow, offsets that overlap, leave gaps or reach outside the file.
StateDict readSafetensors(std::shared_ptr<const ByteSource> source, const Limits& limits = {});

struct SafetensorsEntry {
    ElementType type = ElementType::Float32;
    std::vector<int64_t> shape;
    std::vector<std::byte> bytes;  ///< row-major, little-endian
};

/// Writes to a temporary file next to `path`, syncs and renames: the target is never partially written.
void writeSafetensors(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

}
