#include "core/lab/leaderboard/leaderboard_json.h"

#include "core/base/error.h"
#include "core/checkpoint/json_file.h"
#include "core/lab/leaderboard/leaderboard_fields.h"

#include <cmath>

namespace attnscope {

namespace {

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
    const Json json = readJson(file, maxRecordBytes);
    try {
        LeaderboardReport report;
        JsonFieldReader made(json.at("leaderboard"));
        visitSetup(report, made);
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
        for (const Json& row : json.at("rows")) {
            readFields(row, report.rows.emplace_back());
            if (auto& effect = report.rows.back().effect; effect && report.hasClasses && !effect->kl)
                effect->kl = std::nan("");  // was not finite
        }
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
    for (size_t i = 0; i < first.size(); ++i)
        if (first[i] != second[i])
            return first[i].first;
    return {};
}

}
