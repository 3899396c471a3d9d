// SPDX-License-Identifier: Apache-2.0
#include "core/store/settings_json.h"

#include "core/base/json_path.h"

#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// JSON has no NaN and no infinity: null stands for NaN, strings for infinities.
Json number(double value)
{
    if (std::isnan(value))
        return nullptr;
    if (std::isinf(value))
        return value > 0 ? "infinity" : "-infinity";
    return value;
}

double readNumber(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end())
        return 0;
    if (found->is_number())
        return found->get<double>();
    if (*found == "infinity")
        return std::numeric_limits<double>::infinity();
    if (*found == "-infinity")
        return -std::numeric_limits<double>::infinity();
    return found->is_null() ? std::numeric_limits<double>::quiet_NaN() : 0;
}

std::string readText(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t readInteger(const Json& json, const char* key, std::int64_t otherwise = 0)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

std::vector<std::string> readTexts(const Json& json, const char* key)
{
    std::vector<std::string> texts;
    if (const auto found = json.find(key); found != json.end() && found->is_array())
        for (const Json& text : *found)
            if (text.is_string())
                texts.push_back(text.get<std::string>());
    return texts;
}

Json toJson(const Environment& environment)
{
    return {{"attnscope", environment.attnscope}, {"torch", environment.torch},
            {"compiler", environment.compiler},   {"instruction_set", environment.instructionSet},
            {"started", environment.started},     {"load_average", number(environment.loadAverage)},
            {"kernels", environment.kernels}};
}

Environment environmentFromJson(const Json& json)
{
    return {readText(json, "attnscope"),       readText(json, "torch"),   readText(json, "compiler"),
            readText(json, "instruction_set"), readText(json, "started"), readNumber(json, "load_average"),
            readText(json, "kernels")};
}

Json toJson(const Latency& latency)
{
    return {{"median", number(latency.medianMs)},
            {"p05", number(latency.p05Ms)},
            {"p95", number(latency.p95Ms)},
            {"attention_median", number(latency.attentionMedianMs)},
            {"attention_p05", number(latency.attentionP05Ms)},
            {"attention_p95", number(latency.attentionP95Ms)},
            {"repetitions", latency.repetitions}};
}

Latency latencyFromJson(const Json& json)
{
    return {readNumber(json, "median"),        readNumber(json, "p05"),
            readNumber(json, "p95"),           readNumber(json, "attention_median"),
            readNumber(json, "attention_p05"), readNumber(json, "attention_p95"),
            readInteger(json, "repetitions")};
}

Json toJson(const Memory& memory)
{
    return {{"peak", memory.peakBytes},
            {"weights", memory.weightsBytes},
            {"attention_peak", memory.attentionPeakBytes}};
}

Json toJson(const ErrorValue& error)
{
    return {{"mse", number(error.mse)},
            {"mse_deviation", number(error.mseStddev)},
            {"relative", number(error.relative)},
            {"relative_deviation", number(error.relativeStddev)}};
}

ErrorValue errorFromJson(const Json& json)
{
    return {readNumber(json, "mse"), readNumber(json, "mse_deviation"), readNumber(json, "relative"),
            readNumber(json, "relative_deviation")};
}

WeightsKind weightsFromText(const std::string& text)
{
    for (const WeightsKind kind : {WeightsKind::Trained, WeightsKind::Swapped})
        if (text == toText(kind))
            return kind;
    return WeightsKind::Untrained;
}

}  // namespace

Json toJson(const EvaluationSettings& settings)
{
    Json json{{"model", settings.model},
              {"model_description", settings.modelDescription},
              {"weights", jsonPath(settings.weights)},
              {"weights_sha256", settings.weightsHash},
              {"transform", settings.transform},
              {"views", settings.views},
              {"dtype", settings.dtype},
              {"device", settings.device},
              {"threads", settings.threads},
              {"batch", settings.batch},
              {"limit", settings.limit},
              {"seed", settings.seed},
              {"shard", {{"index", settings.shard.index}, {"count", settings.shard.count}}},
              {"decoder", settings.decoder},
              {"environment", toJson(settings.environment)},
              {"command", settings.command},
              {"notes", settings.notes}};
    if (!settings.draws.empty())
        json["draws"] = settings.draws;
    return json;
}

EvaluationSettings settingsFromJson(const Json& json)
{
    EvaluationSettings settings;
    settings.model = readText(json, "model");
    settings.modelDescription = readText(json, "model_description");
    settings.weights = pathFromJson(readText(json, "weights"));
    settings.weightsHash = readText(json, "weights_sha256");
    settings.transform = readText(json, "transform");
    settings.views = readText(json, "views");
    settings.dtype = readText(json, "dtype");
    settings.device = readText(json, "device");
    settings.threads = readInteger(json, "threads");
    settings.batch = readInteger(json, "batch");
    settings.limit = readInteger(json, "limit");
    settings.seed = static_cast<std::uint64_t>(readInteger(json, "seed"));
    settings.draws = readText(json, "draws");
    if (const auto shard = json.find("shard"); shard != json.end() && shard->is_object())
        settings.shard = {readInteger(*shard, "index", 1), readInteger(*shard, "count", 1)};
    settings.decoder = readText(json, "decoder");
    if (const auto environment = json.find("environment"); environment != json.end() && environment->is_object())
        settings.environment = environmentFromJson(*environment);
    settings.command = readText(json, "command");
    settings.notes = readTexts(json, "notes");
    return settings;
}

Json toJson(const StoredRun& run)
{
    Json json{{"resolved", run.resolved},
              {"backend", run.backend},
              {"weights", toText(run.weights)},
              {"notes", run.notes}};
    if (run.latency)
        json["latency_ms"] = toJson(*run.latency);
    if (run.memory)
        json["memory_bytes"] = toJson(*run.memory);
    if (run.error)
        json["error"] = toJson(*run.error);
    if (!run.failure.empty())
        json["failure"] = run.failure;
    return json;
}

StoredRun runFromJson(const Json& json)
{
    StoredRun run;
    run.resolved = readText(json, "resolved");
    run.backend = readText(json, "backend");
    run.weights = weightsFromText(readText(json, "weights"));
    run.notes = readTexts(json, "notes");
    if (const auto latency = json.find("latency_ms"); latency != json.end() && latency->is_object())
        run.latency = latencyFromJson(*latency);
    if (const auto memory = json.find("memory_bytes"); memory != json.end() && memory->is_object())
        run.memory = Memory{readInteger(*memory, "peak"), readInteger(*memory, "weights"),
                            readInteger(*memory, "attention_peak")};
    if (const auto error = json.find("error"); error != json.end() && error->is_object())
        run.error = errorFromJson(*error);
    run.failure = readText(json, "failure");
    return run;
}

std::string dumpJson(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parseJson(const std::string& text)
{
    Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? json : Json::object();
}

Json identityOf(const EvaluationSettings& settings, bool withShard)
{
    Json json{{"model", settings.model},
              {"model_description", settings.modelDescription},
              {"weights", settings.weightsHash},
              {"transform", settings.transform},
              {"views", settings.views},
              {"dtype", settings.dtype},
              {"batch", settings.batch},
              {"limit", settings.limit},
              {"seed", settings.seed}};
    if (!settings.draws.empty())
        json["draws"] = settings.draws;
    if (withShard && settings.shard.count > 1)  // parts that were merged are what was never shared
        json["shard"] = {settings.shard.index, settings.shard.count};
    return json;
}

}  // namespace attnscope
