#include "core/data/dataset/list_text.h"
#include "tests/fuzz/fuzz_sentence.h"

#include <string_view>

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

void checkSamples(const std::vector<ListedSample>& samples, std::string_view text)
{
    requireThat(samples.size() <= text.size());
    for (const ListedSample& sample : samples)
        requireThat(!sample.path.empty() && !sample.label.empty()
                    && sample.path.size() + sample.label.size() <= text.size());
}

}

/// The lists that data sets come with: the first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string name = "list";
    expectSentence([&] {
        switch (data[0] == 'k' ? 7 : data[0] % 7) {
        case 0:
            return checkSamples(parseLabelList(text, name), text);
        case 1:
            if (const auto clips = parseKineticsAnnotation(text, name))
                for (const KineticsClip& clip : *clips)
                    requireThat(!clip.id.empty() && clip.stem().find('/') == std::string::npos);
            return;
        case 2:
            return requireThat(parseGroundTruth(text, name).size() <= text.size());
        case 3:
            for (const auto& [number, synset] : parseSynsetNumbers(text, name))
                requireThat(number >= 0 && isSynset(synset));
            return;
        case 4:
            for (const auto& [image, synset] : parseKaggleSolution(text, name))
                requireThat(isSynset(synset));
            return;
        case 5:
            for (const ListedSample& sample : parseSomethingSplit(text, name))
                requireThat(sample.path.find('/') == std::string::npos
                            && sample.label.find('[') == std::string::npos);
            return;
        case 7:
            for (const KitchenAction& action : parseKitchenActions(text, name))
                requireThat(action.start < action.end && action.verb < kitchenVerbs && action.noun < kitchenNouns);
            return;
        default:
            return requireThat(parseSomethingLabels(text, name).size() <= text.size());
        }
    });
    return 0;
}
