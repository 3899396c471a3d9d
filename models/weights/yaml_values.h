#pragma once

#include <map>
#include <string>
#include <string_view>

namespace attnscope {

/// `SECTION.KEY` → text of the plain values of a dumped configuration (two-space blocks of `KEY: value`, as written by fvcore's CfgNode).
/// Lists, multi-line texts, anchors and everything else are skipped; at most 4096 values. Never throws.
std::map<std::string, std::string> yamlValues(std::string_view text);

}
