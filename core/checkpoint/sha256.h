#pragma once

#include "core/checkpoint/state_dict.h"

#include <string>
#include <string_view>

namespace attnscope {

/// SHA-256 (FIPS 180-4) of a file's bytes as 64 hexadecimal digits: published checkpoints have the first eight in their names. Throws
/// FileError if the file ends early.
std::string sha256(const ByteSource& source);
/// The same for a text.
std::string sha256(std::string_view text);

}
