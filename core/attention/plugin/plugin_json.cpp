#include "core/attention/plugin/plugin_json.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

namespace attnscope {

Json toJson(const PluginInfo& plugin)
{
    return {{"backend", plugin.backend},
            {"file", jsonPath(plugin.file.string())},
            {"bytes", plugin.bytes},
            {"sha256", plugin.sha256},
            {"form", plugin.isLibrary ? "library" : "torchscript"},
            {"name", plugin.name},
            {"title", plugin.title},
            {"help", plugin.help},
            {"citation", plugin.citation},
            {"kind", toText(plugin.kind)}};
}

PluginInfo checkedPluginFrom(const std::string& text, const std::filesystem::path& file)
{
    const Json json = jsonFromText(text);
    const auto textAt = [](const Json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? printable(found->get<std::string>()) : std::string();
    };
    if (json.is_object() && json.contains("problem"))
        throw UsageError(file.string(), textAt(json, "problem"));
    const Json plugin = json.is_object() ? json.value("plugin", Json()) : Json();
    if (!plugin.is_object())
        throw UsageError(file.string(), "its check ended without a result", "look for calls of exit");
    PluginInfo info{.backend = textAt(plugin, "backend"),
                    .file = file,
                    .sha256 = textAt(plugin, "sha256"),
                    .isLibrary = textAt(plugin, "form") == "library",
                    .name = textAt(plugin, "name"),
                    .title = textAt(plugin, "title"),
                    .help = textAt(plugin, "help"),
                    .citation = textAt(plugin, "citation")};
    if (const auto bytes = plugin.find("bytes"); bytes != plugin.end() && bytes->is_number_integer())
        info.bytes = bytes->get<int64_t>();
    for (const AttentionKind kind :
         {AttentionKind::Approximation, AttentionKind::OtherKernel, AttentionKind::NeedsTraining})
        if (textAt(plugin, "kind") == toText(kind))
            info.kind = kind;
    return info;
}

}
