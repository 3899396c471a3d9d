// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/table_output.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/checkpoint/state_dict.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : "×") + std::to_string(size);
    return text.empty() ? "scalar" : text;
}

std::int64_t bytesOf(const StoredTensor& tensor)
{
    return tensor.elements() * static_cast<std::int64_t>(elementSize(tensor.type));
}

struct Totals {
    std::int64_t elements = 0, bytes = 0;
};

Totals totalsOf(const StateDict& state)
{
    Totals totals;
    for (const auto& [name, tensor] : state.tensors) {
        totals.elements += tensor.elements();
        totals.bytes += bytesOf(tensor);
    }
    return totals;
}

/// Text of one line; long values (a training's arguments) are cut, JSON has them whole.
std::string shortened(const Json& value)
{
    constexpr std::size_t longest = 160;
    std::string text = printable(value.is_string() ? value.get<std::string>()
                                                   : value.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (text.size() <= longest)
        return text;
    std::size_t end = longest;
    while (end > 0 && (text[end] & 0xc0) == 0x80)
        --end;
    return text.substr(0, end) + " …";
}

std::string describe(const StateDict& state, const std::string& path)
{
    const Totals totals = totalsOf(state);
    std::string text = emphasised(printable(path))
                       + fmt::format("  {}{}: {} tensors, {} numbers, {}\n", state.container,
                                     state.nesting.empty() ? "" : " (under `" + printable(state.nesting) + "`)",
                                     state.tensors.size(), formatCount(totals.elements),
                                     formatBytes(totals.bytes).text());
    for (const std::string& note : state.notes)
        text += "  " + note + "\n";
    if (state.metadata.is_object() && !state.metadata.empty()) {
        Table metadata({{"metadata"}, {"value"}});
        for (const auto& [key, value] : state.metadata.items())
            metadata.add({printable(key), shortened(value)});
        text += metadata.text(2);
    }
    Table table({{"tensor"}, {"type"}, {"shape"}, {"numbers", Align::Right}, {"bytes", Align::Right}});
    for (const auto& [name, tensor] : state.tensors)
        table.add({printable(name), toText(tensor.type), shapeText(tensor.shape), formatCount(tensor.elements()),
                   formatBytes(bytesOf(tensor)).text()});
    return text + table.text(2);
}

Json toJson(const StateDict& state, const std::string& path)
{
    const Totals totals = totalsOf(state);
    Json json{{"file", printable(path)}, {"container", state.container}};
    json["nesting"] = state.nesting.empty() ? Json(nullptr) : Json(printable(state.nesting));
    json["numbers"] = totals.elements;
    json["bytes"] = totals.bytes;
    json["tensors"] = Json::array();
    for (const auto& [name, tensor] : state.tensors)
        json["tensors"].push_back({{"name", printable(name)},
                                   {"dtype", toText(tensor.type)},
                                   {"shape", tensor.shape},
                                   {"numbers", tensor.elements()},
                                   {"bytes", bytesOf(tensor)}});
    json["metadata"] = state.metadata;
    json["notes"] = state.notes;
    return json;
}

ExitCode run(const std::string& path, const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const StateDict state = readCheckpoint(path);
    if (!target.replacesTables())
        writeData(describe(state, path));
    target.write(toJson(state, path));
    return ExitCode::Done;
}

}  // namespace

void addInspectCommand(CommandList& commands)
{
    struct Arguments {
        std::string file;
        OutputArguments output;
    };
    const auto arguments = std::make_shared<Arguments>();
    CLI::App& command = commands.add(
        "inspect", "A checkpoint's tensors and metadata; nothing in it is executed",
        {"inspect weights.safetensors", "inspect weights.pth --json -"},
        [arguments](std::stop_token) { return run(arguments->file, arguments->output); });
    command.add_option("FILE", arguments->file, "A checkpoint: safetensors or .pth")->required();
    addJson(command, arguments->output);
}

}  // namespace attnscope::cli
