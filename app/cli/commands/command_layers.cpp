#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/networks/network_comparison.h"
#include "models/export/export_network.h"
#include "models/export/node_data.h"
#include "models/network_differences.h"

#include <algorithm>
#include <cmath>

namespace attnscope::cli {

namespace {

/// Refuses a map that the attention is known not to have, before anything is measured.
void requireMap(const std::string& name, const AttentionSpec& spec)
{
    std::vector<std::string> having;
    for (const BackendInfo& info : backends())
        if (std::ranges::find(info.tokenMaps, name, &TokenMapInfo::name) != info.tokenMaps.end())
            having.push_back(info.name);
    if (!having.empty() && !spec.isNative() && !spec.isMixed()
        && std::ranges::find(having, spec.backend()) == having.end())
        throw UsageError("--figure-of", "`" + spec.backend() + "` has no map `" + name + "`",
                         "give it with " + joined(having, ", "));
}

/// "class", "ROW,COLUMN" or "FRAME,ROW,COLUMN".
TokenQuery parseQuery(const std::string& text)
{
    TokenQuery query;
    if (text == "class") {
        query.classToken = true;
        return query;
    }
    std::vector<int64_t> numbers;
    for (const std::string_view part : split(text, ',')) {
        const auto value = parseNumber<int64_t>(part);
        if (!value || *value < 0)
            numbers.assign(4, 0);
        numbers.push_back(value.value_or(0));
    }
    if (numbers.size() < 2 || numbers.size() > 3)
        throw UsageError("--query", "`" + printable(text) + "` is not a token",
                         "write class, ROW,COLUMN or FRAME,ROW,COLUMN, counting from 0");
    query.frame = numbers.size() == 3 ? numbers[0] : 0;
    query.row = numbers[numbers.size() - 2], query.column = numbers.back();
    return query;
}

std::string describe(const InspectedAttention& one)
{
    std::string text = emphasised(one.attention) + "  "
                       + (one.weights ? toText(*one.weights) + std::string(", ") : "") + "vs. " + one.exact + ", "
                       + (one.deterministic ? "deterministic" : counted(one.seeds, "seed")) + "\n";
    if (!one.failure.empty())
        return text + "  " + one.failure + "\n";
    const auto effectOn = [](const LayerAlone& alone) {
        return !std::isfinite(alone.kl) ? "none" : alone.top1Agrees ? "" : "flips";
    };
    Table table = tableOf({">layer", ">relative", ">mse", ">bias²", ">variance", ">prefix tokens",
                           ">mean of values", ">end to end", ">drift", ">KL (this layer only)", "class",
                           ">keys seen", ">mass kept"});
    for (size_t i = 0; i < one.teacherForced.size(); ++i) {
        const InspectedLayer& layer = one.teacherForced[i];
        table.addTexts({layer.name.empty() ? std::to_string(layer.layer) : layer.name,
                        formatError(layer.mean.error.relative), formatError(layer.mean.error.mse),
                        formatError(layer.mean.parts.biasSquared),
                        one.deterministic ? "" : formatError(layer.mean.parts.variance),
                        layer.mean.classToken ? formatError(layer.mean.classToken->relative) : "",
                        formatError(layer.meanOfValues.relative),
                        i < one.endToEnd.size() ? formatError(one.endToEnd[i].mean.error.relative) : "",
                        i < one.drift.size() ? formatError(one.drift[i]) : "",
                        i < one.alone.size() ? formatError(one.alone[i].kl) : "",
                        i < one.alone.size() ? effectOn(one.alone[i]) : "",
                        layer.keys ? formatPercentage(layer.keys->mean.density) : "",
                        layer.keys ? formatError(layer.keys->mean.massKept) : ""});
    }
    return text + terminalTable(table, 2) + "\n";
}

std::string describe(const LogitTermReport& report)
{
    std::string text = emphasised(printable(report.source)) + "  terms of layer 0's logits, "
                       + counted(report.heads, "head") + ", " + counted(report.tokens, "token")
                       + (std::isfinite(report.largestResidual)
                              ? "; their sum differs from the network's logits by at most "
                                    + formatError(report.largestResidual)
                              : std::string())
                       + "\n";
    Table table = tableOf({">head", ">content-content", ">content-position", ">position-content",
                           ">position-position", ">global-content", ">global-position"});
    for (size_t head = 0; head < size_t(report.heads); ++head) {
        std::vector<std::string> cells{std::to_string(head)};
        for (size_t t = 0; t + 1 < logitTermCount; ++t)
            cells.push_back(formatError(report.fractions[t][head]));
        table.addTexts(cells);
    }
    text += terminalTable(table, 2);
    for (const ExpectedOutput& one : report.expected)
        text += "  " + one.tensor + ": largest difference to the file " + formatError(one.maximumDifference)
                + ", tolerance " + formatError(one.tolerance) + (one.within() ? "" : ": too large") + "\n";
    return text;
}

/// The numbers of --overlay, and the operators that they are shown at.
class Overlay {
public:
    /// Before anything is measured: throws where there can be none.
    Overlay(const LayersOptions& options, const std::optional<AttentionSpec>& attention)
        : m_file(options.overlay)
    {
        if (m_file.empty())
            return;
        if (m_file.extension() != ".json")
            throw UsageError("--overlay", "`" + printable(options.overlay) + "` is no JSON file",
                             "use the extension .json");
        if (options.terms)
            throw UsageError("--overlay", "it shows attentions, not terms", "leave it out, or --terms");
        if (options.model.weights.empty())
            throw UsageError("--overlay", "tensors alone have no network to show",
                             "give --weights, or leave it out");
        requireWritable(m_file);
        ExportRequest request{.model = options.model,
                              .attention = attention->inNetwork().withWeights(WeightStorage::Own).canonical(),
                              .seed = options.device.seed};
        request.model.device = "cpu";
        m_operators = exportedOperators(request);
    }
    void write(const NodeData& data, const std::string& suffix = {}) const
    {
        if (m_file.empty())
            return;
        std::filesystem::path file = m_file;
        file.replace_filename(m_file.stem().string() + suffix + ".json");
        writeFileAtomically(file, toJson(data, m_operators).dump(2) + "\n");
    }
    void write(const NetworkComparison& comparison) const
    {
        for (const NodeData& one : nodeData(comparison))
            write(one, "-" + one.name);
    }

private:
    std::filesystem::path m_file;
    std::vector<std::string> m_operators;
};

ExitCode runTerms(LayersOptions& options, std::stop_token stop)
{
    if (!options.attention.empty() || !options.around.tokens.empty() || !options.around.weights.empty())
        throw UsageError("--terms", "it decomposes logits, whatever attention follows",
                         "leave out --attention, --tokens and --weights-dtype, or --terms");
    (void)Overlay(options, {});
    if (options.figureOf != "errors")
        throw UsageError("--figure-of", "with --terms the figure shows terms", "leave it out, or --terms");
    LogitTermRequest request{.query = {}, .seed = options.device.seed};
    if (!options.query.empty())
        request.query = parseQuery(options.query);
    if (!options.out.empty() && !request.query)
        throw UsageError("--out", "the terms' maps need a query",
                         "specify it with --query class, or --query ROW,COLUMN");
    checkFigureName("--figure", options.figure);
    if (!options.out.empty())
        requireWritable(options.out);
    LabConsole console(options.output);
    const LogitTermReport report = decomposeLogits(
        openSubject(options, stop, "or a safetensors file with content, position, norm, q and k"), request, stop);
    console.print(describe(report), toJson(report));
    if (!options.out.empty())
        writeTerms(report, options.out);
    if (!options.figure.empty())
        writeFigure(options.figure, report.maps ? termMaps(report) : termFractions(report));
    return std::ranges::all_of(report.expected, &ExpectedOutput::within) ? ExitCode::Done : ExitCode::Failed;
}

/// The attention of a network: the one that names it (`;checkpoint=2`), else one that names none, else its own.
AttentionSpec attentionOf(const std::vector<AttentionSpec>& given, const std::vector<ModelRequest>& checkpoints,
                          size_t place)
{
    const std::string number = std::to_string(place + 1);
    const AttentionSpec* own = nullptr;
    for (const AttentionSpec& spec : given) {
        const std::string& named = spec.checkpoint();
        if (named == number || named == checkpoints[place].weights || (named.empty() && own == nullptr))
            own = &spec;
    }
    return (own == nullptr ? AttentionSpec::native() : *own).withCheckpoint(number);
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

/// Two networks next to each other. `query`: whose attention is shown in both; empty: no maps.
ExitCode runAgainst(LayersOptions& options, const std::optional<TokenQuery>& query, std::stop_token stop)
{
    std::vector<ModelRequest> checkpoints(2, options.model);
    checkpoints.back().weights = options.against;
    const std::vector<AttentionSpec> given = parseSpecs(options.attention, options.around);
    const AttentionSpec attention = attentionOf(given, checkpoints, 0);
    checkFigureName("--figure", options.figure);
    const Overlay overlay(options, attention);
    LabConsole console(options.output);
    const LabColumns lab = openColumns(options, checkpoints, {attention, attentionOf(given, checkpoints, 1)},
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
    addDifferences(checkpoints.front(), checkpoints.back(), comparison);
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
    overlay.write(comparison);
    return code;
}

ExitCode run(LayersOptions& options, std::stop_token stop)
{
    if (options.terms)
        return runTerms(options, stop);
    if (!options.against.empty())
        return runAgainst(options, options.query.empty() ? std::nullopt : std::optional(parseQuery(options.query)),
                          stop);
    options.request.attention = parseSpecs(options.attention, options.around);
    if (options.request.attention.empty())
        throw UsageError("layers", "no attention was specified", "give --attention at least once");
    options.request.seed = options.device.seed;
    options.request.endToEnd = options.request.alone = !options.withoutEndToEnd;
    if (!options.query.empty())
        options.request.query = parseQuery(options.query);
    if (!options.out.empty() && options.query.empty())
        throw UsageError("--out", "attention maps need a query",
                         "specify it with --query class, or --query ROW,COLUMN");
    const std::vector<LayerChart> charts = layerCharts();
    const LayerChart& figure = *std::ranges::find(charts, options.figureOf, &LayerChart::name);
    if (figure.needsQuery && options.query.empty())
        throw UsageError("--figure-of", "`" + figure.name + "` is of one query",
                         "specify it with --query class, or --query ROW,COLUMN");
    requireMap(figure.name, options.request.attention.front());
    checkFigureName("--figure", options.figure);
    if (!options.out.empty())
        requireWritable(options.out);
    const Overlay overlay(options, options.request.attention.front());
    LabConsole console(options.output);
    const LayerInspection inspection = inspectLayers(openSubject(options, stop, "or a single safetensors file"),
                                                     options.request,
                                                     {.progress = console.progress(), .stop = stop});
    bool failed = false;
    std::string text;
    for (const std::string& note : notesOnce(inspection.attention))
        text += note + "\n";
    for (const InspectedAttention& one : inspection.attention) {
        text += describe(one);
        failed = failed || !one.failure.empty();
    }
    console.print(text, toJson(inspection), inspection.complete);
    if (!options.out.empty())
        writeMaps(inspection, options.out);
    if (!options.figure.empty() && inspection.attention.front().failure.empty())
        writeFigure(options.figure, figure.draw(inspection.attention.front()));
    if (inspection.attention.front().failure.empty())
        overlay.write(nodeData(inspection.attention.front()));
    return failed ? ExitCode::Failed : ExitCode::Done;
}

}

void addLayersCommand(CommandList& commands)
{
    const auto [command, options] = commands.add<LayersOptions>(
        "layers", "Shows where in a network an approximation goes wrong, and what it attends to instead",
        {"layers cat.jpg --weights deit.safetensors --attention lara --attention performer",
         "layers cat.jpg --weights deit.safetensors --attention lara --query 9,4 --out maps.safetensors --figure "
         "error.svg",
         "layers cat.jpg --weights deit.safetensors --attention longformer --figure mass.svg --figure-of "
         "mass-kept",
         "layers photos/ --weights deit.safetensors --against deit_lara.safetensors --figure cka.svg",
         "layers cat.jpg --weights deit.safetensors --attention lara --overlay errors.json",
         "layers qkv.safetensors --attention lara --attention performer",
         "layers cat.jpg --weights deit.safetensors --terms --query 9,4 --figure terms.svg"},
        run);
    allowTensorsAlone(command);
}

}
