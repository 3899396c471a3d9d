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

namespace attnscope {

namespace {

/// Sorted keys: finding one among 65,536 must not take 65,536 steps, as it does where their order is kept.
using Header = nlohmann::json;

struct TypeName {
    const char* name;
    ElementType type;
};

// clang-format off
constexpr std::array<TypeName, 16> typeNames{{
    {"F64", ElementType::Float64}, {"F32", ElementType::Float32}, {"F16", ElementType::Float16}, {"BF16", ElementType::BFloat16},
    {"I64", ElementType::Int64},   {"I32", ElementType::Int32},   {"I16", ElementType::Int16},   {"I8", ElementType::Int8},
    {"U8", ElementType::UInt8},    {"BOOL", ElementType::Bool},   {"U16", ElementType::UInt16},  {"U32", ElementType::UInt32},
    {"U64", ElementType::UInt64},  {"F8_E4M3", ElementType::Float8E4M3}, {"F8_E5M2", ElementType::Float8E5M2},
    {"C64", ElementType::Complex64},
}};
// clang-format on

/// Metadata keep their order: each is found by looking at all of them.
constexpr std::size_t mostMetadata = 4096;

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

/// Builds the header value by value. The library's own builder keeps the last of two equal keys and, when it is
/// given a callback, walks over all finished entries after each: 65,536 tensors took it minutes.
class HeaderBuilder : public nlohmann::json_sax<Header> {
public:
    explicit HeaderBuilder(const Limits& limits)
        : m_mostValues(32 * (limits.tensors + 1))
    {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return fail("its header holds binary data"); }
    bool start_object(std::size_t /*size*/) override { return open(Header::object()); }
    bool start_array(std::size_t /*size*/) override { return open(Header::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const Header::exception& /*error*/) override
    {
        return fail("its header is not a JSON object");
    }

    bool key(string_t& key) override
    {
        if (m_open.back()->contains(key))
            return fail("its header names `" + printable(key) + "` twice");
        m_key = std::move(key);
        return true;
    }

    const std::string& problem() const { return m_problem; }
    Header take() { return std::move(m_root); }

private:
    bool fail(std::string problem)
    {
        m_problem = std::move(problem);
        return false;
    }

    bool add(Header value) { return place(std::move(value)) != nullptr; }

    bool open(Header container)
    {
        constexpr std::size_t deepest = 8;
        if (m_open.size() == deepest)
            return fail("its header is nested too deeply");
        m_open.push_back(place(std::move(container)));
        return m_open.back() != nullptr;
    }

    bool close()
    {
        m_open.pop_back();
        return true;
    }

    /// Returns where the value lies; null when there are too many.
    Header* place(Header value)
    {
        if (++m_values > m_mostValues) {
            fail("its header holds too many values");
            return nullptr;
        }
        Header* target = &m_root;
        if (!m_open.empty() && m_open.back()->is_array())
            target = &m_open.back()->emplace_back();
        else if (!m_open.empty())
            target = &(*m_open.back())[m_key];
        *target = std::move(value);
        return target;
    }

    std::int64_t m_mostValues;
    std::int64_t m_values = 0;
    std::vector<Header*> m_open;
    std::string m_key;
    Header m_root;
    std::string m_problem;
};

Header parseHeader(const ByteSource& source, const std::string& text, const Limits& limits)
{
    HeaderBuilder builder(limits);
    Header::sax_parse(text, &builder);
    if (!builder.problem().empty())
        refuse(source, builder.problem());
    Header header = builder.take();
    if (!header.is_object())
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

std::vector<std::int64_t> readShape(const ByteSource& source, const std::string& name, const Header& entry,
                                    const Limits& limits)
{
    if (!entry.contains("shape") || !entry["shape"].is_array())
        refuse(source, "`" + name + "` has no shape");
    if (static_cast<std::int64_t>(entry["shape"].size()) > limits.tensorRank)
        refuse(source, "`" + name + "` has more than " + std::to_string(limits.tensorRank) + " dimensions");
    std::vector<std::int64_t> shape;
    for (const Header& size : entry["shape"]) {
        if (!size.is_number_integer() || (size.is_number_unsigned() && size.get<std::uint64_t>() > INT64_MAX)
            || size.get<std::int64_t>() < 0)
            refuse(source, "`" + name + "` has a size that is no count");
        shape.push_back(size.get<std::int64_t>());
    }
    return shape;
}

/// Of a shape whose product fits 64 bits. An empty tensor's other sizes need not: its strides stay 1.
std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& shape, std::int64_t elements)
{
    std::vector<std::int64_t> strides(shape.size(), 1);
    if (elements == 0)
        return strides;
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

StoredTensor readEntry(const std::shared_ptr<const ByteSource>& source, const std::string& name,
                       const Header& entry, std::int64_t dataStart, const Limits& limits)
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
    const auto bytes = elements ? checkedMultiply(*elements, static_cast<std::int64_t>(elementSize(*type)))
                                : std::nullopt;
    if (!bytes)
        refuse(*source, "the shape of `" + name + "` is larger than any file");
    const Header offsets = entry.value("data_offsets", Header());
    const bool valid = offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned()
                       && offsets[1].is_number_unsigned();
    if (!valid || offsets[0].get<std::uint64_t>() > offsets[1].get<std::uint64_t>()
        || offsets[1].get<std::uint64_t>() > static_cast<std::uint64_t>(source->size() - dataStart))
        refuse(*source, "the data of `" + name + "` reach outside the file");
    const auto begin = offsets[0].get<std::int64_t>(), end = offsets[1].get<std::int64_t>();
    if (end - begin != *bytes)
        refuse(*source, "`" + name + "` needs " + std::to_string(*bytes) + " bytes, but has "
                            + std::to_string(end - begin));
    tensor.strides = rowMajorStrides(tensor.shape, *elements);
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
    const Header header = parseHeader(*source, text, limits);
    if (static_cast<std::int64_t>(header.size()) > limits.tensors + 1)
        refuse(*source, "it holds more than " + std::to_string(limits.tensors) + " tensors");
    StateDict state;
    state.container = "safetensors";
    for (const auto& [name, entry] : header.items()) {
        if (name != "__metadata__") {
            state.tensors[name] = readEntry(source, printable(name), entry, dataStart, limits);
            continue;
        }
        if (!entry.is_object() || entry.size() > mostMetadata)
            refuse(*source, "its __metadata__ is not a small object of texts");
        for (const auto& [key, value] : entry.items()) {
            if (!value.is_string())
                refuse(*source, "its __metadata__ holds something else than texts");
            state.metadata[key] = value.get<std::string>();
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
    if (nameOf(entry.type) == nullptr)
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

Header headerOf(const std::filesystem::path& path, const std::map<std::string, SafetensorsEntry>& tensors,
                const std::map<std::string, std::string>& metadata)
{
    Header header = Header::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::int64_t position = 0;
    for (const auto& [name, entry] : tensors) {
        checkEntry(path, name, entry);
        const std::int64_t end = position + std::ssize(entry.bytes);
        header[name] = {{"dtype", nameOf(entry.type)}, {"shape", entry.shape}, {"data_offsets", {position, end}}};
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
