// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attnscope {

// The unchanged files of resources/labels, compiled into the program (models/labels/label_texts.cpp.in).
extern const std::string_view imageNetText;
extern const std::string_view kineticsText;

}  // namespace attnscope
