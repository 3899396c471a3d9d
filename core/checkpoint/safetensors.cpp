#include "core/checkpoint/safetensors.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/element_type.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

/// Sorted keys: finding one among 65,536 must not take 65,536 steps, as in an order-preserving object.
using Header = nlohmann::json;

/// A tensor has at most 14 values: itself, its type, two lists, eight sizes and two offsets.
constexpr int64_t valuesPerTensor = 16;
constexpr size_t longestList = 64;

/// Metadata preserve their order, so that each lookup is linear.
constexpr size_t maxMetadataEntries = 4096;

[[noreturn]] void refuseSafetensors(const ByteSource& source, const std::string& problem)
{
    throw FileError(source.name(), problem, "it is damaged or not a safetensors file; save or download it again");
}

/// Builds the header value by value. The library's own builder keeps the last of two equal keys and, when given a callback, walks over all
/// finished entries after each: 65,536 tensors took it minutes.
class HeaderBuilder : public nlohmann::json_sax<Header> {
public:
    explicit HeaderBuilder(const Limits& limits)
        : m_maxValues(valuesPerTensor * (limits.tensors + 1))
    {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return fail("its header holds binary data"); }
    bool start_object(size_t /*size*/) override { return open(Header::object()); }
    bool start_array(size_t /*size*/) override { return open(Header::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(size_t /*at*/, const std::string& /*token*/, const Header::exception& /*error*/) override
    {
        return fail("its header is not a JSON object");
    }

    bool key(string_t& key) override
    {
        if (m_open.back()->contains(key))
            return fail("its header names `" + printable(key) + "` twice");
        if (m_open.size() > 1 && m_open.back()->size() == maxMetadataEntries)
            return fail("its header holds an object of more than " + std::to_string(maxMetadataEntries)
                        + " values");
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
        constexpr size_t deepest = 8;
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

    /// Returns the position of the value; null if there are too many.
    Header* place(Header value)
    {
        if (!m_open.empty() && m_open.back()->is_array() && m_open.back()->size() == longestList) {
            fail("its header holds a list of more than " + std::to_string(longestList) + " values");
            return nullptr;
        }
        if (++m_values > m_maxValues) {
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

    int64_t m_maxValues;
    int64_t m_values = 0;
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
        refuseSafetensors(source, builder.problem());
    Header header = builder.take();
    if (!header.is_object())
        refuseSafetensors(source, "its header is not a JSON object");
    return header;
}

std::string readHeader(const ByteSource& source, const Limits& limits)
{
    if (source.size() < 8)
        refuseSafetensors(source, "it is only " + counted(source.size(), "byte") + " long");
    std::array<std::byte, 8> prefix{};
    source.read(0, prefix);
    const auto length = integerOf<std::byte>(prefix, std::endian::little);
    if (length > uint64_t(source.size() - 8))
        refuseSafetensors(source, "its header claims more bytes than the file has");
    if (length > uint64_t(limits.safetensorsHeaderBytes))
        refuseSafetensors(source, "its header of " + std::to_string(length) + " bytes is over the limit of "
                                      + std::to_string(limits.safetensorsHeaderBytes));
    std::string text(length, '\0');
    source.read(8, std::as_writable_bytes(std::span(text)));
    if (text.empty() || text.front() != '{')
        refuseSafetensors(source, "its header does not start with {");
    // The JSON library takes a zero byte for the end, and another header could follow it.
    if (text.find('\0') != std::string::npos)
        refuseSafetensors(source, "its header holds a zero byte");
    return text;
}

std::vector<int64_t> readShape(const ByteSource& source, const std::string& name, const Header& entry,
                               const Limits& limits)
{
    if (!entry.contains("shape") || !entry["shape"].is_array())
        refuseSafetensors(source, "`" + name + "` has no shape");
    if (int64_t(entry["shape"].size()) > limits.tensorRank)
        refuseSafetensors(source,
                          "`" + name + "` has more than " + std::to_string(limits.tensorRank) + " dimensions");
    std::vector<int64_t> shape;
    for (const Header& size : entry["shape"]) {
        if (!size.is_number_integer() || (size.is_number_unsigned() && size.get<uint64_t>() > INT64_MAX)
            || size.get<int64_t>() < 0)
            refuseSafetensors(source, "`" + name + "` has a size that is not a count");
        shape.push_back(size.get<int64_t>());
    }
    return shape;
}

/// For a shape whose product fits 64 bits. The other sizes of an empty tensor may not fit: its strides remain 1.
std::vector<int64_t> rowMajorStrides(const std::vector<int64_t>& shape, int64_t elements)
{
    std::vector<int64_t> strides(shape.size(), 1);
    if (elements == 0)
        return strides;
    for (size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

StoredTensor readEntry(const std::shared_ptr<const ByteSource>& source, const std::string& name,
                       const Header& entry, int64_t dataStart, const Limits& limits)
{
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        refuseSafetensors(*source,
                          "`" + name + "` is not described by an object with dtype, shape and data_offsets");
    const auto type = safetensorsType(entry["dtype"].get<std::string>());
    if (!type)
        throw FileError(source->name(),
                        "`" + name + "` has the dtype " + printable(entry["dtype"].get<std::string>())
                            + ", which is not supported",
                        "save it with another dtype");
    StoredTensor tensor;
    tensor.type = *type;
    tensor.shape = readShape(*source, name, entry, limits);
    const auto elements = checkedProduct(tensor.shape);
    const auto bytes = elements ? checkedMultiply(*elements, int64_t(elementSize(*type))) : std::nullopt;
    if (!bytes)
        refuseSafetensors(*source, "the shape of `" + name + "` is larger than any file");
    const Header offsets = entry.value("data_offsets", Header());
    const bool valid = offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned()
                       && offsets[1].is_number_unsigned();
    if (!valid || offsets[0].get<uint64_t>() > offsets[1].get<uint64_t>()
        || offsets[1].get<uint64_t>() > uint64_t(source->size() - dataStart))
        refuseSafetensors(*source, "the data of `" + name + "` extends outside the file");
    const auto begin = offsets[0].get<int64_t>(), end = offsets[1].get<int64_t>();
    if (end - begin != *bytes)
        refuseSafetensors(*source, "`" + name + "` needs " + counted(*bytes, "byte") + ", but has "
                                       + std::to_string(end - begin));
    tensor.strides = rowMajorStrides(tensor.shape, *elements);
    tensor.storageOffset = dataStart + begin;
    tensor.storageBytes = *bytes;
    tensor.source = source;
    return tensor;
}

/// Every byte after the header belongs to exactly one tensor: nothing can hide in a gap.
void checkCoverage(const ByteSource& source, const StateDict& state, int64_t dataStart)
{
    std::vector<std::pair<int64_t, int64_t>> spans;
    for (const auto& [name, tensor] : state.tensors)
        spans.emplace_back(tensor.storageOffset, tensor.storageBytes);
    std::ranges::sort(spans);
    int64_t position = dataStart;
    for (const auto& [offset, bytes] : spans) {
        if (offset < position)
            refuseSafetensors(source, "the data of two tensors overlaps");
        if (offset > position)
            refuseSafetensors(source, "there is a gap between the data of its tensors");
        position = offset + bytes;
    }
    if (position != source.size())
        refuseSafetensors(source, "there are bytes after the last tensor");
}

}

StateDict readSafetensors(std::shared_ptr<const ByteSource> source, const Limits& limits)
{
    const std::string text = readHeader(*source, limits);
    const auto dataStart = int64_t(8 + text.size());
    const Header header = parseHeader(*source, text, limits);
    if (int64_t(header.size()) > limits.tensors + 1)
        refuseSafetensors(*source, "it holds more than " + std::to_string(limits.tensors) + " tensors");
    StateDict state;
    state.container = "safetensors";
    for (const auto& [name, entry] : header.items()) {
        if (name != "__metadata__") {
            state.tensors[name] = readEntry(source, printable(name), entry, dataStart, limits);
            continue;
        }
        if (!entry.is_object())
            refuseSafetensors(*source, "its __metadata__ is not an object of strings");
        for (const auto& [key, value] : entry.items()) {
            if (!value.is_string())
                refuseSafetensors(*source, "its __metadata__ contains something other than strings");
            state.metadata[key] = value.get<std::string>();
        }
    }
    checkCoverage(*source, state, dataStart);
    return state;
}

}
