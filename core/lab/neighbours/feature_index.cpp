#include "core/lab/neighbours/feature_index.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/observers.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>

namespace attnscope {

namespace {

constexpr int64_t productNumbers = int64_t{1} << 21;  // of a block of products: 8 MiB
constexpr int64_t queriesAtOnce = 512;
constexpr double smallestNorm = 1e-12;  // torch.nn.functional.normalize
constexpr double underflow = 1e-35;     // products of numbers so small that float32 loses them

/// Σ term(i) in eight independent sums, which the compiler computes at the same time.
template <typename Term>
double sumOf(int64_t count, const Term& term)
{
    std::array<double, 8> sums{};
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int64_t lane = 0; lane < 8; ++lane)
            sums[size_t(lane)] += term(i + lane);
    double sum = 0;
    for (; i < count; ++i)
        sum += term(i);
    for (const double lane : sums)
        sum += lane;
    return sum;
}

double normOf(const float* row, int64_t width)
{
    return std::sqrt(sumOf(width, [&](int64_t i) { return double(row[i]) * row[i]; }));
}

struct Found {
    double distance = 0;  // squared for L2
    int64_t index = 0;
    friend auto operator<=>(const Found&, const Found&) = default;
};

/// The nearest entries that one query has found so far.
class Query {
public:
    Query(const float* values, int64_t width, int64_t k, FeatureDistance distance,
          const std::vector<int64_t>* leftOut)
        : m_values(values)
        , m_width(width)
        , m_k(size_t(k))
        , m_distance(distance)
        , m_leftOut(leftOut)
        , m_norm(normOf(values, width))
    {
        const double roundings = double(width + 8) * std::ldexp(1.0, -24);
        m_productError = roundings / (1 - std::min(roundings, 0.5));
    }

    bool isFinite() const { return std::isfinite(m_norm); }

    /// Rows come by ascending index, so that of equal distances the first stays.
    void look(float product, const float* row, double norm, int64_t index)
    {
        // A product that float32 overflowed has no bound.
        if (m_found.size() == m_k && std::isfinite(product) && lowest(product, norm) >= m_found.front().distance)
            return;
        const Found found{exact(row, norm), index};
        if (m_found.size() == m_k && found.distance >= m_found.front().distance)
            return;
        if (m_leftOut != nullptr && std::ranges::binary_search(*m_leftOut, index))
            return;
        if (m_found.size() == m_k) {
            std::ranges::pop_heap(m_found);
            m_found.pop_back();
        }
        m_found.push_back(found);
        std::ranges::push_heap(m_found);
    }

    void write(Neighbours& neighbours)
    {
        std::ranges::sort_heap(m_found);
        for (const Found& found : m_found) {
            neighbours.distances.push_back(m_distance == FeatureDistance::L2 ? std::sqrt(found.distance)
                                                                             : found.distance);
            neighbours.indices.push_back(found.index);
        }
    }

private:
    double normProduct(double norm) const { return std::max(m_norm, smallestNorm) * std::max(norm, smallestNorm); }

    /// A lower bound of the distance.
    double lowest(float product, double norm) const
    {
        const double error = m_productError * m_norm * norm + underflow;
        if (m_distance == FeatureDistance::Cosine)
            return 1 - (product + error) / normProduct(norm) - 1e-14;
        const double squares = m_norm * m_norm + norm * norm;
        return squares - 2 * (product + error) - 1e-12 * squares;
    }

    double exact(const float* row, double norm) const
    {
        if (m_distance == FeatureDistance::Cosine)
            return 1 - sumOf(m_width, [&](int64_t i) { return double(m_values[i]) * row[i]; }) / normProduct(norm);
        return sumOf(m_width, [&](int64_t i) {
            const double difference = double(m_values[i]) - row[i];
            return difference * difference;
        });
    }

    const float* m_values;
    int64_t m_width;
    size_t m_k;
    FeatureDistance m_distance;
    const std::vector<int64_t>* m_leftOut;
    double m_norm, m_productError = 0;
    std::vector<Found> m_found;  // a heap: the farthest first
};

void check(const FeatureRows& rows, const at::Tensor& queries, const NeighbourSearch& search)
{
    if (queries.dim() != 2 || queries.size(1) != rows.width)
        throw UsageError(rows.name,
                         "its features have " + counted(rows.width, "number") + ", and the queries do not",
                         "give queries (Q, " + std::to_string(rows.width) + ")");
    size_t leftOut = 0;
    for (const auto& entries : search.leaveOut)
        leftOut = std::max(leftOut, entries.size());
    const int64_t most = rows.count - int64_t(leftOut);
    if (most < 1)
        throw UsageError(rows.name, "every entry is the query itself", "give a datastore of other images");
    if (search.k < 1 || search.k > most)
        throw UsageError("k",
                         counted(search.k, "neighbour") + nounFor(search.k, " is", " are")
                             + " beyond the datastore of " + counted(rows.count, "entry", "entries"),
                         "give 1 to " + std::to_string(most));
}

}

FeatureIndex::FeatureIndex(const FeatureRows& rows)
    : m_rows(rows)
    , m_norms(size_t(rows.count))
{
    std::atomic<int64_t> notFinite = -1;
    at::parallel_for(0, rows.count, 4096, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            double& norm = m_norms[size_t(row)];
            norm = normOf(rows.values + row * rows.width, rows.width);
            if (!std::isfinite(norm))
                notFinite = row;
        }
    });
    if (notFinite >= 0)
        throw FileError(rows.name, "the features of entry " + std::to_string(notFinite) + " are not finite",
                        "build the datastore again");
}

Neighbours FeatureIndex::nearest(const at::Tensor& given, const NeighbourSearch& search,
                                 const std::stop_token& stop) const
{
    const c10::InferenceMode guard;
    check(m_rows, given, search);
    const at::Tensor queries = given.to(at::kCPU, at::kFloat).contiguous();  // (Q,C)
    Neighbours neighbours{.k = search.k};
    for (int64_t first = 0; first < queries.size(0); first += queriesAtOnce) {
        const at::Tensor part = queries.slice(0, first, std::min(first + queriesAtOnce, queries.size(0)));
        std::vector<Query> found;
        for (int64_t q = 0; q < part.size(0); ++q) {
            const auto* own = search.leaveOut.empty() ? nullptr : &search.leaveOut.at(size_t(first + q));
            found.emplace_back(part.const_data_ptr<float>() + q * m_rows.width, m_rows.width, search.k,
                               search.distance, own);
            if (!found.back().isFinite())
                throw UsageError("query " + std::to_string(first + q), "its features are not finite",
                                 "choose another image or attention");
        }
        const int64_t block = std::max<int64_t>(
            std::min(productNumbers / part.size(0), productNumbers / m_rows.width), 64);
        for (int64_t row = 0; row < m_rows.count; row += block) {
            checkStop(stop);
            const int64_t count = std::min(block, m_rows.count - row);
            const float* values = m_rows.values + row * m_rows.width;
            // from_blob takes no const; nobody writes.
            const at::Tensor rows = at::from_blob(const_cast<float*>(values), {count, m_rows.width}, at::kFloat);
            const at::Tensor products = at::mm(part, rows.t());  // (Q,rows)
            const auto* product = products.const_data_ptr<float>();
            at::parallel_for(0, part.size(0), 1, [&](int64_t begin, int64_t end) {
                for (int64_t q = begin; q < end; ++q)
                    for (int64_t i = 0; i < count; ++i)
                        found[size_t(q)].look(product[q * count + i], values + i * m_rows.width,
                                              m_norms[size_t(row + i)], row + i);
            });
        }
        for (Query& query : found)
            query.write(neighbours);
    }
    return neighbours;
}

}
