// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <map>
#include <string>

namespace attnscope {

/// Where the bytes of an entry lie in the file.
struct ByteRange {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
};

/// Reads the directory of a zip archive whose entries are stored, as torch.save writes them: name → place.
/// Throws FileError for everything that has two readings or needs unpacking: compression, encryption, several
/// volumes, comments, equal names, overlapping entries, local headers that contradict the directory, names that
/// climb out of a folder.
std::map<std::string, ByteRange> readZipDirectory(const ByteSource& source, const Limits& limits);

}  // namespace attnscope
