// SPDX-License-Identifier: Apache-2.0
#include "app/cli/demo_files.h"

#include <algorithm>
#include <filesystem>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

std::string demoFolder()
{
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    for (const fs::path& folder :
         {program.parent_path() / "../share/attnscope/demo", fs::path(ATTNSCOPE_DEMO_DIR)})
        if (fs::is_directory(folder / "photos", problem))
            return fs::canonical(folder, problem).string();
    return {};
}

std::vector<std::string> filesWith(const fs::path& folder, const std::string& suffix)
{
    std::vector<std::string> found;
    std::error_code problem;
    for (auto entry = fs::recursive_directory_iterator(folder, problem);
         !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem))
        if (entry->path().extension() == suffix && entry->is_regular_file(problem))
            found.push_back(entry->path().string());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

DemoFiles findDemoFiles()
{
    const std::string folder = demoFolder();
    if (folder.empty())
        return {};
    return {folder, filesWith(fs::path(folder) / "photos", ".jpg"), filesWith(folder, ".safetensors")};
}

}  // namespace attnscope::cli
