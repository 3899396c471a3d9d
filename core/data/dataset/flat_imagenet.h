// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

namespace attnscope {

/// Whether pictures named ILSVRC2012_val_00000001.JPEG lie directly in the folder.
bool isFlatImageNet(const std::string& folder);

/// Those pictures with labels of a list that lies in the folder or above it; see scanEvaluation. Throws FileError.
LabelledSet scanFlatImageNet(const std::string& folder);

}  // namespace attnscope
