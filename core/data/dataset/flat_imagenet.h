// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

namespace attnscope {

/// Whether the folder directly contains images named ILSVRC2012_val_00000001.JPEG.
bool isFlatImageNet(const std::string& folder);

/// Those images with the labels of a list in the folder or above it; see scanEvaluation. Throws FileError.
LabelledSet scanFlatImageNet(const std::string& folder);

}  // namespace attnscope
