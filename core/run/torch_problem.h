// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/Exception.h>

#include <string>

namespace attnscope {

/// One sentence for what LibTorch throws; its own messages go on for pages.
inline std::string torchProblem(const c10::Error& error)
{
    std::string text = error.what_without_backtrace();
    text = text.substr(0, text.find('\n'));
    if (text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos)
        return "there is not enough memory for this attention at this size";
    return "LibTorch could not run this attention (" + text + ")";
}

}  // namespace attnscope
