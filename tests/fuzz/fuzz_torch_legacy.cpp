#include "core/checkpoint/torch_state.h"
#include "fuzz_reader.h"
#include "mutate_pickle.h"

using namespace attnscope;
using namespace attnscope::fuzz;

/// The pickles follow each other, so that they can be changed as one program.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    constexpr size_t magic = 15;
    Mutator mutator(seed);
    std::string file(reinterpret_cast<const char*>(data), size);
    if (size <= magic || mutator.oneIn(8)) {
        mutator.bytes(file);
    } else {
        std::string rest = file.substr(magic);
        mutatePickle(rest, mutator);
        file = file.substr(0, magic) + rest;
    }
    return store(file, data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return check(data, size, [](const auto& source) {
        if (!isTorchLegacy(*source))
            throw FileError("input", "it is no legacy stream");
        return readTorchLegacy(source);
    });
}
