#include "core/base/atomic_file.h"
#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/element_type.h"
#include "core/checkpoint/safetensors.h"

#include <array>

namespace attnscope {

namespace {

void checkEntry(const std::filesystem::path& path, const std::string& name, const SafetensorsEntry& entry)
{
    if (safetensorsName(entry.type) == nullptr)
        throw Unsupported(path.string(), std::string("safetensors has no name for ") + toText(entry.type),
                          "convert it first");
    if (name == "__metadata__" || printable(name) != name)
        throw UsageError(path.string(), "`" + printable(name) + "` is not a valid tensor name",
                         "give it a plain name");
    const auto elements = checkedProduct(entry.shape);
    if (!elements || checkedMultiply(*elements, int64_t(elementSize(entry.type))) != std::ssize(entry.bytes))
        throw UsageError(path.string(), "`" + name + "` has " + std::to_string(entry.bytes.size())
                                            + " bytes, which does not match its shape");
}

nlohmann::json headerOf(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                        const std::map<std::string, std::string>& metadata)
{
    nlohmann::json header = nlohmann::json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    int64_t position = 0;
    for (const auto& [name, entry] : tensors) {
        checkEntry(path, name, entry);
        const int64_t end = position + std::ssize(entry.bytes);
        header[name] = {
            {"dtype", safetensorsName(entry.type)}, {"shape", entry.shape}, {"data_offsets", {position, end}}};
        position = end;
    }
    return header;
}

}

void writeSafetensors(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                      const std::map<std::string, std::string>& metadata)
{
    std::string text = headerOf(path, tensors, metadata).dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // aligns the data for readers that map the file
    AtomicFile file(path);
    std::array<std::byte, 8> prefix{};
    for (size_t i = 0; i < 8; ++i)
        prefix[i] = static_cast<std::byte>(text.size() >> (8 * i));
    file.write(prefix);
    file.write(std::as_bytes(std::span(text)));
    for (const auto& [name, entry] : tensors)
        file.write(entry.bytes);
    file.commit();
}

}
