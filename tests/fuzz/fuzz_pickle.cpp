#include "core/checkpoint/pickle/pickle.h"
#include "core/checkpoint/weight_choice.h"
#include "fuzz_reader.h"
#include "mutate_pickle.h"

#include <tuple>

using namespace attnscope;
using namespace attnscope::fuzz;

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    Mutator mutator(seed);
    std::string pickle(reinterpret_cast<const char*>(data), size);
    mutatePickle(pickle, mutator);
    return store(pickle, data, size, maxSize);
}

/// The machine alone, with what is done to its graph: JSON of its root, and the choice of the weights, with and without
/// a key.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const MemorySource source(std::as_bytes(std::span(data, size)));
    try {
        const PickleGraph graph = readPickle(source, 0, source.size(), Limits());
        requireThat(graph.end() > 0 && graph.end() <= source.size());
        if (const auto json = toJson(graph, graph.root()))
            requireThat(!json->dump(-1, ' ', false, Json::error_handler_t::strict).empty());
        const WeightChoice choice = chooseWeights(graph, source.name(), "");
        requireThat(graph.is(choice.dict, PickleKind::Dict));
        for (const std::string& path : choice.alternatives)
            requireThat(!path.empty());
        std::ignore = chooseWeights(graph, source.name(), "model_ema");
    } catch (const Error& error) {
        requireThat(error.reason().ends_with('.'));
    }
    return 0;
}
