#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/lab/decode/decode.h"

#include <string>
#include <vector>

/// What the causal laboratory found, as JSON with stable keys, as charts and as tables (docs/laboratory.md). Independent of torch.
namespace attnscope {

Json toJson(const DecodeReport& report);

enum class DecodeMetric {
    Time,   ///< of one token, with its 5th and 95th percentile
    State,  ///< bytes that are kept between two tokens
    Error,  ///< relative, from exact causal attention
};
/// The keys of mechanisms' looks in figures (core/figure/series_keys.h): those of the attention that each is a causal form of.
std::vector<std::string> looksOfMechanisms(const std::vector<std::string>& mechanisms);

/// "rfa · gate=0.99, gate_form=sum" of a canonical specification.
std::string mechanismTitle(const std::string& mechanism);

/// What it comes to: which mechanisms are faster than the cache at the last position, and which of them is closest to it. Where times
/// overlap, nobody is faster.
Text verdict(const DecodeReport& report);
/// How it was measured.
Text conditions(const DecodeReport& report);
/// Every mechanism at every position.
Table decodePoints(const DecodeReport& report);
/// Exponents, where each is cheaper than the cache, and what checks it: a row for each mechanism.
Table decodeSummary(const DecodeReport& report);
/// The weight of one token in later outputs, lags as columns; with a gate also what the state has kept of it.
Table decodeImpulses(const DecodeReport& report);

/// Against the position, both on log scales.
Chart decodeChart(const DecodeReport& report, DecodeMetric metric);
/// The weight of one token in later outputs, against the lag.
Chart impulseChart(const DecodeReport& report);

}
