#include "models/weights/companion_files.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/json_file.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* defaultNames[] = {"model.safetensors",
                                        "pytorch_model.bin",
                                        "open_clip_model.safetensors",
                                        "open_clip_pytorch_model.bin",
                                        "model.safetensors.index.json",
                                        "pytorch_model.bin.index.json"};

/// What trainings save next to the weights.
constexpr const char* otherStates[] = {"optimizer", "scheduler",     "scaler",
                                       "rng_state", "random_states", "training_args"};

std::vector<std::string> checkpointsIn(const std::string& folder)
{
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        const std::string name = each->path().filename().string();
        if (std::ranges::none_of(otherStates, [&](const char* state) { return name.starts_with(state); })
            && looksLikeCheckpoint(each->path()))
            found.push_back(name);
    }
    std::ranges::sort(found);
    return found;
}

Json objectIn(const fs::path& path, const Limits& limits)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error)
        || fs::file_size(path, error) > static_cast<std::uintmax_t>(limits.jsonBytes) || error)
        return nullptr;
    Json json = readJson(path, limits.jsonBytes);
    if (!json.is_object())
        json = false;
    return json;
}

}

std::string checkpointFile(const std::string& given)
{
    std::error_code error;
    if (!fs::is_directory(given, error))
        return given;
    for (const char* name : defaultNames)
        if (const fs::path path = fs::path(given) / name; fs::is_regular_file(path, error))
            return path.string();
    const std::vector<std::string> found = checkpointsIn(given);
    if (found.empty())
        throw FileError(given, "this folder has no checkpoint",
                        "give a folder with a file of safetensors or torch.save, or the file itself");
    if (found.size() > 1)
        throw FileError(given, "this folder has several checkpoints (" + printable(joinWords(found, "and")) + ")",
                        "give one of the files");
    return (fs::path(given) / found.front()).string();
}

CompanionFiles companionFiles(const std::string& checkpoint, const Limits& limits)
{
    const fs::path folder = fs::path(checkpoint).parent_path();
    return {objectIn(folder / "config.json", limits), objectIn(folder / "preprocessor_config.json", limits)};
}

}
