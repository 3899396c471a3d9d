#include "core/store/store_json.h"

#include "core/base/json_text.h"
#include "core/data/preprocess/transform.h"
#include "core/run/record_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

void visitFields(MaybeConst<Shard> auto& shard, auto& visit)
{
    visit("index", shard.index);
    visit("count", shard.count);
}

void visitFields(MaybeConst<DataIssue> auto& issue, auto& visit)
{
    visit("kind", issue.kind);
    visit("count", issue.count);
    visit("names", issue.names);
}

void visitFields(MaybeConst<EvaluationSettings> auto& settings, auto& visit)
{
    visit("model", settings.model);
    visit("model_description", settings.modelDescription);
    visit.path("weights", settings.weights);
    visit("weights_sha256", settings.weightsHash);
    visit("transform", settings.transform);
    visit("views", settings.views);
    visit("dtype", settings.dtype);
    visit("device", settings.device);
    visit("threads", settings.threads);
    visit("batch", settings.batch);
    visit("limit", settings.limit);
    visit("seed", settings.seed);
    visit("shard", settings.shard);
    visit("decoder", settings.decoder);
    visit("environment", settings.environment);
    visit("command", settings.command);
    visit("notes", settings.notes);
    visit.optional("issues", settings.issues);
    visit.optional("draws", settings.draws);
    visit.optional("sampling", settings.sampling);
    visit.optional("reading", settings.reading);
    visit.optional("protocol", settings.protocol);
    visit.optional("keep", settings.keep);
}

void visitFields(MaybeConst<StoredTraining> auto& training, auto& visit)
{
    visit("model", training.model);
    visit("attention", training.attention);
    visit("weights", training.weights);
    visit("teacher", training.teacher);
    visit("device", training.device);
    visit("command", training.command);
    visit("epochs", training.epochs);
    visit("classes", training.classes);
    visit("training_samples", training.trainingSamples);
    visit("validation_samples", training.validationSamples);
}

void visitFields(MaybeConst<StoredEpoch> auto& epoch, auto& visit)
{
    visit("loss", epoch.loss);
    visit("learning_rate", epoch.learningRate);
    visit("seconds", epoch.seconds);
    visit("samples", epoch.samples);
    visit("best", epoch.best);
}

void visitFields(MaybeConst<Accuracy> auto& accuracy, auto& visit)
{
    visit("samples", accuracy.samples);
    visit("correct1", accuracy.correct);
    visit("correct5", accuracy.correct5);
}

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

}

Json toJson(const EvaluationSettings& settings)
{
    return writeFields(settings);
}

EvaluationSettings settingsFromJson(const Json& json)
{
    EvaluationSettings settings;
    readKnownFields(json, settings);
    return settings;
}

Json toJson(const std::vector<DataIssue>& issues)
{
    return jsonList(issues, [](const DataIssue& issue) { return writeFields(issue); });
}

Json accuracyJson(const Accuracy& accuracy)
{
    return {{"top1", accuracy.value()},
            {"top5", accuracy.top5().value()},
            {"samples", accuracy.samples},
            {"correct1", accuracy.correct},
            {"correct5", accuracy.correct5}};
}

Json toJson(const StoredRun& run)
{
    Json json{{"resolved", run.resolved},
              {"backend", run.backend},
              {"weights", toText(run.weights)},
              {"notes", run.notes}};
    if (run.latency)
        json["latency_ms"] = writeFields(*run.latency);
    if (run.memory)
        json["memory_bytes"] = writeFields(*run.memory);
    if (run.error)
        json["error"] = toJson(*run.error);
    if (run.emptyRows)
        json["empty_rows"] = *run.emptyRows;
    if (!run.failure.empty())
        json["failure"] = run.failure;
    return json;
}

StoredRun runFromJson(const Json& json)
{
    StoredRun run;
    std::string weights;
    JsonKnownFieldReader read(json);
    read("resolved", run.resolved);
    read("backend", run.backend);
    read("weights", weights);
    read("notes", run.notes);
    read("latency_ms", run.latency);
    read("memory_bytes", run.memory);
    read("failure", run.failure);
    run.weights = weightsFromText(weights);
    if (const auto error = json.find("error"); error != json.end() && error->is_object())
        run.error = errorFromJson(*error);
    if (const auto found = json.find("empty_rows"); found != json.end() && found->is_number())
        run.emptyRows = found->get<double>();
    return run;
}

Json toJson(const StoredTraining& training)
{
    return writeFields(training);
}

StoredTraining trainingFromJson(const Json& json)
{
    StoredTraining training;
    readKnownFields(json, training);
    return training;
}

Json toJson(const StoredEpoch& epoch)
{
    Json json = writeFields(epoch);
    if (epoch.validation) {
        json["validation"] = writeFields(*epoch.validation);
        json["validation"]["loss"] = finiteOrNull(epoch.validationLoss);
    }
    return json;
}

StoredEpoch epochFromJson(int64_t number, const Json& json)
{
    StoredEpoch epoch{
        .epoch = number, .loss = std::nan(""), .learningRate = std::nan(""), .seconds = std::nan("")};
    readKnownFields(json, epoch);
    if (const auto found = json.find("validation"); found != json.end() && found->is_object()) {
        readKnownFields(*found, epoch.validation.emplace());
        epoch.validationLoss = std::nan("");
        JsonKnownFieldReader{*found}("loss", epoch.validationLoss);
    }
    return epoch;
}

std::string dumpJson(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parseJson(const std::string& text)
{
    Json json = jsonFromText(text);
    if (!json.is_object())
        json = Json::object();
    return json;
}

Json identityOf(const EvaluationSettings& settings, bool withShard)
{
    Json json{{"model", settings.model},
              {"model_description", settings.modelDescription},
              {"weights", settings.weightsHash},
              {"transform", withoutMean(settings.transform)},
              {"views", settings.views},
              {"dtype", settings.dtype},
              {"batch", settings.batch},
              {"limit", settings.limit},
              {"seed", settings.seed}};
    if (!settings.draws.empty())
        json["draws"] = settings.draws;
    if (settings.sampling != publishedSampling && !settings.sampling.empty())  // older versions knew no other
        json["sampling"] = settings.sampling;
    if (!settings.reading.empty())
        json["reading"] = settings.reading;
    if (!settings.protocol.empty())
        json["protocol"] = settings.protocol;
    if (!settings.keep.empty())
        json["keep"] = settings.keep;
    if (withShard && settings.shard.count > 1)  // merged parts equal an unsharded evaluation
        json["shard"] = {settings.shard.index, settings.shard.count};
    return json;
}

std::map<std::string, std::string> identityTexts(const EvaluationSettings& settings)
{
    const Json identity = identityOf(settings, true);
    std::map<std::string, std::string> texts;
    for (const auto& [key, value] : identity.items())
        texts[key] = value.is_string()  ? value.get<std::string>()
                     : value.is_array() ? value[0].dump() + "/" + value[1].dump()
                                        : value.dump();
    return texts;
}

std::string identityDifferences(const EvaluationSettings& a, const EvaluationSettings& b)
{
    constexpr size_t maxShown = 60;
    auto ours = identityTexts(a), theirs = identityTexts(b);
    for (const auto& entry : theirs)
        ours.try_emplace(entry.first, "none");
    std::string text;
    for (const auto& [key, own] : ours) {
        const std::string other = theirs.contains(key) ? theirs[key] : "none";
        if (own != other
            && (key != "draws" || (own != "none" && other != "none")))  // none: without random attentions
            text += (text.empty() ? "" : ", ") + key
                    + (std::max(own.size(), other.size()) > maxShown ? "" : " (" + own + " and " + other + ")");
    }
    return text;
}

}
