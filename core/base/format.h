#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Numbers for people. The app, the command line and reports all print through these functions, so that the same number looks the same
/// everywhere. Decimal point; U+2212 as minus; one space before a unit.
namespace attnscope {

/// A number and its unit, separately, because cells align the number and show the unit smaller.
struct Quantity {
    std::string value;
    std::string unit;
    std::string text() const { return unit.empty() ? value : value + " " + unit; }
};

/// 62.1 ms; three significant digits; µs below 1 ms, s from 10 000 ms on.
Quantity formatMilliseconds(double milliseconds);
/// 23.4 MiB; three significant digits; binary units.
Quantity formatBytes(int64_t bytes);
/// 0.71: two decimals; "<0.01" if that would hide a positive value.
std::string formatProbability(double probability);
/// "1.5e−5" and "1e6" of fmt's "1.5e-05" and "1e+06"; other numbers stay as they are.
std::string withShortExponent(const std::string& number);
/// 0.83 from 0.01 on, 8.3e−4 below, 1.3e3 from 1000 on; "0" for exactly zero. For relative and squared errors.
std::string formatError(double error);
/// 5 717 416 with U+202F between thousands.
std::string formatCount(int64_t count);
/// 5 717 416 values, 1 value, 2 classes: a count and what is counted, as `counted` (text.h) with spaces between thousands.
std::string formatCounted(int64_t count, std::string_view noun, std::string_view plural = {});
/// 5.72 M, 4.60 G: three significant digits with an SI prefix. For parameters and multiply-adds.
Quantity formatQuantity(double quantity);
/// 12 %, 4.3 %: two significant digits of a fraction. "<0.1 %" and ">99 %" if that would make it nothing or everything.
std::string formatPercentage(double fraction);
/// 79.82 %: a fraction with a fixed number of decimals.
std::string formatPercent(double fraction, int decimals = 2);
/// [79.47, 80.17]: bounds of a fraction, in percent.
std::string formatInterval(double low, double high);
/// +4.20 or −4.20: the change of a fraction, in percentage points.
std::string formatPoints(double from, double to);
/// +12 % or −12 %: the change from `from` to `to`, without decimals.
std::string formatChange(double from, double to);
/// 1.1×: how many times faster or slower, one decimal below 10, none from 10 on.
std::string formatRatio(double ratio);
/// 1.59×: the same with two decimals.
std::string formatGain(double ratio);
/// "about 8 min", "about 5 s": the remaining time of a job.
std::string formatRemaining(double seconds);

}
