#pragma once

#include "core/checkpoint/state_dict.h"

#include <map>
#include <string>

namespace attnscope {

/// The location of an entry's bytes in the file.
struct ByteRange {
    int64_t offset = 0;
    int64_t bytes = 0;
};

/// Reads the directory of a zip archive with uncompressed entries, as torch.save writes them: name → location. Throws FileError for
/// anything ambiguous or packed: compression, encryption, several volumes, comments, equal names, overlapping entries, local headers that
/// contradict the directory, names that escape the folder.
std::map<std::string, ByteRange> readZipDirectory(const ByteSource& source, const Limits& limits);

}
