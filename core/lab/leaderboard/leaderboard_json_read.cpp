#include "core/lab/leaderboard/leaderboard_json.h"

#include "core/base/error.h"
#include "core/checkpoint/json_file.h"
#include "core/run/record_fields.h"

#include <cmath>
#include <cstdint>

namespace attnscope {

namespace {

double number(const Json& json)
{
    return json.is_null() ? std::nan("") : json.get<double>();
}

std::optional<double> optionalNumber(const Json& json)
{
    return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

LeaderboardEffect effectFrom(const Json& json, bool hasClasses)
{
    LeaderboardEffect effect{optionalNumber(json.at("kl")), optionalNumber(json.at("agreement")),
                             optionalNumber(json.at("cosine"))};
    if (hasClasses && !effect.kl)
        effect.kl = std::nan("");  // was not finite
    return effect;
}

LeaderboardRow rowFrom(const Json& json, bool hasClasses)
{
    LeaderboardRow row{.attention = json.at("attention"), .backend = json.at("backend")};
    if (!json.at("samples").is_null())
        row.samples = integerFrom<std::int64_t>(json.at("samples"));
    if (json.contains("failure")) {
        row.failure = json.at("failure");
        return row;
    }
    row.seeds = integerFrom<std::int64_t>(json.at("seeds"));
    row.deterministic = json.at("deterministic");
    row.relative = number(json.at("relative"));
    row.relativeStddev = number(json.at("relative_sd"));
    row.medianRelative = number(json.at("median_relative"));
    for (const Json& layer : json.at("layers"))
        row.layers.push_back(number(layer));
    row.notFinite = integerFrom<std::int64_t>(json.at("not_finite"));
    if (json.contains("end_to_end"))
        row.effect = effectFrom(json.at("end_to_end"), hasClasses);
    readFields(json.at("latency_ms"), row.latency);
    readFields(json.at("exact_latency_ms"), row.exactLatency);
    row.peakBytes = integerFrom<std::int64_t>(json.at("memory_bytes").at("attention_peak"));
    row.exactPeakBytes = integerFrom<std::int64_t>(json.at("memory_bytes").at("exact_attention_peak"));
    row.macs = json.at("macs");
    row.exactMacs = json.at("exact_macs");
    if (json.contains("notes"))
        row.notes = json.at("notes").get<std::vector<std::string>>();
    return row;
}

/// How it was made, as far as the rows depend on it: name and value of each setting.
std::vector<std::pair<std::string, std::string>> setupOf(const LeaderboardReport& report)
{
    std::vector<std::pair<std::string, std::string>> setup{
        {"source", jsonPath(report.source)},
        {"exact attention", report.exact},
        {"seed", std::to_string(report.seed)},
        {"number of seeds", std::to_string(report.seeds)},
        {"number of tokens", std::to_string(report.tokens)},
        {"factor of the logits", std::to_string(report.temperature)}};
    if (!report.model)
        return setup;
    const RunReport& model = *report.model;
    setup.insert(setup.end(), {{"checkpoint", jsonPath(model.model.weightsSource)},
                               {"data type", model.dtype},
                               {"device", model.device.name + " " + model.device.description + " "
                                              + std::to_string(model.device.threads)},
                               {"version", model.environment.attnscope},
                               {"preprocessing", model.transform}});
    std::string inputs;
    for (const InputRecord& input : model.inputs)
        inputs += jsonPath(input.path) + "\n";
    setup.emplace_back("list of inputs", inputs);
    return setup;
}

}

LeaderboardReport readLeaderboard(const std::filesystem::path& file)
{
    const Json json = readJson(file, mostRecordBytes);
    try {
        const Json& made = json.at("leaderboard");
        LeaderboardReport report;
        report.exact = made.at("exact");
        report.tokens = integerFrom<std::int64_t>(made.at("tokens"));
        report.seed = integerFrom<std::uint64_t>(made.at("seed"));
        report.seeds = integerFrom<std::int64_t>(made.at("seeds"));
        report.hasClasses = made.at("has_classes");
        if (json.contains("model")) {
            RunReport& model = report.model.emplace();
            model.model.name = report.source = json.at("model").at("name");
            model.model.weightsSource = pathFromJson(json.at("model").at("weights").get<std::string>());
            model.dtype = json.at("dtype");
            model.transform = json.at("transform");
            readFields(json.at("device"), model.device);
            readFields(json.at("environment"), model.environment);
            for (const Json& input : json.at("inputs"))
                model.inputs.push_back({.path = pathFromJson(input.at("path").get<std::string>())});
        } else {
            report.source = pathFromJson(json.at("file").get<std::string>());
            report.temperature = json.at("temperature");
        }
        for (const Json& row : json.at("rows"))
            report.rows.push_back(rowFrom(row, report.hasClasses));
        return report;
    } catch (const Json::exception&) {
        throw FileError(file.string(), "it is not the JSON of a leaderboard", "give another file, or delete it");
    }
}

std::string differentSetup(const LeaderboardReport& a, const LeaderboardReport& b)
{
    const auto first = setupOf(a), second = setupOf(b);
    if (first.size() != second.size())
        return "source";
    for (std::size_t i = 0; i < first.size(); ++i)
        if (first[i] != second[i])
            return first[i].first;
    return {};
}

}
