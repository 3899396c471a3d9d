#include "core/attention/plugin/plugin_method.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/checkpoint/sha256.h"
#include "core/checkpoint/state_dict.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr size_t longestName = 40, longestText = 400;

bool isName(std::string_view name)
{
    const auto belongs = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= longestName && std::ranges::all_of(name, belongs) && name.front() != '-'
           && name.back() != '-';
}

std::string textOf(const Json& json, const char* key, const std::string& otherwise)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() && found->get<std::string>().size() <= longestText
               ? printable(found->get<std::string>())
               : otherwise;
}

AttentionKind kindOf(const Json& json, const std::string& subject)
{
    const std::string text = textOf(json, "kind", toText(AttentionKind::OtherKernel));
    for (const AttentionKind kind :
         {AttentionKind::Approximation, AttentionKind::OtherKernel, AttentionKind::NeedsTraining})
        if (text == toText(kind))
            return kind;
    throw FileError(subject, "its description has the kind \"" + text + "\"",
                    "write approximation, other-kernel or needs-training");
}

void describe(PluginInfo& info, const std::string& text)
{
    const std::string subject = info.file.string();
    const Json json = jsonFromText(text);
    if (!json.is_object())
        throw FileError(
            subject, "it does not describe itself by a JSON object",
            R"(give {"abi": 1, "name": "…"} as attnscope.json of the module or from attnscope_describe_v1 (docs/plugins.md))");
    if (json.value("abi", Json()) != 1)
        throw FileError(subject, "its description has no \"abi\": 1",
                        "this program knows version 1 of the interface");
    info.name = textOf(json, "name", "");
    if (!isName(info.name))
        throw FileError(subject, "its description has no valid name",
                        "give lower-case letters, digits and hyphens, at most 40");
    info.backend = "plugin-" + info.name;
    info.title = textOf(json, "title", info.name);
    info.help = textOf(json, "help", "a plug-in: " + info.file.filename().string());
    info.citation = textOf(json, "citation", "plug-in");
    info.kind = kindOf(json, subject);
}

}

std::string PluginInfo::provenance() const
{
    return file.string() + ", " + formatCounted(bytes, "byte") + ", SHA-256 " + sha256;
}

LoadedPlugin loadPluginFile(const std::filesystem::path& given)
{
    std::error_code error;
    LoadedPlugin plugin{.info = {.file = std::filesystem::canonical(given, error)}};
    if (error)
        throw FileError(given.string(), "there is no such file");
    const auto source = openFile(plugin.info.file);
    plugin.info.bytes = source->size();
    plugin.info.sha256 = sha256(*source);
    constexpr std::array<uint8_t, 4> library{0x7f, 'E', 'L', 'F'}, archive{'P', 'K', 3, 4};
    const auto first = firstBytes(plugin.info.file, library.size());
    plugin.info.isLibrary = std::ranges::equal(first, library);
    if (!plugin.info.isLibrary && !std::ranges::equal(first, archive))
        throw FileError(given.string(), "this is neither a library nor TorchScript",
                        "give a shared library or a module saved by torch.jit.save (docs/plugins.md)");
    plugin.method = plugin.info.isLibrary ? loadPluginLibrary(plugin.info.file)
                                          : loadPluginScript(plugin.info.file);
    describe(plugin.info, plugin.method->description());
    return plugin;
}

}
