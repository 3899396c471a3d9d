// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attnscope {

// The files of resources/labels as they are, put into the program when it is built (models/labels/label_texts.cpp.in).
extern const std::string_view imageNetText;
extern const std::string_view kineticsText;

}  // namespace attnscope
