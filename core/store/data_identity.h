#pragma once

#include "core/store/store_records.h"

#include <filesystem>
#include <string>

/// What makes two data sets equal, regardless of their location.
namespace attnscope {

/// The folder relative to which a set's files are named: its root, or the folder of its list.
std::filesystem::path baseFolder(const std::string& root, FolderLayout layout);

/// A file's name in the store: relative to the base folder, or unchanged if it is elsewhere; and back to a path that can be opened.
std::string storedPath(const std::string& path, const std::filesystem::path& base);
std::string openedPath(const std::string& stored, const std::filesystem::path& base);

/// SHA-256 over the stored names and labels of all files, in order; where a sample has several right classes, over all of them.
std::string dataHash(const LabelledSet& data);
/// SHA-256 over the names of the classes, in order.
std::string classHash(const LabelledSet& data);

/// The number of samples of an evaluation: of `files`, within its limit and its shard.
int64_t samplesOf(const EvaluationSettings& settings, int64_t files);

}
