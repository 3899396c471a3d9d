// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/torch_zip.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle_state.h"
#include "core/checkpoint/zip_directory.h"

namespace attnscope {

namespace {

using Directory = std::map<std::string, ZipEntry>;

[[noreturn]] void refuse(const ByteSource& source, const std::string& problem)
{
    throw FileError(source.name(), problem, "save the weights again, as safetensors or with torch.save(model.state_dict())");
}

bool endsWith(const std::string& text, std::string_view suffix)
{
    return text.size() >= suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/// "archive/" of "archive/data.pkl".
std::string findRoot(const ByteSource& source, const Directory& directory)
{
    constexpr std::string_view pickle = "data.pkl";
    std::string root;
    int found = 0;
    for (const auto& [name, entry] : directory) {
        if (name != pickle && !endsWith(name, "/data.pkl"))
            continue;
        root = name.substr(0, name.size() - pickle.size());
        ++found;
    }
    if (directory.count(root + "constants.pkl") > 0 || directory.count(root + "code/") > 0)
        refuse(source, "it is a TorchScript program and no checkpoint");
    if (found != 1)
        refuse(source, found == 0 ? "it is a zip archive without torch's data.pkl" : "it has more than one data.pkl");
    return root;
}

std::vector<std::byte> readEntry(const ByteSource& source, const ZipEntry& entry, std::int64_t most)
{
    if (entry.size > most)
        refuse(source, "its description is larger than the limit");
    std::vector<std::byte> bytes(static_cast<std::size_t>(entry.size));
    source.read(entry.offset, bytes);
    return bytes;
}

bool isBigEndian(const ByteSource& source, const Directory& directory, const std::string& root)
{
    const auto found = directory.find(root + "byteorder");
    if (found == directory.end())
        return false;
    const auto bytes = readEntry(source, found->second, 16);
    const std::string_view order(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (order != "little" && order != "big")
        refuse(source, "its byte order is neither little nor big");
    return order == "big";
}

}  // namespace

StateDict readTorchZip(std::shared_ptr<const ByteSource> source, const Limits& limits)
{
    const Directory directory = readZipDirectory(*source, limits);
    const std::string root = findRoot(*source, directory);
    const bool bigEndian = isBigEndian(*source, directory, root);
    const auto findStorage = [&](const StorageReference& storage) {
        const auto found = directory.find(root + "data/" + storage.key);
        if (found == directory.end())
            refuse(*source, "the record of its storage `" + printable(storage.key) + "` is missing");
        StoredTensor place;
        place.storageOffset = found->second.offset;
        place.storageBytes = found->second.size;
        place.bigEndian = bigEndian;
        place.source = source;
        return place;
    };
    constexpr std::int64_t largestPickle = std::int64_t{256} << 20;
    const auto pickle = readEntry(*source, directory.at(root + "data.pkl"), largestPickle);
    const PickleRef value = readPickle(pickle, source->name(), findStorage, limits);
    StateDict state = stateFromPickle(*value, source->name(), limits);
    state.container = "torch zip";
    return state;
}

}  // namespace attnscope
