#include "core/checkpoint/checkpoint_parts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/json_file.h"
#include "core/checkpoint/sha256.h"
#include "core/checkpoint/torch_state.h"

#include <set>
#include <span>

namespace attnscope {

namespace fs = std::filesystem;

bool isCheckpointIndex(const fs::path& path)
{
    return path.string().ends_with(".index.json");
}

std::map<std::string, fs::path> readCheckpointIndex(const fs::path& index, const Limits& limits)
{
    constexpr size_t maxFiles = 1024, longestName = 255;
    const Json json = readJson(index, limits.jsonBytes);
    const Json names = json.is_object() ? json.value("weight_map", Json()) : Json();
    if (!names.is_object() || names.empty() || std::ssize(names) > limits.tensors)
        throw FileError(index.string(),
                        "it has no `weight_map`, so it is not the index of a checkpoint in several files",
                        "give a safetensors or .pth file");
    std::map<std::string, fs::path> files;
    std::set<std::string> different;
    for (const auto& [tensor, file] : names.items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : std::string();
        if (name.empty() || name.size() > longestName || name == ".." || name.find('/') != std::string::npos
            || printable(name) != name || isCheckpointIndex(name))
            throw FileError(index.string(),
                            "its `weight_map` names `" + printable(file.dump().substr(0, 80))
                                + "`, which is not a checkpoint next to it",
                            "give an index whose files are in its own folder");
        if (different.insert(name).second && different.size() > maxFiles)
            throw FileError(index.string(), "it names more than " + std::to_string(maxFiles) + " files",
                            "join them");
        files[tensor] = index.parent_path() / name;
    }
    return files;
}

bool looksLikeCheckpoint(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) < 64 || error)
        return false;
    const auto source = openFile(path);
    std::string start(64, '\0');
    source->read(0, std::as_writable_bytes(std::span(start)));
    const bool zip = start.starts_with("PK\x03\x04") && start.find("/data.pkl", 30) != std::string::npos;
    const bool safetensors = start[8] == '{'
                             && start.substr(3, 5) == std::string(5, '\0');  // a header below 16 MiB
    return zip || safetensors || isTorchLegacy(*source);
}

std::string checkpointHash(const fs::path& path)
{
    std::string hashes = sha256(*openFile(path));
    if (!isCheckpointIndex(path))
        return hashes;
    std::set<fs::path> files;
    for (const auto& [tensor, file] : readCheckpointIndex(path))
        files.insert(file);
    for (const fs::path& file : files)
        hashes += sha256(*openFile(file));
    return sha256(hashes);
}

}
