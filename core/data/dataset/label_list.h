// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

namespace attnscope {

/// The whole text of a list, at most 1 GiB. Throws FileError for anything but a regular file.
std::string readListFile(const std::string& file);

/// Reads a list file; see scanLabelled.
LabelledSet readLabelList(const std::string& file);

}  // namespace attnscope
