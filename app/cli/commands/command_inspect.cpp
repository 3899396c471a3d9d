#include "app/cli/commands/command.h"
#include "app/cli/output/console.h"
#include "app/cli/output/report_tables.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "models/weights/inspection.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnscope::cli {

namespace {

int64_t bytesOf(const StoredTensor& tensor)
{
    return tensor.elements() * int64_t(elementSize(tensor.type));
}

struct Totals {
    int64_t elements = 0, bytes = 0;
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
    constexpr size_t longest = 160;
    std::string text = printable(value.is_string() ? value.get<std::string>()
                                                   : value.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (text.size() <= longest)
        return text;
    size_t end = longest;
    while (end > 0 && (text[end] & 0xc0) == 0x80)
        --end;
    return text.substr(0, end) + " …";
}

void describeDigits(const Inspection& inspection, std::string& text)
{
    if (inspection.sha256.empty())
        return;
    text += "  sha256 " + inspection.sha256;
    if (!inspection.publishedDigits.empty())
        text += inspection.digitsAgree() ? ", as stated in its name"
                                         : "; according to its name it should be " + inspection.publishedDigits
                                               + ": it was changed, or its download is incomplete";
    text += "\n";
}

/// What it is, and whether it runs.
std::string verdict(const Inspection& inspection)
{
    std::string text = "  " + printable(describeIdentity(inspection.identity)) + "\n";
    if (inspection.fit) {
        text += "  " + oneLine(*inspection.fit) + "\n";
        for (const std::string& line : lines(*inspection.fit))
            text += "  " + line + "\n";
        for (const auto& [what, names] : {std::pair{"missing", &inspection.fit->missing},
                                          {"shape mismatch", &inspection.fit->mismatching},
                                          {"unexpected", &inspection.fit->unexpected}})
            if (!names->empty())
                text += fmt::format("  {}: {}\n", what, printable(joinWords(*names, "and")));
    }
    if (!inspection.undecided.empty())
        text += "  " + inspection.undecided + "\n";
    return text;
}

std::string describeSwitches(const CheckpointIdentity& identity)
{
    if (identity.switches.empty())
        return {};
    Table table = tableOf({"switch", "value", "shown by"});
    for (const WitnessedKey& each : identity.switches) {
        const bool open = std::ranges::find(identity.undecided, each.key) != identity.undecided.end();
        table.addTexts({each.key, open ? "undecided" : shortened(each.value),
                        open ? "nothing: give it with --set" : printable(each.witness)});
    }
    return terminalTable(table, 2);
}

std::string describeTensors(const StateDict& state)
{
    Table table = tableOf({"tensor", "type", "shape", ">numbers", ">bytes"});
    for (const auto& [name, tensor] : state.tensors)
        table.addTexts({printable(name), toText(tensor.type),
                        tensor.shape.empty() ? "scalar" : joinedSizes(tensor.shape),
                        formatCount(tensor.elements()), formatBytes(bytesOf(tensor)).text()});
    return terminalTable(table, 2);
}

std::string describe(const Inspection& inspection, const std::string& path)
{
    const StateDict& state = inspection.state;
    const Totals totals = totalsOf(state);
    std::string text = emphasised(printable(path))
                       + fmt::format("  {}{}: {}, {}, {}\n", state.container,
                                     state.nesting.empty() ? "" : " (under `" + printable(state.nesting) + "`)",
                                     formatCounted(std::ssize(state.tensors), "tensor"),
                                     formatCounted(totals.elements, "value"), formatBytes(totals.bytes).text());
    text += verdict(inspection);
    if (inspection.model)
        text += fmt::format("  input {}{}\n", joinedSizes(inspection.model->input),
                            inspection.arithmetic
                                ? "; " + describeFraction(*inspection.model, *inspection.arithmetic)
                                : std::string());
    describeDigits(inspection, text);
    if (inspection.header && !inspection.header->labels.empty())
        text += fmt::format("  class names: {}, from {} to {}\n", inspection.header->labels.size(),
                            inspection.header->labels.front(), inspection.header->labels.back());
    if (!inspection.fit)
        for (const std::string& note : state.notes)
            text += "  " + note + "\n";
    if (state.metadata.is_object() && !state.metadata.empty()) {
        Table metadata = tableOf({"metadata", "value"});
        for (const auto& [key, value] : state.metadata.items())
            metadata.addTexts({printable(key), shortened(value)});
        text += terminalTable(metadata, 2);
    }
    return text + describeSwitches(inspection.identity) + describeTensors(state);
}

Json toJson(const Inspection& inspection, const std::string& path)
{
    const StateDict& state = inspection.state;
    const Totals totals = totalsOf(state);
    Json json{{"file", jsonPath(path)}, {"container", state.container}};
    json["nesting"] = state.nesting.empty() ? Json(nullptr) : Json(printable(state.nesting));
    json["alternatives"] = state.alternatives;
    json["sha256"] = textOrNull(inspection.sha256);
    json["sha256_in_name"] = textOrNull(inspection.publishedDigits);
    json["identity"] = toJson(inspection.identity);
    json["family"] = json["identity"]["family"];
    json["reason"] = json["identity"]["reason"];
    json["load"] = inspection.fit ? toJson(*inspection.fit) : Json(nullptr);
    if (inspection.model) {
        json["input"] = inspection.model->input;
        json["tokens"] = inspection.model->tokens;
        json["macs"] = inspection.model->macs;
    }
    if (inspection.arithmetic)
        json["attention_macs"] = inspection.arithmetic->attention;
    json["undecided"] = textOrNull(inspection.undecided);
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

struct InspectArguments {
    ModelRequest request;
    bool hash = false;
    OutputOptions output;
};

void visitOptions(InspectArguments& arguments, auto& visit)
{
    visit("FILE", arguments.request.weights, requiredText(""), "A checkpoint: safetensors or .pth");
    visitCheckpointChoice(arguments.request, visit);
    visit("--sha256", arguments.hash, "Hash the whole file even if its name contains no digits to compare with");
    visitJson(arguments.output, visit);
}

ExitCode run(InspectArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    const std::string& path = arguments.request.weights;
    const Inspection inspection = inspectCheckpoint(arguments.request,
                                                    arguments.hash ? Hash::Always : Hash::WhereNamed);
    target.print(describe(inspection, path), toJson(inspection, path));
    return ExitCode::Done;
}

}

void addInspectCommand(CommandList& commands)
{
    commands.add<InspectArguments>(
        "inspect",
        "Shows a checkpoint's tensors, metadata, model family and how it was recognised; nothing in it is "
        "executed",
        {"inspect weights.safetensors", "inspect weights.pth --json -"}, run);
}

}
