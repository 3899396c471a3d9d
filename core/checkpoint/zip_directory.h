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

/// An entry of a zip archive as programs write it that pack folders.
struct ZipMember {
    std::string name;
    int64_t bytes = 0;   ///< unpacked
    ByteRange packed;    ///< its bytes in the file
    int64_t header = 0;  ///< where its local header begins
    uint32_t crc32 = 0;  ///< of the unpacked bytes
    bool deflated = false;
    bool isFile = true;  ///< false: a folder, a link
};

/// The same for any zip archive: entries may be deflated, a comment may follow, and of equal names all are there, in the directory's order.
/// Throws FileError as above for all else.
std::vector<ZipMember> readZipMembers(const ByteSource& source, const Limits& limits);

}
