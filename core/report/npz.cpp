#include "core/report/npz.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace attnscope {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are in memory");

/// CRC-32 of zip archives (ISO 3309), continued from `checksum`, which begins with 0.
uint32_t crc32(uint32_t checksum, std::string_view bytes)
{
    static constexpr std::array<uint32_t, 256> table = [] {
        std::array<uint32_t, 256> all{};
        for (uint32_t byte = 0; byte < all.size(); ++byte) {
            uint32_t value = byte;
            for (int bit = 0; bit < 8; ++bit)
                value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320U : 0U);
            all[byte] = value;
        }
        return all;
    }();
    checksum = ~checksum;
    for (const char byte : bytes)
        checksum = table[(checksum ^ uint8_t(byte)) & 0xff] ^ (checksum >> 8);
    return ~checksum;
}

/// The lowest `size` bytes of `value`.
void append(std::string& record, uint64_t value, size_t size)
{
    for (size_t byte = 0; byte < size; ++byte)
        record += char(uint8_t(value >> (8 * byte)));
}

std::string npyHeader(const std::string& type, const std::vector<int64_t>& shape)
{
    std::string sizes;
    for (const int64_t size : shape)
        sizes += std::to_string(size) + ",";
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
    constexpr size_t before = 10, alignment = 64;
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    append(bytes, header.size(), 2);
    return bytes + header;
}

}

NpzFile::NpzFile(const std::filesystem::path& target)
    : m_name(target.string())
    , m_file(target)
{}

void NpzFile::add(const std::string& name, const std::vector<std::string>& texts)
{
    std::vector<std::u32string> decoded;
    size_t longest = 1;
    for (std::string_view text : texts) {
        std::u32string& characters = decoded.emplace_back();
        while (!text.empty()) {
            const DecodedCharacter character = decodeUtf8(text);
            characters += char32_t(character.length == 0 ? 0xfffd : character.codePoint);
            text.remove_prefix(std::max<size_t>(1, character.length));
        }
        longest = std::max(longest, characters.size());
    }
    std::u32string values;
    for (std::u32string& characters : decoded) {
        characters.resize(longest);
        values += characters;
    }
    addArray(name, "<U" + std::to_string(longest), {std::ssize(texts)}, std::as_bytes(std::span(values)));
}

void NpzFile::requireRoom(uint64_t bytes) const
{
    if (m_written + bytes > std::numeric_limits<int32_t>::max())
        throw FileError(m_name, "more than 2 GiB of predictions do not fit into an .npz file",
                        "select fewer evaluations or attentions, or write .csv");
}

void NpzFile::addArray(const std::string& name, const std::string& type, const std::vector<int64_t>& shape,
                       std::span<const std::byte> values)
{
    const std::string header = npyHeader(type, shape);
    const std::string_view data(reinterpret_cast<const char*>(values.data()), values.size());
    requireRoom(header.size() + data.size());
    const Entry entry{name + ".npy", crc32(crc32(0, header), data), uint32_t(header.size() + data.size()),
                      uint32_t(m_written)};
    std::string record("PK\3\4", 4);
    appendFields(entry, record);
    write(record + entry.name + header);
    write(data);
    m_entries.push_back(entry);
}

void NpzFile::appendFields(const Entry& entry, std::string& record)
{
    append(record, 20, 2);          // version 2.0 reads it
    append(record, 0, 4);           // no flags; stored
    append(record, 0x00210000, 4);  // midnight of 1 January 1980: equal results are equal files
    append(record, entry.checksum, 4);
    append(record, entry.size, 4);
    append(record, entry.size, 4);
    append(record, entry.name.size(), 2);
    append(record, 0, 2);
}

void NpzFile::commit()
{
    std::string directory;
    for (const Entry& entry : m_entries) {
        directory += std::string("PK\1\2", 4);
        append(directory, 20, 2);
        appendFields(entry, directory);
        append(directory, 0, 10);  // no comment, first volume, no attributes
        append(directory, entry.offset, 4);
        directory += entry.name;
    }
    std::string end("PK\5\6", 4);
    append(end, 0, 4);
    append(end, m_entries.size(), 2);
    append(end, m_entries.size(), 2);
    append(end, directory.size(), 4);
    append(end, m_written, 4);
    append(end, 0, 2);
    write(directory + end);
    m_file.commit();
}

void NpzFile::write(std::string_view bytes)
{
    m_file.write(std::as_bytes(std::span(bytes)));
    m_written += bytes.size();
}

}
