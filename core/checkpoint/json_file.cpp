// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/json_file.h"

#include "core/base/error.h"

#include <fstream>
#include <ios>

namespace attnscope {

Json readJson(const std::filesystem::path& path)
try {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        throw FileError(path.string(), "it cannot be read", "check the path and its permissions");
    return Json::parse(stream, nullptr, /*allow_exceptions=*/false);
} catch (const std::ios_base::failure&) {  // thrown by the stream's buffer where the disk reports an error
    throw FileError(path.string(), "it cannot be read", "check the disk");
}

}  // namespace attnscope
