#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/lab/decode/decode.h"

#include <string>
#include <vector>

/// What the causal laboratory found, as JSON with stable keys and as charts (docs/laboratory.md). Independent of torch.
namespace attnscope {

Json toJson(const DecodeReport& report);

enum class DecodeMetric {
    Time,   ///< of one token, with its 5th and 95th percentile
    State,  ///< bytes that are kept between two tokens
    Error,  ///< relative, from exact causal attention
};
/// The keys of mechanisms' looks in figures (core/figure/series_keys.h): those of the attention that each is a causal form of.
std::vector<std::string> looksOfMechanisms(const std::vector<std::string>& mechanisms);

/// Against the position, both on log scales.
Chart decodeChart(const DecodeReport& report, DecodeMetric metric);
/// The weight of one token in later outputs, against the lag.
Chart impulseChart(const DecodeReport& report);

}
