#include "core/media/format/plain_formats.h"

#include "core/base/number.h"
#include "core/media/format/image_validator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace attnscope {

namespace {

bool isBlank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool isDigit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

constexpr int floatingPoint = 7;  // PFM

struct PnmLayout {
    int kind = 0;  ///< 1 … 6, or floatingPoint
    int64_t width = 0, height = 0;
    int64_t maximum = 1;
    bool bigEndian = true;  ///< for floating point
    int64_t data = 0;

    bool isText() const { return kind <= 3; }
    bool isBilevel() const { return kind == 1 || kind == 4; }
    int channels() const { return kind == 3 || kind == 6 ? 3 : 1; }
    bool clipsGrey() const { return kind == floatingPoint || (channels() == 1 && maximum > 255); }
    int64_t sampleBytes() const { return kind == floatingPoint ? 4 : maximum > 255 ? 2 : 1; }
    int64_t samples() const { return width * height * channels(); }
};

class Tokens {
public:
    Tokens(const HeaderReader& file, int64_t at)
        : m_file(file)
        , m_at(at)
    {}
    int64_t position() const { return m_at; }

    int64_t number()
    {
        skipBlank();
        if (!isDigit(m_file.byte(m_at)))
            m_file.damaged("there is something else where a number should be");
        int64_t value = 0;
        for (; m_file.has(m_at, 1) && isDigit(m_file.byte(m_at)); ++m_at) {
            value = value * 10 + (m_file.byte(m_at) - '0');
            if (value > 1'000'000'000)
                m_file.damaged("it has a number of more than nine digits");
        }
        return value;
    }

    /// A PFM's scale, of which readers use only the sign.
    double realNumber()
    {
        skipBlank();
        std::string text;
        for (; text.size() <= 32 && !isBlank(m_file.byte(m_at)); ++m_at)
            text.push_back(char(m_file.byte(m_at)));
        const auto value = parseNumber<double>(std::string_view(text).substr(text.starts_with('+')));
        if (!value || *value == 0 || !std::isfinite(*value))
            m_file.damaged("its scale is not a number other than 0");
        return *value;
    }

    /// P1 may omit the blanks between its digits.
    int64_t digit()
    {
        skipBlank();
        return m_file.byte(m_at++) - '0';
    }

private:
    void skipBlank()
    {
        for (;; ++m_at) {
            const uint8_t c = m_file.byte(m_at);
            if (c != '#' && !isBlank(c))
                return;
            while (c == '#' && m_file.byte(m_at) != '\n' && m_file.byte(m_at) != '\r')
                ++m_at;
        }
    }

    const HeaderReader& m_file;
    int64_t m_at;
};

/// Minimum number of bytes of the samples; as text each is a digit and, except in P1, a blank.
int64_t minBytes(const PnmLayout& layout)
{
    switch (layout.kind) {
    case 1:
        return layout.samples();
    case 2:
    case 3:
        return layout.samples() * 2 - 1;
    case 4:
        return (layout.width + 7) / 8 * layout.height;
    default:
        return layout.samples() * layout.sampleBytes();
    }
}

PnmLayout readPnmLayout(const HeaderReader& file)
{
    PnmLayout layout;
    if (file.byte(1) == 'F')
        file.fail("it is a PFM with three channels", "only PFMs with one channel are supported");
    layout.kind = file.byte(1) == 'f' ? floatingPoint : file.byte(1) - '0';
    Tokens tokens(file, 2);
    layout.width = tokens.number();
    layout.height = tokens.number();
    file.checkSize(layout.width, layout.height);
    if (layout.kind == floatingPoint)
        layout.bigEndian = tokens.realNumber() > 0;
    else if (!layout.isBilevel())
        layout.maximum = tokens.number();
    if (layout.maximum < 1 || layout.maximum > 65535)
        file.damaged("its maximum value must be between 1 and 65535");
    layout.data = tokens.position() + 1;
    file.require(layout.data, minBytes(layout));
    return layout;
}

/// Values are scaled to 8 bits; grey of more bits to 16, clipped to 0 … 255.
std::vector<uint8_t> scaleTable(const PnmLayout& layout)
{
    std::vector<uint8_t> table(layout.maximum + 1);
    const double greatest = layout.clipsGrey() ? 65'535 : 255;
    for (int64_t i = 0; i <= layout.maximum; ++i) {
        const double scaled = std::nearbyint(double(i) / double(layout.maximum) * greatest);
        table[i] = uint8_t(std::min(scaled, 255.0));
    }
    return table;
}

/// Rows are stored bottom-up; NaN becomes black.
std::vector<uint8_t> decodeFloats(const HeaderReader& file, const PnmLayout& layout)
{
    std::vector<uint8_t> pixels(layout.width * layout.height * 3);
    uint8_t* to = pixels.data();
    for (int64_t y = layout.height - 1; y >= 0; --y) {
        for (int64_t x = 0; x < layout.width; ++x, to += 3) {
            const int64_t at = layout.data + (y * layout.width + x) * 4;
            const auto value = std::bit_cast<float>(layout.bigEndian ? file.big32(at) : file.little32(at));
            std::fill_n(to, 3, value > 0 ? uint8_t(std::min(value, 255.0f)) : uint8_t{0});
        }
    }
    return pixels;
}

/// Calls put(value) for each sample in order; a set bit of P1 and P4 is black.
template <typename Put>
void forEachSample(const HeaderReader& file, const PnmLayout& layout, const Put& put)
{
    Tokens tokens(file, layout.data);
    const int64_t rowBytes = (layout.width + 7) / 8;
    const std::span<const uint8_t> data = file.part(layout.data, minBytes(layout));
    for (int64_t i = 0; i < layout.samples(); ++i) {
        if (layout.kind == 1)
            put(1 - tokens.digit());
        else if (layout.isText())
            put(tokens.number());
        else if (layout.kind == 4)
            put(1 - (data[i / layout.width * rowBytes + i % layout.width / 8] >> (7 - i % layout.width % 8) & 1));
        else
            put(layout.sampleBytes() == 1 ? data[i] : data[2 * i] << 8 | data[2 * i + 1]);
    }
}

}

ImageHeader readPnmHeader(const HeaderReader& file)
{
    const PnmLayout layout = readPnmLayout(file);
    ImageHeader header;
    header.format = ImageFormat::Pnm;
    header.width = layout.width;
    header.height = layout.height;
    header.channels = layout.channels();
    header.bitsPerSample = layout.isBilevel() ? 1 : int(8 * layout.sampleBytes());
    header.clipsGrey = layout.clipsGrey();
    return header;
}

std::vector<uint8_t> decodePnm(const HeaderReader& file)
{
    const PnmLayout layout = readPnmLayout(file);
    if (layout.kind == floatingPoint)
        return decodeFloats(file, layout);
    const std::vector<uint8_t> scaled = scaleTable(layout);
    std::vector<uint8_t> pixels(layout.width * layout.height * 3);
    const int repeats = 3 / layout.channels();
    uint8_t* to = pixels.data();
    forEachSample(file, layout, [&](int64_t value) {
        if (!layout.isText())
            value = std::min(value, layout.maximum);
        if (value < 0 || value > layout.maximum)
            file.damaged("a value is above the maximum given in its header");
        for (int i = 0; i < repeats; ++i)
            *to++ = scaled[value];
    });
    return pixels;
}

}
