#include "core/base/format.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace attnscope {

namespace {

constexpr const char* minusSign = "\u2212";
constexpr const char* thinSpace = "\u202f";

std::string significant(double value)
{
    const double size = std::abs(value);
    const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}", value, digits);
}

}

Quantity formatMilliseconds(double milliseconds)
{
    if (!std::isfinite(milliseconds))
        return {"not finite", ""};
    if (milliseconds >= 9'999.5)
        return {significant(milliseconds / 1000), "s"};
    if (milliseconds < 0.9995 && milliseconds > 0)
        return {significant(milliseconds * 1000), "µs"};
    return {significant(milliseconds), "ms"};
}

Quantity formatBytes(int64_t bytes)
{
    constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = double(bytes);
    size_t unit = 0;
    while (std::abs(value) >= 1023.5 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return {unit == 0 ? fmt::format("{}", bytes) : significant(value), units[unit]};
}

std::string formatProbability(double probability)
{
    if (!std::isfinite(probability))
        return "not finite";
    if (probability > 0 && probability < 0.005)
        return "<0.01";
    return fmt::format("{:.2f}", probability);
}

std::string withShortExponent(const std::string& number)
{
    const size_t exponent = number.find('e');
    if (exponent == std::string::npos)
        return number;
    const std::string power = number.substr(number.find_first_not_of('0', exponent + 2));
    return number.substr(0, exponent + 1) + (number[exponent + 1] == '-' ? minusSign : "") + power;
}

std::string formatError(double error)
{
    if (!std::isfinite(error))
        return "not finite";
    if (error == 0)
        return "0";
    if (error < 0)  // a difference, or an estimate of bias² scattering around 0
        return minusSign + formatError(-error);
    if (std::abs(error) >= 0.01 && std::abs(error) < 999.5)
        return significant(error);
    return withShortExponent(fmt::format("{:.1e}", error));
}

std::string formatCount(int64_t count)
{
    std::string digits = fmt::format("{}", count < 0 ? -count : count);
    for (auto i = ptrdiff_t(digits.size()) - 3; i > 0; i -= 3)
        digits.insert(size_t(i), thinSpace);
    return count < 0 ? minusSign + digits : digits;
}

std::string formatCounted(int64_t count, std::string_view noun, std::string_view plural)
{
    return formatCount(count) + " " + nounFor(count, noun, plural);
}

Quantity formatQuantity(double quantity)
{
    constexpr std::array<const char*, 5> prefixes{"", "k", "M", "G", "T"};
    size_t prefix = 0;
    while (std::abs(quantity) >= 999.5 && prefix + 1 < prefixes.size()) {
        quantity /= 1000;
        ++prefix;
    }
    return {prefix == 0 ? fmt::format("{:g}", quantity) : significant(quantity), prefixes[prefix]};
}

std::string formatPercentage(double fraction)
{
    if (!std::isfinite(fraction))
        return "not finite";
    if (fraction > 0 && fraction < 0.001)
        return "<0.1 %";
    if (fraction < 1 && fraction > 0.99)
        return ">99 %";
    return fraction < 0.0995 ? fmt::format("{:.2g} %", 100 * fraction) : fmt::format("{:.0f} %", 100 * fraction);
}

std::string formatChange(double from, double to)
{
    if (!(from > 0) || !std::isfinite(to))
        return "";
    const auto percent = int(std::lround(100 * (to - from) / from));
    return fmt::format("{}{} %", percent < 0 ? minusSign : percent > 0 ? "+" : "", std::abs(percent));
}

std::string formatRatio(double ratio)
{
    if (!std::isfinite(ratio))
        return "not finite";
    return fmt::format("{:.{}f}×", ratio, ratio < 9.95 ? 1 : 0);
}

std::string formatPercent(double fraction, int decimals)
{
    return fmt::format("{:.{}f} %", 100 * fraction, decimals);
}

std::string formatInterval(double low, double high)
{
    return fmt::format("[{:.2f}, {:.2f}]", 100 * low, 100 * high);
}

std::string formatPoints(double from, double to)
{
    return fmt::format("{}{:.2f}", to < from ? "\u2212" : "+", 100 * std::abs(to - from));
}

std::string formatGain(double ratio)
{
    return std::isfinite(ratio) ? fmt::format("{:.2f}×", ratio) : "not finite";
}

std::string formatRemaining(double seconds)
{
    if (seconds < 59.5)
        return fmt::format("about {} s", std::max(1, int(std::lround(seconds))));
    const auto minutes = int(std::lround(seconds / 60));
    if (minutes < 60)
        return fmt::format("about {} min", minutes);
    return fmt::format("about {} h {} min", minutes / 60, minutes % 60);
}

}
