// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/torch_legacy.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/torch_state.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

/// The number 0x1950a86a20f9469cfc6c, pickled with protocol 2.
constexpr std::array<std::uint8_t, 15> magic{0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46,
                                             0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e};
constexpr std::int64_t protocol = 1001;

using Places = std::map<std::string, ByteRange>;

[[noreturn]] void refuse(const ByteSource& source, const std::string& problem)
{
    throw FileError(source.name(), problem, "it is damaged; copy or download it again");
}

bool isBigEndian(const ByteSource& source, const PickleGraph& system)
{
    if (!system.is(system.root(), PickleKind::Dict))
        refuse(source, "it does not say on what system it was written");
    const auto items = system.items(system.root());
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (system.is(items[i], PickleKind::Text) && system.text(items[i]) == "little_endian"
            && system.is(items[i + 1], PickleKind::Bool))
            return system.integer(items[i + 1]) == 0;
    refuse(source, "it does not say on what system it was written");
}

/// Bytes per element of each storage that the object's pickle speaks of.
std::map<std::string, std::int64_t> elementSizes(const PickleGraph& graph)
{
    std::map<std::string, std::int64_t> sizes;
    for (const PickleStorage& storage : graph.storages())
        sizes[storage.key] = static_cast<std::int64_t>(elementSize(storage.type));
    return sizes;
}

std::int64_t readCount(const ByteSource& source, std::int64_t position, bool bigEndian)
{
    std::array<std::byte, 8> bytes{};
    source.read(position, bytes);
    if (bigEndian)
        std::reverse(bytes.begin(), bytes.end());
    std::uint64_t count = 0;
    for (std::size_t i = 8; i-- > 0;)
        count = (count << 8) | static_cast<std::uint64_t>(bytes[i]);
    return static_cast<std::int64_t>(count);
}

/// Walks from storage to storage by their sizes: the file has no directory.
Places locate(const ByteSource& source, const PickleGraph& object, const PickleGraph& keys, bool bigEndian)
{
    if (!keys.is(keys.root(), PickleKind::List))
        refuse(source, "it has no list of its storages");
    const auto sizes = elementSizes(object);
    Places places;
    std::int64_t position = keys.end();
    for (const PickleRef key : keys.items(keys.root())) {
        const std::string name(keys.is(key, PickleKind::Text) ? keys.text(key) : std::string_view());
        const auto size = sizes.find(name);
        if (size == sizes.end())
            refuse(source, "it has a storage `" + printable(name) + "` that nothing refers to");
        if (source.size() - position < 8)
            refuse(source, "it breaks off before its storage `" + printable(name) + "`");
        const auto bytes = checkedMultiply(readCount(source, position, bigEndian), size->second);
        position += 8;
        if (!bytes || *bytes > source.size() - position)
            refuse(source, "it breaks off within its storage `" + printable(name) + "`");
        if (!places.emplace(name, ByteRange{position, *bytes}).second)
            refuse(source, "it has two storages called `" + printable(name) + "`");
        position += *bytes;
    }
    if (position != source.size())
        refuse(source, "there are bytes behind its last storage");
    return places;
}

}  // namespace

bool isTorchLegacy(const ByteSource& source)
{
    std::array<std::byte, magic.size()> start{};
    if (source.size() < std::ssize(start))
        return false;
    source.read(0, start);
    return std::equal(start.begin(), start.end(), std::as_bytes(std::span(magic)).begin());
}

StateDict readTorchLegacy(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options)
{
    const auto version = readPickle(*source, std::ssize(magic), source->size(), options.limits);
    if (!version.is(version.root(), PickleKind::Int) || version.integer(version.root()) != protocol)
        refuse(*source, "it is of another version of torch.save's old format than 1001");
    const auto system = readPickle(*source, version.end(), source->size(), options.limits);
    const auto object = readPickle(*source, system.end(), source->size(), options.limits);
    const auto keys = readPickle(*source, object.end(), source->size(), options.limits);
    const bool bigEndian = isBigEndian(*source, system);
    const Places places = locate(*source, object, keys, bigEndian);
    const auto find = [&](const PickleStorage& storage) {
        const auto place = places.find(storage.key);
        if (place == places.end())
            refuse(*source, "its storage `" + printable(storage.key) + "` is missing");
        return place->second;
    };
    return weightsOf(object, {"torch legacy", source, bigEndian, find}, options);
}

}  // namespace attnscope
