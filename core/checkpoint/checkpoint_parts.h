#pragma once

#include "core/base/limits.h"

#include <filesystem>
#include <map>
#include <string>

/// Checkpoints in several files, with an index (`model.safetensors.index.json`) whose `weight_map` names the file of each tensor.
namespace attnscope {

bool isCheckpointIndex(const std::filesystem::path& path);

/// The file of each tensor by the tensor's name: next to the index, never elsewhere. Throws FileError for what is no such index.
std::map<std::string, std::filesystem::path> readCheckpointIndex(const std::filesystem::path& index,
                                                                 const Limits& limits = {});

/// Whether the file begins as a safetensors file or one of torch.save does.
bool looksLikeCheckpoint(const std::filesystem::path& path);

/// SHA-256 of a checkpoint's file; of an index that of its text and of all of its files. Throws FileError.
std::string checkpointHash(const std::filesystem::path& path);

}
