// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"
#include "core/checkpoint/state_dict.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace attnscope {

struct ZipEntry {
    std::int64_t offset = 0;  ///< of its data, from the beginning of the file
    std::int64_t size = 0;
};

/// The directory of a zip archive whose entries are all stored. torch.save never compresses, so that refusing compression makes
/// zip bombs impossible. Refused too: encryption, duplicate names, overlapping entries, anything that reaches outside the file.
std::map<std::string, ZipEntry> readZipDirectory(const ByteSource& source, const Limits& limits);

}  // namespace attnscope
