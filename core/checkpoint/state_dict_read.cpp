// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle/pickle.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/torch_state.h"

#include <algorithm>
#include <span>

namespace attnscope {

namespace {

[[noreturn]] void refuseUnknown(const ByteSource& source, const std::string& start)
{
    constexpr const char* remedy = "give a safetensors or .pth file";
    const std::size_t text = start.find_first_not_of(" \t\r\n\xef\xbb\xbf");
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

/// Safetensors has names of tensors without any keys above them.
[[noreturn]] void refuseKey(const ByteSource& source, const std::string& under)
{
    throw FileError(source.name(),
                    "it is a safetensors file, whose tensors are not nested under a key such as `" + printable(under) + "`",
                    "remove --checkpoint-key");
}

StateDict readByContent(const std::shared_ptr<const ByteSource>& source, const CheckpointOptions& options)
{
    if (source->size() == 0)
        throw FileError(source->name(), "it is empty (0 bytes)", "copy or download it again");
    std::string start(static_cast<std::size_t>(std::min<std::int64_t>(source->size(), 32)), '\0');
    source->read(0, std::as_writable_bytes(std::span(start)));
    if (start.starts_with("PK\x03\x04"))
        return readTorchZip(source, options);
    if (isTorchLegacy(*source))
        return readTorchLegacy(source, options);
    if (start.size() > 8 && start[8] == '{') {
        if (!options.under.empty())
            refuseKey(*source, options.under);
        return readSafetensors(source, options.limits);
    }
    if (start[0] == '\x80' && start.size() > 1 && start[1] >= 2 && start[1] <= 5)
        refusePickle(*source, options.limits);
    refuseUnknown(*source, start);
}

void checkNames(const ByteSource& source, const StateDict& state)
{
    for (const auto& [name, tensor] : state.tensors)
        if (name.empty() || name.size() > 1024 || printable(name) != name)
            throw FileError(source.name(), "it has a tensor called `" + printable(name.substr(0, 80)) + "`",
                            "give its tensors plain names");
}

/// Distributed training prefixes every name with `module.`.
void stripModule(const ByteSource& source, StateDict& state)
{
    constexpr std::string_view prefix = "module.";
    std::map<std::string, StoredTensor> stripped;
    std::size_t count = 0;
    for (auto& [name, tensor] : state.tensors) {
        const bool has = name.starts_with(prefix) && name.size() > prefix.size();
        count += has ? 1 : 0;
        if (!stripped.emplace(has ? name.substr(prefix.size()) : name, std::move(tensor)).second)
            throw FileError(source.name(), "it has `" + name + "` with and without `module.`",
                            "save it with one of them");
    }
    state.tensors = std::move(stripped);
    if (count > 0)
        state.notes.push_back("`module.` was removed from " + (count == 1 ? "the name of 1 tensor" : "the names of " + std::to_string(count) + " tensors"));
}

}  // namespace

StateDict readCheckpoint(const std::filesystem::path& path, const CheckpointOptions& options)
{
    const auto source = openFile(path);
    StateDict state = readByContent(source, options);
    checkNames(*source, state);
    stripModule(*source, state);
    return state;
}

}  // namespace attnscope
