#pragma once

#include "core/attention/plugin/plugin.h"
#include "core/base/json.h"

namespace attnscope {

/// {"backend", "file", "bytes", "sha256", "form", "name", "title", "help", "citation", "kind"}
Json toJson(const PluginInfo& plugin);

/// What `attnscope-cli plugin-check --here` prints of a plug-in that passed, and of one that did not: {"plugin": …} or
/// {"problem": …}. Throws UsageError with that problem, or if the text is neither, as after an exit in the middle of the check.
PluginInfo checkedPluginFrom(const std::string& text, const std::filesystem::path& file);

}
