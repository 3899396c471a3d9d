// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/safetensors.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

namespace attnscope {

namespace {

struct TypeName {
    const char* name;
    ElementType type;
};

constexpr std::array<TypeName, 16> typeNames{{
    {"F64", ElementType::Float64}, {"F32", ElementType::Float32}, {"F16", ElementType::Float16}, {"BF16", ElementType::BFloat16},
    {"I64", ElementType::Int64},   {"I32", ElementType::Int32},   {"I16", ElementType::Int16},   {"I8", ElementType::Int8},
    {"U8", ElementType::UInt8},    {"BOOL", ElementType::Bool},   {"U16", ElementType::UInt16},  {"U32", ElementType::UInt32},
    {"U64", ElementType::UInt64},  {"F8_E4M3", ElementType::Float8E4M3}, {"F8_E5M2", ElementType::Float8E5M2},
    {"C64", ElementType::Complex64},
}};

std::optional<ElementType> typeOf(const std::string& name)
{
    for (const TypeName& entry : typeNames)
        if (name == entry.name)
            return entry.type;
    return std::nullopt;
}

const char* nameOf(ElementType type)
{
    for (const TypeName& entry : typeNames)
        if (type == entry.type)
            return entry.name;
    return nullptr;
}

[[noreturn]] void refuse(const ByteSource& source, const std::string& problem)
{
    throw FileError(source.name(), problem, "it is damaged or no safetensors file; save or download it again");
}

/// nlohmann keeps the last of two equal keys and follows any nesting: both are refused here.
Json parseHeader(const ByteSource& source, const std::string& text)
{
    constexpr int deepest = 8;
    std::vector<std::set<std::string>> keys;
    std::string problem;
    const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > deepest)
            problem = "its header is nested too deeply";
        if (event == Json::parse_event_t::object_start)
            keys.emplace_back();
        else if (event == Json::parse_event_t::object_end && !keys.empty())
            keys.pop_back();
        else if (event == Json::parse_event_t::key && !keys.empty() && !keys.back().insert(parsed.get<std::string>()).second)
            problem = "its header names `" + printable(parsed.get<std::string>()) + "` twice";
        return true;
    };
    // Depth is bounded before the recursive parts of the parser can be reached: count brackets outside strings.
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (inString) {
            if (text[i] == '\\')
                ++i;
            else if (text[i] == '"')
                inString = false;
        } else if (text[i] == '"') {
            inString = true;
        } else if (text[i] == '{' || text[i] == '[') {
            if (++depth > deepest)
                refuse(source, "its header is nested too deeply");
        } else if (text[i] == '}' || text[i] == ']') {
            --depth;
        }
    }
    Json header = Json::parse(text, check, false);
    if (!problem.empty())
        refuse(source, problem);
    if (header.is_discarded() || !header.is_object())
        refuse(source, "its header is not a JSON object");
    return header;
}

std::string readHeader(const ByteSource& source, const Limits& limits)
{
    if (source.size() < 8)
        refuse(source, "it is only " + std::to_string(source.size()) + " bytes long");
    std::array<std::byte, 8> prefix{};
    source.read(0, prefix);
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;)
        length = (length << 8) | static_cast<std::uint64_t>(prefix[i]);
    if (length > static_cast<std::uint64_t>(source.size() - 8))
        refuse(source, "its header claims more bytes than the file has");
    if (length > static_cast<std::uint64_t>(limits.safetensorsHeaderBytes))
        refuse(source, "its header of " + std::to_string(length) + " bytes is over the limit of "
                           + std::to_string(limits.safetensorsHeaderBytes));
    std::string text(length, '\0');
    source.read(8, std::as_writable_bytes(std::span(text)));
    if (text.empty() || text.front() != '{')
        refuse(source, "its header does not begin with {");
    return text;
}

std::vector<std::int64_t> readShape(const ByteSource& source, const std::string& name, const Json& entry, const Limits& limits)
{
    if (!entry.contains("shape") || !entry["shape"].is_array())
        refuse(source, "`" + name + "` has no shape");
    if (static_cast<std::int64_t>(entry["shape"].size()) > limits.tensorRank)
        refuse(source, "`" + name + "` has more than " + std::to_string(limits.tensorRank) + " dimensions");
    std::vector<std::int64_t> shape;
    for (const Json& size : entry["shape"]) {
        if (!size.is_number_integer() || (size.is_number_unsigned() && size.get<std::uint64_t>() > INT64_MAX)
            || size.get<std::int64_t>() < 0)
            refuse(source, "`" + name + "` has a size that is no count");
        shape.push_back(size.get<std::int64_t>());
    }
    return shape;
}

std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
}

StoredTensor readEntry(const std::shared_ptr<const ByteSource>& source, const std::string& name, const Json& entry,
                       std::int64_t dataStart, const Limits& limits)
{
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        refuse(*source, "`" + name + "` is not described by an object with dtype, shape and data_offsets");
    const auto type = typeOf(entry["dtype"].get<std::string>());
    if (!type)
        refuse(*source, "`" + name + "` has the unknown dtype " + printable(entry["dtype"].get<std::string>()));
    StoredTensor tensor;
    tensor.type = *type;
    tensor.shape = readShape(*source, name, entry, limits);
    const auto elements = checkedProduct(tensor.shape);
    const auto bytes = elements ? checkedMultiply(*elements, static_cast<std::int64_t>(elementSize(*type))) : std::nullopt;
    if (!bytes)
        refuse(*source, "the shape of `" + name + "` is larger than any file");
    const Json offsets = entry.value("data_offsets", Json());
    const bool valid = offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned() && offsets[1].is_number_unsigned();
    if (!valid || offsets[0].get<std::uint64_t>() > offsets[1].get<std::uint64_t>()
        || offsets[1].get<std::uint64_t>() > static_cast<std::uint64_t>(source->size() - dataStart))
        refuse(*source, "the data of `" + name + "` reach outside the file");
    const auto begin = offsets[0].get<std::int64_t>(), end = offsets[1].get<std::int64_t>();
    if (end - begin != *bytes)
        refuse(*source, "`" + name + "` needs " + std::to_string(*bytes) + " bytes, but has " + std::to_string(end - begin));
    tensor.strides = rowMajorStrides(tensor.shape);
    tensor.storageOffset = dataStart + begin;
    tensor.storageBytes = *bytes;
    tensor.source = source;
    return tensor;
}

/// Every byte behind the header belongs to exactly one tensor: nothing can hide in a hole.
void checkCoverage(const ByteSource& source, const StateDict& state, std::int64_t dataStart)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (const auto& [name, tensor] : state.tensors)
        spans.emplace_back(tensor.storageOffset, tensor.storageBytes);
    std::sort(spans.begin(), spans.end());
    std::int64_t position = dataStart;
    for (const auto& [offset, bytes] : spans) {
        if (offset < position)
            refuse(source, "the data of two tensors overlap");
        if (offset > position)
            refuse(source, "there is a hole between the data of its tensors");
        position = offset + bytes;
    }
    if (position != source.size())
        refuse(source, "there are bytes behind the last tensor");
}

}  // namespace

StateDict readSafetensors(std::shared_ptr<const ByteSource> source, const Limits& limits)
{
    const std::string text = readHeader(*source, limits);
    const auto dataStart = static_cast<std::int64_t>(8 + text.size());
    const Json header = parseHeader(*source, text);
    if (static_cast<std::int64_t>(header.size()) > limits.tensors + 1)
        refuse(*source, "it holds more than " + std::to_string(limits.tensors) + " tensors");
    StateDict state;
    state.container = "safetensors";
    for (const auto& [name, entry] : header.items()) {
        if (name != "__metadata__") {
            state.tensors[name] = readEntry(source, printable(name), entry, dataStart, limits);
            continue;
        }
        if (!entry.is_object())
            refuse(*source, "its __metadata__ is not an object");
        for (const auto& [key, value] : entry.items()) {
            if (!value.is_string())
                refuse(*source, "its __metadata__ holds something else than texts");
            state.metadata[key] = value;
        }
    }
    checkCoverage(*source, state, dataStart);
    return state;
}

namespace {

/// A file that appears whole or not at all.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& target)
        : m_target(target)
        , m_temporary(target.string() + ".XXXXXX")
    {
        m_descriptor = ::mkstemp(m_temporary.data());
        if (m_descriptor < 0)
            fail("it cannot be created");
        // mkstemp makes files that only their owner reads; outputs follow the user's umask.
        const mode_t mask = ::umask(0);
        ::umask(mask);
        ::fchmod(m_descriptor, 0666 & ~mask);
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
        throw FileError(m_target.string(), problem + " (" + std::strerror(errno) + ")", "check the folder, its permissions and the disk's space");
    }

    std::filesystem::path m_target;
    std::string m_temporary;
    int m_descriptor = -1;
};

}  // namespace

void writeSafetensors(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                      const std::map<std::string, std::string>& metadata)
{
    Json header = Json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::int64_t position = 0;
    for (const auto& [name, entry] : tensors) {
        if (nameOf(entry.type) == nullptr)
            throw Unsupported(path.string(), std::string("safetensors has no name for ") + toText(entry.type));
        const auto bytes = static_cast<std::int64_t>(entry.bytes.size());
        header[name] = {{"dtype", nameOf(entry.type)}, {"shape", entry.shape}, {"data_offsets", {position, position + bytes}}};
        position += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
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
