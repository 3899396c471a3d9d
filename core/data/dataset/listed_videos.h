// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

#include <optional>
#include <string>

namespace attnscope {

/// Reads Kinetics' annotation list; empty if the file's header is different. Throws FileError.
std::optional<LabelledSet> readKineticsList(const std::string& file);

/// Reads Something-Something's split, with the labels of the other JSON file next to it. Throws FileError.
LabelledSet readSomethingSplit(const std::string& file);

/// The list in a folder: its split of Something-Something (…validation.json), or its annotation list of Kinetics; empty if there is
/// neither.
std::string videoListIn(const std::string& folder);

}  // namespace attnscope
