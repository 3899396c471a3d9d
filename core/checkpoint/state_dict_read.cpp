#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/pickle/pickle.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/torch_state.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace attnscope {

namespace {

[[noreturn]] void refuseUnknown(const ByteSource& source, const std::string& start)
{
    constexpr const char* remedy = "give a safetensors or .pth file";
    const size_t text = start.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (text != std::string::npos && start[text] == '<')
        throw FileError(source.name(),
                        "it is a web page, not a checkpoint (it starts with \"" + printable(start.substr(text, 12))
                            + "\")",
                        "download it again, perhaps after signing in there");
    if (start.starts_with("version https://git-lfs"))
        throw FileError(source.name(), "it is a Git LFS pointer, not the file itself",
                        "fetch it with git lfs pull");
    throw FileError(source.name(),
                    "it is neither a safetensors file nor a file written by torch.save (it starts with \""
                        + printable(start.substr(0, 12)) + "\")",
                    remedy);
}

/// A bare pickle. Reading it shows whether it contains a call; if not, it is still not a file of torch.save.
[[noreturn]] void refusePickle(const ByteSource& source, const Limits& limits)
{
    readPickle(source, 0, source.size(), limits);
    throw FileError(source.name(), "it is a pickle, but was not written by torch.save",
                    "save the weights as safetensors, or with torch.save");
}

/// Safetensors has names of tensors without any keys above them: only a beginning of the names can be meant.
[[noreturn]] void refuseKey(const ByteSource& source, const std::string& under)
{
    throw FileError(source.name(),
                    "the names of its tensors do not begin so, and they are not nested under a key such as `"
                        + printable(under) + "`",
                    "remove --checkpoint-key");
}

StateDict readByContent(const std::shared_ptr<const ByteSource>& source, const CheckpointOptions& options)
{
    if (source->size() == 0)
        throw FileError(source->name(), "it is empty (0 bytes)", "copy or download it again");
    std::string start(size_t(std::min<int64_t>(source->size(), 32)), '\0');
    source->read(0, std::as_writable_bytes(std::span(start)));
    if (start.starts_with("PK\x03\x04"))
        return readTorchZip(source, options);
    if (isTorchLegacy(*source))
        return readTorchLegacy(source, options);
    if (start.size() > 8 && start[8] == '{') {
        StateDict state = readSafetensors(source, options.limits);
        state.prefix = options.under;
        return state;
    }
    if (start[0] == '\x80' && start.size() > 1 && start[1] >= 2 && start[1] <= 5)
        refusePickle(*source, options.limits);
    refuseUnknown(*source, start);
}

StateDict readParts(const std::filesystem::path& index, const CheckpointOptions& options)
{
    std::map<std::filesystem::path, StateDict> parts;
    StateDict all;
    for (const auto& [name, file] : readCheckpointIndex(index, options.limits)) {
        const auto [part, isNew] = parts.try_emplace(file);
        if (isNew)
            part->second = readByContent(openFile(file), {.limits = options.limits, .under = {}});
        auto tensor = part->second.tensors.extract(name);
        if (!tensor)
            throw FileError(index.string(),
                            "it says that `" + printable(name) + "` is in " + printable(file.filename().string())
                                + ", where it is not",
                            "copy or download all of its files again");
        all.tensors.insert(std::move(tensor));
    }
    all.container = parts.begin()->second.container;
    all.prefix = options.under;
    all.notes.push_back("read from " + counted(std::ssize(parts), "file") + " by "
                        + printable(index.filename().string()));
    return all;
}

void checkNames(const ByteSource& source, const StateDict& state)
{
    for (const auto& [name, tensor] : state.tensors)
        if (name.empty() || name.size() > 1024 || printable(name) != name)
            throw FileError(source.name(), "it has a tensor called `" + printable(name.substr(0, 80)) + "`",
                            "give its tensors plain names");
}

/// A name without what distributed training puts in front of it, and what compilation, sharding and recomputation put anywhere.
std::string withoutWrappers(std::string_view name, std::set<std::string_view>& removed)
{
    constexpr std::array wrappers{"_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module"};
    std::string plain;
    std::vector<std::string_view> parts = split(name, '.');
    for (size_t i = 0; i < parts.size(); ++i)
        if (i + 1 < parts.size()
            && ((plain.empty() && parts[i] == "module")
                || std::ranges::find(wrappers, parts[i]) != wrappers.end()))
            removed.insert(parts[i]);
        else
            plain.append(plain.empty() ? "" : ".").append(parts[i]);
    return plain;
}

void stripWrappers(const ByteSource& source, StateDict& state)
{
    std::map<std::string, StoredTensor> stripped;
    std::set<std::string> removed;
    int64_t count = 0;
    for (auto& [name, tensor] : state.tensors) {
        std::set<std::string_view> here;
        if (!stripped.emplace(withoutWrappers(name, here), std::move(tensor)).second)
            throw FileError(source.name(), "it has `" + name + "` with and without `module.` or another wrapper",
                            "save it with one of them");
        count += here.empty() ? 0 : 1;
        for (const std::string_view wrapper : here)
            removed.insert("`" + std::string(wrapper) + ".`");
    }
    state.tensors = std::move(stripped);
    if (count > 0)
        state.notes.push_back(joinWords({removed.begin(), removed.end()}, "and")
                              + (removed.size() == 1 ? " was" : " were") + " removed from the names of "
                              + counted(count, "tensor"));
}

}

StateDict readCheckpoint(const std::filesystem::path& path, const CheckpointOptions& options)
{
    const auto source = openFile(path);
    StateDict state = isCheckpointIndex(path) ? readParts(path, options) : readByContent(source, options);
    checkNames(*source, state);
    stripWrappers(*source, state);
    const std::string prefix = state.prefix + ".";
    if (const auto first = state.tensors.lower_bound(prefix);
        !state.prefix.empty() && (first == state.tensors.end() || !first->first.starts_with(prefix)))
        refuseKey(*source, state.prefix);
    return state;
}

}
