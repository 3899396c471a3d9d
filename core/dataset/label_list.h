// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dataset/labelled_folder.h"

namespace attnscope {

/// A list file as a set; see scanLabelled.
LabelledSet readLabelList(const std::string& file);

}  // namespace attnscope
