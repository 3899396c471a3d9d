// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attnscope {

/// The styles of attentions shown together, as keys of `seriesStyle`: a backend's first attention has the backend's own style, further ones
/// a variant of it; an attention that occurs twice has one style.
std::vector<std::string> seriesKeys(const std::vector<std::string>& attentions);

}  // namespace attnscope
