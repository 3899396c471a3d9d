#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace attnscope {

/// The frames of a folder in natural order, from at most `most` of its files: those whose names differ from that of the first image only in
/// their number, so that other files (a list, a thumbnail) are excluded; without numbers, every image. Throws FileError, Unsupported.
std::vector<std::filesystem::path> framesOf(const std::filesystem::path& folder, size_t most);

/// Whether the folder contains images that are numbered almost without gaps, the first being an image by content.
bool looksLikeFrameFolder(const std::filesystem::path& folder);

}
