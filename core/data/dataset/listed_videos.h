// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

#include <optional>
#include <string>

namespace attnscope {

/// Kinetics' annotation list as a set; empty when the file's heading is not that. Throws FileError.
std::optional<LabelledSet> readKineticsList(const std::string& file);

/// Something-Something's split as a set, with the labels of the other JSON file beside it. Throws FileError.
LabelledSet readSomethingSplit(const std::string& file);

/// Of a folder: its split of Something-Something (…validation.json), or its annotation list of Kinetics; empty:
/// neither.
std::string videoListIn(const std::string& folder);

}  // namespace attnscope
