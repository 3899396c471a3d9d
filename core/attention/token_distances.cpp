#include "core/attention/token_distances.h"

#include "core/base/error.h"

#include <string>

namespace attnscope {

namespace {

/// `prefix` tokens without a place, then `count` that repeat a grid of rows × columns; rows = 1: a line.
struct PlacedTokens {
    int64_t prefix = 0, count = 0, rows = 1, columns = 0;

    int64_t length() const { return rows * columns; }
};

PlacedTokens lineOf(int64_t tokens, int64_t prefix = 0)
{
    const int64_t count = tokens - prefix;
    return {prefix, count, 1, count};
}

bool isWithinFrames(const AttentionInput& in)
{
    const TokenLayout& tokens = in.tokens;
    return in.keyGroups > 1
           || (tokens.frames > 1 && tokens.hasGrid() && in.k.size(2) == tokens.rows * tokens.columns);
}

PlacedTokens placedQueries(const AttentionInput& in)
{
    const TokenLayout& tokens = in.tokens;
    const int64_t all = in.q.size(2), grid = tokens.rows * tokens.columns;
    const bool within = isWithinFrames(in);
    if (tokens.hasGrid() && tokens.count() == all && (within || tokens.frames == 1))
        return {tokens.prefix, all - tokens.prefix, tokens.rows, tokens.columns};
    if (tokens.hasGrid() && grid == all)
        return {0, all, tokens.rows, tokens.columns};
    const bool fits = tokens.prefix <= all && (!tokens.hasGrid() || tokens.count() == all);
    PlacedTokens line = lineOf(all, fits ? tokens.prefix : 0);
    if (within && line.count % in.keyGroups == 0)
        line.columns = line.count / in.keyGroups;
    return line;
}

/// Of one group; `rows` and `columns` are those of the keys' own grid, 0 × 0 if it is unknown.
PlacedTokens placedKeys(const AttentionInput& in, const PlacedTokens& queries)
{
    const int64_t all = in.k.size(2) / in.keyGroups;
    const TokenLayout& own = in.keyTokens;
    if (own.count() == all && own.hasGrid() && own.frames == 1)
        return {own.prefix, all - own.prefix, own.rows, own.columns};
    if (!own.hasGrid() && own.prefix > 0 && own.prefix <= all)
        return {own.prefix, all - own.prefix, 0, 0};
    if (isWithinFrames(in) && all == queries.length())
        return {0, all, queries.rows, queries.columns};
    if (in.keyGroups == 1 && all == in.q.size(2))
        return queries;
    return {0, all, 0, 0};
}

}

DistanceMetric parseDistanceMetric(std::string_view name)
{
    if (name == "chebyshev")
        return DistanceMetric::Chebyshev;
    if (name == "manhattan")
        return DistanceMetric::Manhattan;
    if (name == "euclidean")
        return DistanceMetric::Euclidean;
    throw UsageError("", "unknown metric `" + std::string(name) + "`",
                     "the metrics are euclidean, chebyshev and manhattan");
}

TokenDistances::TokenDistances(const AttentionInput& input, DistanceMetric metric, DistancePlaces places)
    : m_metric(metric)
{
    const bool sequence = places == DistancePlaces::Sequence;
    const PlacedTokens queries = sequence ? lineOf(input.q.size(2)) : placedQueries(input);
    const PlacedTokens keys = sequence ? lineOf(input.k.size(2) / input.keyGroups) : placedKeys(input, queries);
    const auto whole = input.q.options().dtype(at::kLong).requires_grad(false);
    const auto floorOf = [](const at::Tensor& x, int64_t by) { return at::floor_divide(x, at::Scalar(by)); };
    const bool lined = places != DistancePlaces::Grid;
    // (tokens) as rows and columns of the queries' grid, behind `prefix` zeros.
    const auto placed = [&](int64_t prefix, const at::Tensor& row, const at::Tensor& column) {
        const auto behind = [&](const at::Tensor& x) {
            return at::cat({at::zeros({prefix}, whole.dtype(at::kDouble)), x.to(at::kDouble)});
        };
        return Places{behind(lined ? at::zeros_like(row) : row),
                      behind(lined ? row * queries.columns + column : column), behind(at::ones_like(row))};
    };
    // One place at least: where every query is a prefix token, no distance is used.
    const int64_t width = std::max<int64_t>(1, queries.columns), length = std::max<int64_t>(1, queries.length());
    const auto line = at::remainder(at::arange(queries.count, whole), at::Scalar(length));
    m_queries = placed(queries.prefix, floorOf(line, width), at::remainder(line, at::Scalar(width)));
    const auto index = at::arange(keys.count, whole);
    if (queries.rows == 1 || keys.rows == 0) {
        const auto mapped = floorOf((2 * index + 1) * length, std::max<int64_t>(1, 2 * keys.count));
        m_keys = placed(keys.prefix, floorOf(mapped, width), at::remainder(mapped, at::Scalar(width)));
        return;
    }
    const auto centre = [&](const at::Tensor& i, int64_t to, int64_t from) {
        return floorOf((2 * i + 1) * to, 2 * from);
    };
    m_keys = placed(keys.prefix, centre(floorOf(index, keys.columns), queries.rows, keys.rows),
                    centre(at::remainder(index, at::Scalar(keys.columns)), queries.columns, keys.columns));
}

at::Tensor TokenDistances::between(int64_t begin, int64_t end, int64_t keys) const
{
    const auto apart = [&](const at::Tensor& q, const at::Tensor& k) {
        return (q.slice(0, begin, end).unsqueeze(1) - k.slice(0, 0, keys).unsqueeze(0)).abs_();
    };
    auto rows = apart(m_queries.row, m_keys.row), columns = apart(m_queries.column, m_keys.column);  // (n,M)
    switch (m_metric) {
    case DistanceMetric::Euclidean:
        rows = rows.square_().add_(columns.square_()).sqrt_();
        break;
    case DistanceMetric::Chebyshev:
        rows = at::maximum(rows, columns);
        break;
    case DistanceMetric::Manhattan:
        rows.add_(columns);
        break;
    }
    return rows.mul_(m_queries.placed.slice(0, begin, end).unsqueeze(1)).mul_(m_keys.placed.slice(0, 0, keys));
}

}
