#include "app/cli/commands/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/layers/layer_maps.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attnscope::cli {

namespace {

struct LayersArguments : LabArguments {
    InspectRequest request;
    std::string query, figure, figureOf = "errors";
    bool withoutEndToEnd = false, terms = false;
};

/// What --figure draws of the first attention.
struct LayersFigure {
    std::string name;
    std::function<HeatMap(const InspectedAttention& attention)> draw;
    bool needsQuery = false;
};

LayersFigure mapFigure(const std::string& name, bool ofQuery)
{
    return {name, [name](const InspectedAttention& one) { return tokenMaps(one, name); }, ofQuery};
}

std::vector<LayersFigure> layersCharts()
{
    std::vector<LayersFigure> charts{
        {"errors", [](const InspectedAttention& one) { return errorMap(one, InspectionMode::TeacherForced); }},
        {"mass-kept", massMaps},
        {"seen", seenMaps, true},
        {"merged", mergedMaps},
        mapFigure(std::string(queryErrorMap), false)};
    for (const TokenMapInfo& info : tokenMapInfos())
        charts.push_back(mapFigure(info.name, info.ofQuery));
    return charts;
}

LayersFigure figureNamed(const std::string& name)
{
    const std::vector<LayersFigure> charts = layersCharts();
    return *std::ranges::find(charts, name, &LayersFigure::name);
}

std::vector<std::string> figureNames()
{
    std::vector<std::string> names;
    for (const LayersFigure& figure : layersCharts())
        names.push_back(figure.name);
    return names;
}

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

ExitCode runTerms(LayersArguments& arguments, std::stop_token stop)
{
    if (!arguments.attention.empty() || !arguments.around.tokens.empty() || !arguments.around.weights.empty())
        throw UsageError("--terms", "it decomposes logits, whatever attention follows",
                         "leave out --attention, --tokens and --weights-dtype, or --terms");
    if (arguments.figureOf != "errors")
        throw UsageError("--figure-of", "with --terms the figure shows terms", "leave it out, or --terms");
    LogitTermRequest request{.query = {}, .seed = arguments.device.seed};
    if (!arguments.query.empty())
        request.query = parseQuery(arguments.query);
    if (!arguments.out.empty() && !request.query)
        throw UsageError("--out", "the terms' maps need a query",
                         "specify it with --query class, or --query ROW,COLUMN");
    checkFigureName("--figure", arguments.figure);
    if (!arguments.out.empty())
        requireWritable(arguments.out);
    LabConsole console(arguments.output);
    const LogitTermReport report = decomposeLogits(
        openSubject(arguments, stop, "or a safetensors file with content, position, norm, q and k"), request,
        stop);
    console.print(describe(report), toJson(report));
    if (!arguments.out.empty())
        writeTerms(report, arguments.out);
    if (!arguments.figure.empty())
        writeFigure(arguments.figure, report.maps ? termMaps(report) : termFractions(report));
    return std::ranges::all_of(report.expected, &ExpectedOutput::within) ? ExitCode::Done : ExitCode::Failed;
}

ExitCode run(LayersArguments& arguments, std::stop_token stop)
{
    if (arguments.terms)
        return runTerms(arguments, stop);
    arguments.request.attention = parseSpecs(arguments.attention, arguments.around);
    if (arguments.request.attention.empty())
        throw UsageError("layers", "no attention was specified", "give --attention at least once");
    arguments.request.seed = arguments.device.seed;
    arguments.request.endToEnd = arguments.request.alone = !arguments.withoutEndToEnd;
    if (!arguments.query.empty())
        arguments.request.query = parseQuery(arguments.query);
    if (!arguments.out.empty() && arguments.query.empty())
        throw UsageError("--out", "attention maps need a query",
                         "specify it with --query class, or --query ROW,COLUMN");
    const LayersFigure figure = figureNamed(arguments.figureOf);
    if (figure.needsQuery && arguments.query.empty())
        throw UsageError("--figure-of", "`" + figure.name + "` is of one query",
                         "specify it with --query class, or --query ROW,COLUMN");
    requireMap(figure.name, arguments.request.attention.front());
    checkFigureName("--figure", arguments.figure);
    if (!arguments.out.empty())
        requireWritable(arguments.out);
    LabConsole console(arguments.output);
    const LayerInspection inspection = inspectLayers(openSubject(arguments, stop, "or a single safetensors file"),
                                                     arguments.request,
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
    if (!arguments.out.empty())
        writeMaps(inspection, arguments.out);
    if (!arguments.figure.empty() && inspection.attention.front().failure.empty())
        writeFigure(arguments.figure, figure.draw(inspection.attention.front()));
    return failed ? ExitCode::Failed : ExitCode::Done;
}

}

void addLayersCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<LayersArguments>(
        "layers", "Shows where in a network an approximation goes wrong, and what it attends to instead",
        {"layers cat.jpg --weights deit.safetensors --attention lara --attention performer",
         "layers cat.jpg --weights deit.safetensors --attention lara --query 9,4 --out maps.safetensors --figure "
         "error.svg",
         "layers cat.jpg --weights deit.safetensors --attention longformer --figure mass.svg --figure-of "
         "mass-kept",
         "layers qkv.safetensors --attention lara --attention performer",
         "layers cat.jpg --weights deit.safetensors --terms --query 9,4 --figure terms.svg"},
        run);
    addLabArguments(command, arguments);
    addAroundAttention(command, arguments.around);
    allowTensorsAlone(command);
    addText(
        command, "--query", arguments.query,
        "Attention maps of one query token: class, or a patch as ROW,COLUMN or FRAME,ROW,COLUMN, counting from 0",
        "TOKEN");
    addText(command, "--out", arguments.out, "Write the maps as tensors to this safetensors file");
    addText(command, "--figure", arguments.figure,
            "Write a figure of the first attention (.svg or .csv): see --figure-of");
    addChoice(command, "--figure-of", arguments.figureOf,
              "What --figure draws: errors by layer and head; where an attention leaves keys out, exact softmax's "
              "weight on the keys that each "
              "query sees, or the keys that the query of --query sees; where tokens merge, how many patches are "
              "one token with each; every "
              "query's error; or what the attention chose (see backends)",
              figureNames());
    command.add_flag("--teacher-forced", arguments.withoutEndToEnd,
                     "Only measure errors on the exact pass's q, k, v, without further passes");
    command.add_flag(
        "--terms", arguments.terms,
        "Instead of attentions: the logits of layer 0 as terms of content and position, with maps of the query");
    addSeeds(command, arguments.request.seeds);
}

}
