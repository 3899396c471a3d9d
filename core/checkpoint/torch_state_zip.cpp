#include "core/checkpoint/torch_state.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <span>

namespace attnscope {

namespace {

using Entries = std::map<std::string, ByteRange>;

/// "archive/" of "archive/data.pkl".
std::string rootOf(const ByteSource& source, const Entries& entries)
{
    constexpr std::string_view pickle = "/data.pkl";
    std::string root;
    for (const auto& [name, range] : entries) {
        if (!name.ends_with(pickle) || name.find('/') != name.size() - pickle.size())
            continue;
        if (!root.empty())
            throw FileError(source.name(), "it has two pickles",
                            "save it again with torch.save or as safetensors");
        root = name.substr(0, name.size() - pickle.size() + 1);
    }
    if (root.empty())
        throw FileError(source.name(),
                        "it is a zip archive, but was not written by torch.save (it has no data.pkl)",
                        "unpack it, and give the checkpoint in it");
    if (entries.contains(root + "constants.pkl"))
        throw FileError(source.name(), "it is a TorchScript program, which Attnscope never runs",
                        "save the weights as safetensors, or only their state_dict");
    return root;
}

/// Files from before torch 2.0 have no such entry and are little-endian.
bool isBigEndian(const ByteSource& source, const Entries& entries, const std::string& root)
{
    const auto entry = entries.find(root + "byteorder");
    if (entry == entries.end())
        return false;
    std::string order(size_t(std::min<int64_t>(entry->second.bytes, 16)), '\0');
    source.read(entry->second.offset, std::as_writable_bytes(std::span(order)));
    if (order != "little" && order != "big")
        throw FileError(source.name(), "its byte order is `" + printable(order) + "`, neither little nor big",
                        "it is damaged; copy or download it again");
    return order == "big";
}

}

StateDict readTorchZip(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options)
{
    const Entries entries = readZipDirectory(*source, options.limits);
    const std::string root = rootOf(*source, entries);
    const ByteRange pickle = entries.at(root + "data.pkl");
    const PickleGraph graph = readPickle(*source, pickle.offset, pickle.offset + pickle.bytes, options.limits);
    if (graph.end() != pickle.offset + pickle.bytes)
        throw FileError(source->name(), "there are bytes after its pickle, where another one could be hidden",
                        "save it again with torch.save or as safetensors");
    const auto find = [&](const PickleStorage& storage) {
        const auto entry = entries.find(root + "data/" + storage.key);
        if (entry == entries.end())
            throw FileError(source->name(), "its storage `" + printable(storage.key) + "` is missing",
                            "it is damaged; copy or download it again");
        return entry->second;
    };
    return weightsOf(graph, {"torch zip", source, isBigEndian(*source, entries, root), find}, options);
}

}
