#include "core/attention/backend_info.h"
#include "core/attention/common_options.h"
#include "core/base/json_text.h"
#include "core/lab/attend/dumped_case.h"
#include "models/blocks/stated_preparation.h"
#include "models/motionformer/motionformer_description.h"
#include "models/pvt/pvt_description.h"
#include "models/vit/formats/library_config.h"
#include "models/vit/formats/recognise_plain_vit.h"
#include "models/vit/formats/structure.h"
#include "models/vit/formats/timm_config.h"
#include "models/vit/vit_description.h"
#include "models/weights/header_description.h"
#include "tests/fuzz/fuzz_sentence.h"
#include "tests/fuzz/mutate_json.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Attentions that descriptions name, with an option of every kind: the real table needs LibTorch.
namespace attnscope {

const std::vector<BackendInfo>& backends()
{
    static const std::vector<BackendInfo> table = [] {
        const auto named = [](const char* name, std::vector<OptionInfo> options) {
            BackendInfo info;
            info.name = name;
            info.options = std::move(options);
            return info;
        };
        const OptionInfo samples = integerOption("samples", "", 49, 1, 4096);
        return std::vector<BackendInfo>{
            named("softmax", {keysOption()}),
            named("sra", {flagOption("linear", "")}),
            named("performer",
                  {samples, flagOption("orthogonal", ""),
                   choiceOption("floors", "", {{"own", "", {}}, {"library", "", {}}, {"motionformer", "", {}}}),
                   keysOption()}),
            named("nystrom", {samples, noiseOption()}),
            named("ra",
                  {choiceOption("mode", "", {{"unbiased", "", {}}, {"biased", "", {}}, {"mean-key", "", {}}}),
                   noiseOption(), seedOption()}),
            named("lara",
                  {samples,
                   choiceOption("proposal", "",
                                {{"mean-query-key", "", {"segment"}}, {"mixed", "", {}}, {"vmixed", "", {}}}),
                   choiceOption("map", "", {{"own", "", {}}, {"none", "", {}}}),
                   choiceOption("landmarks", "", {{"grid", "", {}}, {"segments", "", {}}}),
                   choiceOption("weights", "", {{"balance", "", {}}, {"decoupled", "", {}}, {"query", "", {}}}),
                   realOption("beta", "", 1, -1e6, 1e6)})};
    }();
    return table;
}

}

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

/// What was read is written in a way that reads as the same.
template <auto parse>
void checkDescription(const Json& json)
{
    const Json written = toJson(parse(json, "model.json"));
    requireThat(toJson(parse(written, "model.json")) == written);
}

StoredTensor sized(std::vector<int64_t> shape)
{
    StoredTensor tensor;
    tensor.shape = std::move(shape);
    return tensor;
}

/// A checkpoint of a small vision transformer: names and sizes alone.
StateDict checkpoint()
{
    StateDict state;
    const auto layer = [&](const std::string& name, std::vector<int64_t> shape) {
        state.tensors[name + ".bias"] = sized({shape.front()});
        state.tensors[name + ".weight"] = sized(std::move(shape));
    };
    state.tensors["cls_token"] = sized({1, 1, 8});
    state.tensors["pos_embed"] = sized({1, 17, 8});
    layer("patch_embed.proj", {8, 3, 4, 4});
    layer("blocks.0.norm1", {8});
    layer("blocks.0.attn.qkv", {24, 8});
    layer("blocks.0.attn.proj", {8, 8});
    layer("blocks.0.norm2", {8});
    layer("blocks.0.mlp.fc1", {32, 8});
    layer("blocks.0.mlp.fc2", {8, 32});
    layer("norm", {8});
    layer("head", {10, 8});
    return state;
}

/// What the tensors show, before any file next to them is read.
const Findings& shownByTensors()
{
    static const Findings shown = [] {
        Findings findings;
        readStructure(translated(checkpoint()), {}, findings);
        return findings;
    }();
    return shown;
}

void checkConfig(const Json& config)
{
    Findings findings = shownByTensors();
    ConfigReading reading;
    if (isTimmConfig(config))
        readTimmConfig(config, findings, reading);
    else if (isLibraryConfig(config))
        readLibraryConfig(config, {}, findings, reading);
    for (const std::string& label : reading.labels)
        requireThat(printable(label) == label);
    if (!reading.refusal.empty())
        throw FileError("config.json", reading.refusal);
    if (reading.preparation)
        static_cast<void>(reading.preparation->resizeFor(224));
    Json description = findings.config();
    description["family"] = "vit";
    checkDescription<parseVitDescription>(description);
}

void checkPreprocessor(const Json& preprocessor)
{
    const auto stated = libraryPreparation(preprocessor);
    if (!stated)
        return;
    const ImagePreparation& preparation = stated->preparation;
    requireThat(preparation.cropFraction >= 0.05 && preparation.cropFraction <= 1
                && preparation.resizeFor(224) >= 224);
    requireThat(stated->input.width >= 0 && stated->input.width <= 16384
                && printable(stated->refusal) == stated->refusal);
}

/// All of it, with a comparison to every name of timm, which takes milliseconds.
void checkRecognised(const Json& config)
{
    static const StateDict state = checkpoint();
    const auto identity = recognisePlainVit(state, {config, nullptr});
    requireThat(identity.has_value());
    for (const WitnessedKey& key : identity->switches)
        requireThat(!key.key.empty() && !key.witness.empty());
    const std::string shown = identity->title + identity->reason + joinWords(identity->notes)
                              + joinWords(identity->labels);
    requireThat(printable(shown) == shown);
    if (identity->undecided.empty() && !identity->family.empty())
        checkDescription<parseVitDescription>(identity->config);
}

/// The entries of a header that the safetensors reader has accepted.
void checkHeader(std::string_view text)
{
    StateDict state;
    state.container = "safetensors";
    for (const char* key : {"model", "labels", "preprocessing", "provenance"})
        state.metadata[key] = text;
    const auto header = readHeaderDescription(state);
    if (!header)
        return;
    for (const std::string& label : header->labels)
        requireThat(printable(label) == label);
    state.metadata = headerMetadata(*header);
    requireThat(readHeaderDescription(state)->model == header->model);
}

/// The header of recorded tensors: one case, whose options are a text as in safetensors files, or several.
void checkDumped(const Json& metadata)
{
    const std::string file = "dumped.safetensors";
    for (const DumpedCase& one : dumpedCases(metadata, file)) {
        static_cast<void>(dumpedLayout(one, file));
        if (findBackend(one.backend) != nullptr)
            static_cast<void>(
                translateOptions(one, {.width = 64, .landmarks = 0, .epsRows = 49, .features = 0}, file)
                    .spec.canonical());
    }
}

}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    return mutateJsonOfReader(data, size, maxSize, seed);
}

/// JSON that describes networks and attentions: the first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    Json json = jsonFromText(text);
    if (json.is_discarded())
        json = nullptr;
    expectSentence([&] {
        switch (data[0] % 9) {
        case 0:
            return checkDescription<parseVitDescription>(json);
        case 1:
            return checkDescription<parsePvtDescription>(json);
        case 2:
            return checkDescription<parseMotionformerDescription>(json);
        case 3:
            return checkConfig(json);
        case 4:
            return checkPreprocessor(json);
        case 5:
            return data[0] == 5 && size % 32 == 0 ? checkRecognised(json)
                                                  : checkConfig(json);  // rarely, as it is slow
        case 6:
            return checkHeader(text);
        case 7:
            return checkDumped(json);
        default:
            return checkDumped(Json{{"backend", "lara"}, {"options", text}});
        }
    });
    return 0;
}
