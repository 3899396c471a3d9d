#include "app/cli/commands/against.h"

#include "app/cli/commands/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/lab_json.h"
#include "core/lab/networks/network_comparison.h"
#include "models/network_differences.h"

#include <algorithm>
#include <cmath>

namespace attnscope::cli {

namespace {

/// The attention of a network: the one that names it (`;checkpoint=2`), else one that names none, else its own.
AttentionSpec attentionOf(const std::vector<AttentionSpec>& given, const std::vector<std::string>& checkpoints,
                          size_t place)
{
    const AttentionSpec* own = nullptr;
    for (const AttentionSpec& spec : given) {
        const std::string& named = spec.checkpoint();
        const bool isNamed = named == std::to_string(place + 1) || named == checkpoints[place];
        if (isNamed || (named.empty() && own == nullptr))
            own = &spec;
    }
    return (own == nullptr ? AttentionSpec::native() : *own).withCheckpoint(place == 0 ? "" : "2");
}

std::string firstNames(const std::vector<std::string>& names)
{
    constexpr size_t shown = 5;
    const std::vector<std::string> first(names.begin(), names.begin() + ptrdiff_t(std::min(shown, names.size())));
    return joined(first, ", ") + (names.size() > shown ? ", …" : "");
}

std::string describe(const NetworkComparison& one)
{
    const auto side = [](const ModelSummary& model, const std::string& attention, const std::string& dtype) {
        return emphasised(printable(model.name)) + ", " + attention + ", " + dtype + ", "
               + printable(model.weightsSource);
    };
    std::string text = side(one.first, one.firstAttention, one.firstDtype) + "\n"
                       + side(one.second, one.secondAttention, one.secondDtype) + "\n";
    text += counted(std::ssize(one.inputs), "input");
    if (std::isfinite(one.kl))
        text += "; KL " + formatError(one.kl) + " nats over " + counted(one.matchedClasses, "class", "classes")
                + ", the same first class for " + formatPercentage(one.agreement);
    text += "\n\n" + terminalTable(blockTable(one), 2);
    if (!one.whyNoCka.empty())
        text += "  " + one.whyNoCka + ".\n";
    constexpr size_t shownTensors = 12;
    const Table weights = weightTable(one, shownTensors);
    const auto changed = std::ranges::count_if(one.weights,
                                               [](const TensorDifference& tensor) { return tensor.largest != 0; });
    text += "\n" + std::to_string(changed) + " of " + counted(std::ssize(one.weights), "tensor")
            + " of the same name and shape " + nounFor(changed, "differs", "differ");
    if (changed > std::ssize(weights.rows))
        text += ", those most that stand here";
    text += ".\n";
    if (!weights.rows.empty())
        text += terminalTable(weights, 2);
    for (const auto& [names, which] :
         {std::pair(&one.onlyInFirst, "first"), std::pair(&one.onlyInSecond, "second")})
        if (!names->empty())
            text += "  " + counted(std::ssize(*names), "tensor") + " only in the " + which + ": "
                    + firstNames(*names) + "\n";
    if (!one.description.empty())
        text += "\n" + terminalTable(descriptionTable(one), 2);
    return text;
}

/// What the query attends to in both, on the first input.
Json mapsOf(const LabColumns& lab, const InspectRequest& request, std::stop_token stop)
{
    Json maps = Json::object();
    for (const AttentionSpec& column : lab.columns) {
        InspectRequest own = request;
        own.attention = {column.inNetwork()};
        const LayerInspection inspection = inspectLayers(
            NetworkInputs{networkOf(column, lab.networks)->classifier, {lab.inputs.front()}}, own, {.stop = stop});
        maps[maps.empty() ? "first" : "second"] = toJson(inspection)["attention"][0];
    }
    return maps;
}

}

ExitCode runAgainst(LayersOptions& options, const std::optional<TokenQuery>& query, std::stop_token stop)
{
    ColumnOptions columns;
    static_cast<LabOptions&>(columns) = options;
    columns.checkpoints = {options.model.weights, options.against};
    if (!options.model.model.empty())
        columns.models = {options.model.model};
    const std::vector<AttentionSpec> given = parseSpecs(options.attention, options.around);
    checkFigureName("--figure", options.figure);
    LabConsole console(options.output);
    const LabColumns lab = openColumns(columns,
                                       {attentionOf(given, columns.checkpoints, 0).withCheckpoint("1"),
                                        attentionOf(given, columns.checkpoints, 1)},
                                       stop);
    const ComparedNetwork &first = *networkOf(lab.columns.front(), lab.networks),
                          &second = *networkOf(lab.columns.back(), lab.networks);
    for (const ComparedNetwork* one : {&first, &second})
        if (one->classifier == nullptr)
            throw UsageError("--against", one->failure);
    const NetworkComparisonRequest request{lab.columns.front(), lab.columns.back(), options.device.seed};
    NetworkComparison comparison = compareNetworks(first, second, lab.inputs, request, console.progress(), stop);
    if (comparison.inputs.empty())
        throw Error("", "no input could be read: " + comparison.unreadable.front().reason);
    const std::vector<ModelRequest> requests = columns.requests();
    addDifferences(requests.front(), requests.back(), comparison);
    Json json = toJson(comparison);
    if (query) {
        const InspectRequest maps{.attention = {},
                                  .seed = options.device.seed,
                                  .query = query,
                                  .errors = false,
                                  .endToEnd = false,
                                  .alone = false};
        json["maps"] = mapsOf(lab, maps, stop);
    }
    const ExitCode code = console.print(describe(comparison), json, comparison.complete, comparison.unreadable);
    if (!options.figure.empty())
        writeFigure(options.figure, ckaMap(comparison));
    return code;
}

}
