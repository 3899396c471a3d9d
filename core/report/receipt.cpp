#include "core/report/receipt.h"

#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/sha256.h"
#include "core/data/dataset/video_segment.h"
#include "core/store/data_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr int receiptVersion = 1;

std::string hashOfFile(const fs::path& path)
{
    try {
        if (const auto packed = findPacked(path); packed && packed->entry) {
            const std::vector<uint8_t> bytes = packed->archive->archive->read(*packed->entry);
            return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        return checkpointHash(path);
    } catch (const FileError&) {
        return "cannot be read";
    }
}

/// A run's samples, named relative to `base` and by name: neither the place of the files nor their order matters.
std::vector<StoredSample> samplesByName(const ResultStore& store, int64_t run, const fs::path& base)
{
    std::vector<StoredSample> samples = store.samples(
        {.run = run, .predictions = PredictionsShown::All, .offset = 0, .count = -1});
    for (StoredSample& sample : samples)
        sample.path = storedPath(sample.path, base);
    std::ranges::sort(samples, {}, &StoredSample::path);
    return samples;
}

/// The bytes of all files of a data set, readable or not.
std::string hashOfContents(const fs::path& base, const std::vector<StoredSample>& samples,
                           const std::vector<UnreadableSample>& unreadable)
{
    std::map<std::string, std::string> hashes, ofFiles;
    const auto add = [&](const auto& sample) {
        const auto [file, isNew] = ofFiles.try_emplace(segmentOf(openedPath(sample.path, base)).file);
        if (isNew)
            file->second = hashOfFile(file->first);
        hashes[sample.path] = file->second;
    };
    std::ranges::for_each(samples, add);
    std::ranges::for_each(unreadable, add);
    std::string all;
    for (const auto& [path, hash] : hashes)
        all += fmt::format("{} {}\n", hash, path);
    return sha256(all);
}

/// The first class of every sample, and all that is kept of the predictions, bit for bit.
std::pair<std::string, std::string> hashesOfPredictions(const std::vector<StoredSample>& samples)
{
    std::string classes, whole;
    for (const StoredSample& sample : samples) {
        const std::optional<SamplePrediction>& prediction = sample.predictions.front();
        if (!prediction)
            continue;
        classes += fmt::format("{} {}\n", sample.path, prediction->classes.front());
        whole += sample.path;
        for (size_t i = 0; i < SamplePrediction::kept; ++i)
            whole += fmt::format(" {} {:08x}", prediction->classes[i],
                                 std::bit_cast<uint32_t>(prediction->probabilities[i]));
        whole += fmt::format(" {:08x} {}\n", std::bit_cast<uint32_t>(prediction->labelProbability),
                             prediction->labelRank);
    }
    return {sha256(classes), sha256(whole)};
}

std::vector<ReceiptEntry> entriesFrom(const Json& json)
{
    std::vector<ReceiptEntry> entries;
    std::set<std::string> names;
    for (const Json& entry : json) {
        entries.push_back({entry.at("name").get<std::string>(), entry.at("value").get<std::string>()});
        if (!names.insert(entries.back().name).second)
            throw Json::other_error::create(501, "a name stands twice", &entry);
    }
    return entries;
}

Json toJson(const std::vector<ReceiptEntry>& entries)
{
    return jsonList(entries, [](const ReceiptEntry& entry) {
        return Json{{"name", entry.name}, {"value", entry.value}};
    });
}

}

Receipt receiptOf(const ResultStore& store, int64_t id, const std::vector<std::string>& options)
{
    const StoredEvaluation evaluation = store.evaluation(id);
    if (evaluation.state != EvaluationState::Finished)
        throw UsageError("--receipt", "the evaluation is not finished", "finish it with --resume first");
    const EvaluationSettings& settings = evaluation.settings;
    const fs::path base = baseFolder(evaluation.dataRoot, evaluation.layout);
    std::vector<UnreadableSample> unreadable = store.unreadable(id, 0, -1);
    for (UnreadableSample& sample : unreadable)
        sample.path = storedPath(sample.path, base);
    std::ranges::sort(unreadable, {}, &UnreadableSample::path);
    std::vector<std::vector<StoredSample>> samples;
    for (const StoredRun& run : evaluation.runs)
        samples.push_back(samplesByName(store, run.id, base));
    Receipt receipt{.options = options, .conditions = {}, .results = {}};
    receipt.conditions = {
        {"Attnscope", settings.environment.attnscope},
        {"program (SHA-256)", hashOfFile("/proc/self/exe")},
        {"LibTorch", settings.environment.torch},
        {"compiler", settings.environment.compiler},
        {"kernels", settings.environment.kernels},
        {"device", settings.device},
        {"threads", std::to_string(settings.threads)},
        {"decoders", settings.decoder},
        {"model", settings.model},
        {"weights (SHA-256)", settings.weightsHash},
        {"transform", settings.transform},
        {"data type", settings.dtype},
        {"batch size", std::to_string(settings.batch)},
        {"seed", std::to_string(settings.seed)},
        {"samples", std::to_string(evaluation.samples)},
        {"names and labels (SHA-256)", evaluation.dataHash},
        {"contents (SHA-256)", samples.empty() ? "" : hashOfContents(base, samples.front(), unreadable)}};
    if (!settings.sampling.empty() && settings.sampling != publishedSampling)
        receipt.conditions.push_back({"sampling", settings.sampling});
    if (!settings.reading.empty())
        receipt.conditions.push_back({"reading", settings.reading});
    if (!settings.protocol.empty())
        receipt.conditions.push_back({"protocol", settings.protocol});
    std::string refused;
    for (const UnreadableSample& sample : unreadable)
        refused += sample.path + "\n";
    receipt.results.push_back({"unreadable", std::to_string(unreadable.size())});
    receipt.results.push_back({"unreadable (SHA-256)", sha256(refused)});
    for (size_t i = 0; i < evaluation.runs.size(); ++i) {
        const StoredRun& run = evaluation.runs[i];
        const Accuracy accuracy = store.accuracy(run.id);
        const auto [classes, whole] = hashesOfPredictions(samples[i]);
        receipt.results.push_back(
            {run.attention + ": correct, top-1 and top-5",
             fmt::format("{}, {} of {}", accuracy.correct, accuracy.correct5, accuracy.samples)});
        receipt.results.push_back({run.attention + ": predicted classes (SHA-256)", classes});
        receipt.results.push_back(
            {run.attention + ": five classes and probabilities, bit for bit (SHA-256)", whole});
    }
    return receipt;
}

Json toJson(const Receipt& receipt)
{
    return {{"attnscope_receipt", receiptVersion},
            {"options", receipt.options},
            {"conditions", toJson(receipt.conditions)},
            {"results", toJson(receipt.results)}};
}

Receipt receiptFrom(const Json& json, const std::string& name)
try {
    if (!json.is_object() || !json.contains("attnscope_receipt"))
        throw FileError(name, "this is not a receipt", "give a file that `evaluate --receipt` wrote");
    if (integerFrom<int>(json.at("attnscope_receipt")) != receiptVersion)
        throw FileError(name, "this receipt is of another version of Attnscope", "repeat it with that version");
    return {json.at("options").get<std::vector<std::string>>(), entriesFrom(json.at("conditions")),
            entriesFrom(json.at("results"))};
} catch (const Json::exception&) {
    throw FileError(name, "this receipt is damaged", "copy it again");
}

std::vector<ReceiptDifference> differences(const std::vector<ReceiptEntry>& before,
                                           const std::vector<ReceiptEntry>& now)
{
    const auto valueIn = [](const std::vector<ReceiptEntry>& entries, const std::string& name) {
        const auto found = std::ranges::find(entries, name, &ReceiptEntry::name);
        return found == entries.end() ? std::string() : found->value;
    };
    std::vector<ReceiptDifference> found;
    for (const ReceiptEntry& entry : before)
        if (const std::string value = valueIn(now, entry.name); value != entry.value)
            found.push_back({entry.name, entry.value, value});
    for (const ReceiptEntry& entry : now)
        if (std::ranges::find(before, entry.name, &ReceiptEntry::name) == before.end())
            found.push_back({entry.name, "", entry.value});
    return found;
}

}
