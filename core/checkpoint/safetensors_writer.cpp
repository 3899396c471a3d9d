// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/safetensors_types.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace attnscope {

namespace {

/// A file that appears whole or not at all.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& target)
        : m_target(target)
    {
        // O_EXCL with a name of our own and not mkstemp, whose files only their owner may read.
        for (int attempt = 0; m_descriptor < 0 && attempt < 100; ++attempt) {
            m_temporary = target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt)
                          + ".part";
            m_descriptor = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
            if (m_descriptor < 0 && errno != EEXIST)
                break;
        }
        if (m_descriptor < 0)
            fail("it cannot be created");
    }
    ~AtomicFile()
    {
        if (m_descriptor < 0)
            return;
        ::close(m_descriptor);
        ::unlink(m_temporary.c_str());
    }
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR)
                fail("it cannot be written");
            bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
        }
    }

    void commit()
    {
        if (::fsync(m_descriptor) != 0)
            fail("it cannot be written");
        if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
            fail("it cannot be put in place");
        ::close(m_descriptor);
        m_descriptor = -1;
        const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
        if (const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); handle >= 0) {
            ::fsync(handle);
            ::close(handle);
        }
    }

private:
    [[noreturn]] void fail(const std::string& problem)
    {
        throw FileError(m_target.string(), problem + " (" + std::strerror(errno) + ")",
                        "check the folder, its permissions and the disk's space");
    }

    std::filesystem::path m_target;
    std::string m_temporary;
    int m_descriptor = -1;
};

void checkEntry(const std::filesystem::path& path, const std::string& name, const SafetensorsEntry& entry)
{
    if (safetensorsName(entry.type) == nullptr)
        throw Unsupported(path.string(), std::string("safetensors has no name for ") + toText(entry.type),
                          "convert it first");
    if (name == "__metadata__" || printable(name) != name)
        throw UsageError(path.string(), "`" + printable(name) + "` cannot be the name of a tensor",
                         "give it a plain name");
    const auto elements = checkedProduct(entry.shape);
    if (!elements
        || checkedMultiply(*elements, static_cast<std::int64_t>(elementSize(entry.type)))
               != std::ssize(entry.bytes))
        throw UsageError(path.string(), "`" + name + "` has " + std::to_string(entry.bytes.size())
                                            + " bytes, which do not fit its shape");
}

nlohmann::json headerOf(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                        const std::map<std::string, std::string>& metadata)
{
    nlohmann::json header = nlohmann::json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::int64_t position = 0;
    for (const auto& [name, entry] : tensors) {
        checkEntry(path, name, entry);
        const std::int64_t end = position + std::ssize(entry.bytes);
        header[name] = {
            {"dtype", safetensorsName(entry.type)}, {"shape", entry.shape}, {"data_offsets", {position, end}}};
        position = end;
    }
    return header;
}

}  // namespace

void writeSafetensors(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                      const std::map<std::string, std::string>& metadata)
{
    std::string text = headerOf(path, tensors, metadata).dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // aligns the data for readers that map the file
    AtomicFile file(path);
    std::array<std::byte, 8> prefix{};
    for (std::size_t i = 0; i < 8; ++i)
        prefix[i] = static_cast<std::byte>(text.size() >> (8 * i));
    file.write(prefix);
    file.write(std::as_bytes(std::span(text)));
    for (const auto& [name, entry] : tensors)
        file.write(entry.bytes);
    file.commit();
}

}  // namespace attnscope
