#pragma once

#include "core/lab/layers/inspect.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// The logits of a network's first attention as terms of content and position: what a query looks for, and where. Independent of torch.
namespace attnscope {

/// First the query's part, then the key's. Global: the constant part of queries, the same for all. RowConstant: with the constant part of
/// keys, which does not depend on the key and vanishes in softmax.
enum class LogitTerm {
    ContentContent,
    ContentPosition,
    PositionContent,
    PositionPosition,
    GlobalContent,
    GlobalPosition,
    RowConstant,
};
inline constexpr size_t logitTermCount = 7;

/// "content-content" …, as in JSON and in files.
const char* toText(LogitTerm term);

/// By term.
template <typename Value>
using ByLogitTerm = std::array<Value, logitTermCount>;

/// The terms of one query.
struct LogitTermMaps {
    int64_t query = 0;
    ByLogitTerm<std::vector<std::vector<float>>> terms;  ///< [term][head][key]
    std::vector<std::vector<float>> logits;              ///< [head][key], their sum
};

struct LogitTermReport {
    std::optional<RunReport> model;  ///< empty for tensors alone
    std::string source;
    int64_t tokens = 0, heads = 0, prefix = 0, frames = 1;
    TokenGrid grid;
    /// [term][head]: Σ (X − row mean)(S − row mean) / Σ (S − row mean)² for the term X of the logits S, over all queries and keys of a
    /// normaliser. They sum to 1 and may be negative; that of RowConstant is 0. NaN if the logits of a head are constant.
    ByLogitTerm<std::vector<double>> fractions;
    /// Largest |sum of the terms − scale · q·k| over heads, queries and keys, with q and k as the network computed them; NaN without one.
    double largestResidual = 0;
    std::optional<LogitTermMaps> maps;     ///< if a query was requested
    std::vector<ExpectedOutput> expected;  ///< the numbers that the file itself holds
};

struct LogitTermRequest {
    std::optional<TokenQuery> query;
    uint64_t seed = 0;
};

/// Of a network on one input, or of a file with `content` and `position` (N,C), `norm`, `q` and `k` (`.weight`, `.bias`) and in its header
/// the options heads, eps and possibly prefix and grid; without a grid, a query is row 0 and the token as its column. Throws FileError,
/// UsageError if the network adds no position embedding before its first attention or has no such query, Cancelled.
LogitTermReport decomposeLogits(const LabSubject& subject, const LogitTermRequest& request, std::stop_token stop);

/// The terms of the query as tensors `terms.TERM` (heads, keys) and `logits`. Throws UsageError if there are none.
void writeTerms(const LogitTermReport& report, const std::filesystem::path& file);

}
