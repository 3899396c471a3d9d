// SPDX-License-Identifier: Apache-2.0
#include "core/media/image/image_file.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/media/format/image_validator.h"
#include "core/media/image/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace attnscope {

std::vector<std::uint8_t> readImageFile(const std::filesystem::path& path, const Limits& limits)
try {
    const InputFile file(path, "give an image file");
    if (file.bytes() > limits.imageBytes)
        throw FileError(file.name(), fmt::format("the file has {}", formatBytes(file.bytes()).text()),
                        fmt::format("the limit for an image is {}", formatBytes(limits.imageBytes).text()));
    // The signature first: files that are not images are not read to their end.
    constexpr std::int64_t signatureBytes = 512;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::min(file.bytes(), signatureBytes)));
    bytes.resize(file.readAt(0, bytes));
    checkSignature(bytes, file.name());
    const std::size_t start = bytes.size();
    bytes.resize(static_cast<std::size_t>(file.bytes()));
    bytes.resize(start + file.readAt(static_cast<std::int64_t>(start), std::span(bytes).subspan(start)));
    return bytes;
} catch (const std::bad_alloc&) {
    throw FileError(path.string(), "there is not enough memory to read it", "close other programs");
}

}  // namespace attnscope
