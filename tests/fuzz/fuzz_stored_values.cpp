#include "core/store/prediction_blob.h"
#include "core/store/store_json.h"
#include "tests/fuzz/fuzz_sentence.h"
#include "tests/fuzz/mutate_json.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Values in a results store that our own code reads: JSON and packed predictions. `fuzz_store` reads them out of SQLite, too, which takes
/// a hundred times as long.
using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

/// What was read is written in a way that reads as the same. `read` gives a value that toJson() takes.
template <typename Read>
auto checkFacts(std::string_view text, const Read& read)
{
    auto value = read(parseJson(std::string(text)));
    const Json written = toJson(value);
    requireThat(toJson(read(written)) == written);
    return value;
}

void checkSettings(std::string_view text)
{
    const EvaluationSettings settings = checkFacts(text, settingsFromJson);
    requireThat(identityOf(settings, true).at("model") == settings.model
                && !identityOf(settings, false).contains("shard"));
}

void checkRun(std::string_view text)
{
    checkFacts(text, runFromJson);
}

void checkTraining(std::string_view text)
{
    checkFacts(text, trainingFromJson);
}

void checkEpoch(std::string_view text)
{
    checkFacts(text, [](const Json& json) { return epochFromJson(1, json); });
}

void checkPrediction(std::string_view bytes)
{
    SamplePrediction prediction;
    if (unpackRest(bytes.data(), bytes.size(), prediction))
        requireThat(packRest(prediction) == bytes);
}

void checkSamples(std::string_view bytes)
{
    if (const auto samples = unpackSamples(bytes.data(), bytes.size()))
        requireThat(packSamples(*samples) == bytes);
}

}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    return mutateJsonOfReader(data, size, maxSize, seed);
}

/// The first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    constexpr void (*readers[])(std::string_view) = {checkSettings, checkRun,        checkTraining,
                                                     checkEpoch,    checkPrediction, checkSamples};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    expectSentence([&] { readers[data[0] % std::size(readers)](bytes); });
    return 0;
}
