#include "core/checkpoint/torch_state.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

/// The number 0x1950a86a20f9469cfc6c as a pickle: LONG1, ten bytes, STOP.
constexpr std::array<uint8_t, 13> magic{0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9,
                                        0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e};
constexpr int64_t protocol = 1001;

using Places = std::map<std::string, ByteRange>;

[[noreturn]] void refuseLegacy(const ByteSource& source, const std::string& problem)
{
    throw FileError(source.name(), problem, "it is damaged; copy or download it again");
}

/// Bytes per element of each storage that the object's pickle refers to.
std::map<std::string, int64_t> elementSizes(const PickleGraph& graph)
{
    std::map<std::string, int64_t> sizes;
    for (const PickleStorage& storage : graph.storages())
        sizes[storage.key] = int64_t(elementSize(storage.type));
    return sizes;
}

int64_t readCount(const ByteSource& source, int64_t position)
{
    std::array<std::byte, 8> bytes{};
    source.read(position, bytes);
    return int64_t(integerOf<std::byte>(bytes, std::endian::little));
}

/// Walks from storage to storage by their sizes: the file has no directory.
Places locate(const ByteSource& source, const PickleGraph& object, const PickleGraph& keys)
{
    if (!keys.is(keys.root(), PickleKind::List))
        refuseLegacy(source, "it has no list of its storages");
    const auto sizes = elementSizes(object);
    Places places;
    int64_t position = keys.end();
    for (const PickleRef key : keys.items(keys.root())) {
        const std::string name(keys.is(key, PickleKind::Text) ? keys.text(key) : std::string_view());
        const auto size = sizes.find(name);
        if (size == sizes.end())
            refuseLegacy(source, "it has a storage `" + printable(name) + "` that nothing refers to");
        if (source.size() - position < 8)
            refuseLegacy(source, "it is truncated before its storage `" + printable(name) + "`");
        const auto bytes = checkedMultiply(readCount(source, position), size->second);
        position += 8;
        if (!bytes || *bytes > source.size() - position)
            refuseLegacy(source, "it is truncated within its storage `" + printable(name) + "`");
        if (!places.emplace(name, ByteRange{position, *bytes}).second)
            refuseLegacy(source, "it has two storages called `" + printable(name) + "`");
        position += *bytes;
    }
    if (position != source.size())
        refuseLegacy(source, "there are bytes after its last storage");
    return places;
}

/// Where the pickle of the magic number ends; 0 if the file does not start with it. In protocols 2 and 3 it follows two bytes, in 4 and 5
/// it is in a frame.
int64_t magicEnd(const ByteSource& source)
{
    std::array<std::byte, 2 + 9 + magic.size()> start{};
    const auto available = size_t(std::min<int64_t>(source.size(), std::ssize(start)));
    source.read(0, std::span(start).first(available));
    const auto is = [&](size_t at, uint8_t low, uint8_t high) {
        return start[at] >= std::byte{low} && start[at] <= std::byte{high};
    };
    if (!is(0, 0x80, 0x80) || !is(1, 2, 5))
        return 0;
    const size_t begin = is(2, 0x95, 0x95) ? 11 : 2;
    const bool found = begin + magic.size() <= available
                       && std::equal(magic.begin(), magic.end(), start.begin() + ptrdiff_t(begin),
                                     [](uint8_t a, std::byte b) { return std::byte{a} == b; });
    return found ? int64_t(begin + magic.size()) : 0;
}

}

bool isTorchLegacy(const ByteSource& source)
{
    return magicEnd(source) > 0;
}

StateDict readTorchLegacy(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options)
{
    const auto version = readPickle(*source, magicEnd(*source), source->size(), options.limits);
    if (!version.is(version.root(), PickleKind::Int) || version.integer(version.root()) != protocol)
        refuseLegacy(*source, "its version of torch.save's legacy format is not 1001");
    // It names the byte order of the system that wrote it, but torch.save always writes this format little-endian.
    const auto system = readPickle(*source, version.end(), source->size(), options.limits);
    const auto object = readPickle(*source, system.end(), source->size(), options.limits);
    const auto keys = readPickle(*source, object.end(), source->size(), options.limits);
    const Places places = locate(*source, object, keys);
    const auto find = [&](const PickleStorage& storage) {
        const auto place = places.find(storage.key);
        if (place == places.end())
            refuseLegacy(*source, "its storage `" + printable(storage.key) + "` is missing");
        return place->second;
    };
    return weightsOf(object, {"torch legacy", source, false, find}, options);
}

}
