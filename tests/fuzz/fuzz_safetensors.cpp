#include "core/checkpoint/safetensors.h"
#include "fuzz_reader.h"
#include "mutate.h"

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

std::string aType(Mutator& mutator)
{
    return mutator.oneOf({"F32", "F16", "BF16", "F64", "I64", "BOOL", "U8", "F8_E4M3", "C64", "F4", "", "f32"});
}

/// A description in which one thing is odd, or nothing.
Json anEntry(Mutator& mutator)
{
    const uint64_t begin = mutator.below(32), size = mutator.below(4);
    Json entry{{"dtype", aType(mutator)}, {"shape", Json::array()}, {"data_offsets", {begin, begin + 4 * size}}};
    for (size_t rank = mutator.below(4); rank > 0; --rank)
        entry["shape"].push_back(mutator.oneIn(4) ? mutator.number() : size);
    return entry;
}

void mutateEntry(Json& entry, Mutator& mutator)
{
    if (!entry.is_object() || mutator.oneIn(6)) {
        entry = anEntry(mutator);
        return;
    }
    const std::string key = mutator.oneOf({"dtype", "shape", "data_offsets"});
    Json& value = entry[key];
    if (key == "dtype")
        value = aType(mutator);
    else if (value.is_array() && !value.empty() && !mutator.oneIn(4))
        value[mutator.below(value.size())] = mutator.oneIn(8) ? Json(-1) : Json(mutator.number());
    else if (value.is_array())
        value.push_back(mutator.number());
    else
        value = Json::array({0, mutator.below(16)});
}

/// Changes the tensors' descriptions. A header that is no JSON any more is only changed byte by byte.
bool mutateTensors(std::string& header, Mutator& mutator)
{
    Json json = Json::parse(header, nullptr, false);
    if (!json.is_object())
        return false;
    if (json.empty() || mutator.oneIn(5)) {
        json[mutator.oneOf({"a", "b", "module.a", "__metadata__", "größe", "\x1b"})] = anEntry(mutator);
    } else {
        const auto entry = std::next(json.begin(), ptrdiff_t(mutator.below(json.size())));
        if (mutator.oneIn(8))
            json.erase(entry);
        else
            mutateEntry(*entry, mutator);
    }
    header = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return true;
}

}

/// Keeps the length in front of the header right, most of the time.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    Mutator mutator(seed);
    std::string file(reinterpret_cast<const char*>(data), size);
    if (mutator.oneIn(8) || size < 8) {
        mutator.bytes(file);
        return store(file, data, size, maxSize);
    }
    const auto length = size_t(std::min<uint64_t>(numberAt(file, 0, 8), size - 8));
    std::string header = file.substr(8, length), rest = file.substr(8 + length);
    if (mutator.oneIn(6))
        mutator.bytes(rest);
    else if (mutator.oneIn(3) || !mutateTensors(header, mutator))
        mutator.bytes(header);
    return store(littleEndian(header.size(), 8) + header + rest, data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return check(data, size, [](const auto& source) { return readSafetensors(source); });
}
