// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

namespace attnscope {

/// Reads a folder of class folders; `layout` Auto, ImageNet or Kinetics. See scanLabelled.
LabelledSet scanClassFolders(const std::string& folder, FolderLayout layout);

}  // namespace attnscope
