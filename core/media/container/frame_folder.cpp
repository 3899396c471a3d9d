#include "core/media/container/frame_folder.h"

#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/process/process_limit.h"
#include "core/media/container/natural_order.h"
#include "core/media/container/video_validator.h"
#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

namespace attnscope {

namespace {

bool isImage(const std::filesystem::path& path)
{
    return sniffImage(firstBytes(path, videoSignatureBytes)).has_value();
}

/// The names of the regular files in natural order, without hidden ones. Stops at `most`.
std::vector<std::string> regularFiles(const std::filesystem::path& folder, size_t most)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entries(folder, error), end;
         !error && entries != end && names.size() < most; entries.increment(error)) {
        std::string name = entries->path().filename().string();
        std::error_code none;
        if (!name.starts_with('.') && entries->is_regular_file(none))
            names.push_back(std::move(name));
    }
    refuseWithoutResources(error.value(), folder.string());
    if (error)
        throw FileError(folder.string(), fmt::format("the folder cannot be read ({})", error.message()),
                        "check the path and its permissions");
    std::ranges::sort(names, naturallyBefore);
    return names;
}

}

std::vector<std::filesystem::path> framesOf(const std::filesystem::path& folder, size_t most)
{
    std::vector<std::string> names = regularFiles(folder, most);
    const auto first = std::ranges::find_if(names,
                                            [&](const std::string& name) { return isImage(folder / name); });
    std::vector<std::filesystem::path> frames;
    if (first == names.end())
        return frames;
    const std::string suffix = std::filesystem::path(*first).extension().string();
    const std::string stem(withoutNumber(*first));
    const bool numbered = stem != *first;
    for (const std::string& name : names)
        if (numbered ? withoutNumber(name) == stem && std::filesystem::path(name).extension() == suffix
                     : isImage(folder / name))
            frames.push_back(folder / name);
    return frames;
}

// Data sets number the images of a class too, but a class has few of many numbers, whereas frames are almost complete.
bool looksLikeFrameFolder(const std::filesystem::path& folder)
try {
    constexpr size_t most = 100'000;
    const std::vector<std::filesystem::path> frames = framesOf(folder, most);
    if (frames.size() < 2)
        return false;
    const std::string first = frames.front().filename().string(), last = frames.back().filename().string();
    const double numbers = numberOf(last) - numberOf(first) + 1;
    const auto count = double(frames.size());
    return withoutNumber(first) != first && count >= numbers / 2
           && frames.size() * 2 > regularFiles(folder, most).size();
} catch (const Error&) {
    return false;
}

}
