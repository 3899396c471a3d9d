#include "core/data/dataset/data_title.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace attnscope {

std::string dataTitle(const std::string& root)
{
    constexpr std::array<std::string_view, 5> splits{"val", "validation", "valid", "test", "train"};
    std::filesystem::path path = std::filesystem::path(root).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    const std::string name = path.filename().string(), parent = path.parent_path().filename().string();
    if (!parent.empty() && std::ranges::find(splits, name) != splits.end())
        return parent + "/" + name;
    return name.empty() ? root : name;
}

}
