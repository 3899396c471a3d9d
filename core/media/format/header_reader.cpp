#include "core/media/format/header_reader.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <cstring>

namespace attnscope {

bool hasText(std::span<const uint8_t> bytes, size_t at, std::string_view text)
{
    return at <= bytes.size() && text.size() <= bytes.size() - at
           && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

HeaderReader::HeaderReader(std::span<const uint8_t> bytes, std::string name, const Limits& limits)
    : m_bytes(bytes)
    , m_name(std::move(name))
    , m_limits(limits)
{}

bool HeaderReader::has(int64_t at, int64_t count) const
{
    return at >= 0 && count >= 0 && at <= size() && count <= size() - at;
}

std::span<const uint8_t> HeaderReader::part(int64_t at, int64_t count) const
{
    require(at, count);
    return m_bytes.subspan(size_t(at), size_t(count));
}

void HeaderReader::require(int64_t at, int64_t count) const
{
    if (!has(at, count))
        breaksOff();
}

uint32_t HeaderReader::number(int64_t at, int count, std::endian order) const
{
    return uint32_t(integerOf(part(at, count), order));
}

void HeaderReader::checkSize(int64_t width, int64_t height) const
{
    if (width <= 0 || height <= 0)
        damaged(fmt::format("its header says {}×{} pixels", width, height));
    const std::string would = fmt::format("it would be {}×{} pixels", formatCount(width), formatCount(height));
    const auto pixels = checkedMultiply(width, height);
    if (!pixels || *pixels > m_limits.imagePixels) {
        const std::string memory = pixels && *pixels < INT64_MAX / 3 ? " (" + formatBytes(*pixels * 3).text() + ")"
                                                                     : "";
        fail(fmt::format("{}{}", would, memory),
             fmt::format("the limit is {:g} megapixels", double(m_limits.imagePixels) / 1e6));
    }
    if (width > m_limits.imageSide || height > m_limits.imageSide)
        fail(would, fmt::format("the limit is {} pixels per side", formatCount(m_limits.imageSide)));
}

void HeaderReader::fail(std::string_view problem, std::string_view remedy) const
{
    throw FileError(m_name, problem, remedy);
}

void HeaderReader::damaged(std::string_view what) const
{
    fail(fmt::format("the image is damaged ({})", what), "copy or export it again");
}

void HeaderReader::breaksOff() const
{
    fail(fmt::format("the image is truncated at the end of the file, after {}", formatBytes(size()).text()),
         "copy or download it again");
}

}
