#include "core/attention/fused/cpu_token_merging.h"

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_nearest.h"
#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace attnscope {

namespace {

/// Directions of the keys' means over heads: those of A and of B.
struct MergeMetric {
    at::Tensor a, b;  ///< (B,|A|,D), (B,|B|,D)
};

MergeMetric metricOf(const at::Tensor& k, int64_t first)
{
    const int64_t batch = k.size(0), heads = k.size(1), tokens = k.size(2), width = k.size(3),
                  free = tokens - first;
    MergeMetric metric{emptyFloats({batch, (free + 1) / 2, width}), emptyFloats({batch, free / 2, width})};
    constexpr int64_t some = 32;  // tokens of a task
    const int64_t parts = (free + some - 1) / some;
    forEachTask(batch * parts, double(some * heads * width), [&](int64_t task, int) {
        const int64_t sample = task / parts, begin = task % parts * some;
        for (int64_t t = begin; t < std::min(begin + some, free); ++t) {
            at::Tensor& part = t % 2 == 0 ? metric.a : metric.b;
            float* const to = part.mutable_data_ptr<float>() + (sample * part.size(1) + t / 2) * width;
            std::copy_n(rowsOf(k, sample, 0, first + t).data, width, to);
            for (int64_t head = 1; head < heads; ++head) {
                const float* const key = rowsOf(k, sample, head, first + t).data;
                for (int64_t d = 0; d < width; ++d)
                    to[d] += key[d];
            }
            float squares = 0;
            for (int64_t d = 0; d < width; ++d)
                squares += to[d] * to[d];
            const float factor = 1 / std::max(std::sqrt(squares), 1e-12f * float(heads));
            for (int64_t d = 0; d < width; ++d)
                to[d] *= factor;
        }
    });
    return metric;
}

/// One sample's tokens while they merge.
class SampleMerging {
public:
    SampleMerging(const MatchRequest& request, int64_t tokens)
        : m_request(request)
        , m_tokens(tokens)
        , m_chosen(size_t((tokens - request.protectedTokens + 1) / 2))
        , m_cosines(m_chosen.size())
        , m_touched(size_t(tokens - request.count))
    {}

    /// Chooses the sources, and writes who stays and where everybody goes.
    void match(const float* a, const float* b, const int64_t* nearest, int64_t width, int64_t* survivors,
               int64_t* places)
    {
        for (size_t i = 0; i < m_chosen.size(); ++i) {
            const float* const x = a + int64_t(i) * width;
            const float* const y = b + nearest[i] * width;
            float product = 0;
            for (int64_t d = 0; d < width; ++d)
                product += x[d] * y[d];
            m_cosines[i] = std::isnan(product) ? 2 : product;  // comparisons with NaN have no order
        }
        std::iota(m_chosen.begin(), m_chosen.end(), int64_t{0});
        std::ranges::stable_sort(m_chosen, [&](int64_t i, int64_t j) { return cosine(i) > cosine(j); });
        const int64_t first = m_request.protectedTokens;
        std::fill_n(places, m_tokens, int64_t{0});
        for (int64_t i = 0; i < m_request.count; ++i)
            places[first + 2 * m_chosen[size_t(i)]] = -1;
        int64_t left = 0;
        const auto keep = [&](int64_t token) {
            if (places[token] < 0)
                return;
            survivors[left] = token;
            places[token] = left++;
        };
        if (m_request.order == MergeOrder::Position) {
            for (int64_t t = 0; t < m_tokens; ++t)
                keep(t);
        } else {
            for (int64_t t = 0; t < first; ++t)
                keep(t);
            for (const int64_t half : {first, first + 1})
                for (int64_t t = half; t < m_tokens; t += 2)
                    keep(t);
        }
        for (int64_t i = 0; i < m_request.count; ++i) {
            const int64_t source = m_chosen[size_t(i)];
            places[first + 2 * source] = places[first + 2 * nearest[source] + 1];
        }
    }

    /// Rows x and their sizes, 1 where `sizes` is null.
    void merge(const float* x, const float* sizes, int64_t width, const int64_t* survivors, const int64_t* places,
               float* rows, float* newSizes)
    {
        const auto sizeOf = [&](int64_t token) { return sizes == nullptr ? 1.0f : sizes[token]; };
        for (int64_t i = 0; i < std::ssize(m_touched); ++i) {
            std::memcpy(rows + i * width, x + survivors[i] * width, size_t(width) * sizeof(float));
            newSizes[i] = sizeOf(survivors[i]);
        }
        for (int64_t i = 0; i < m_request.count; ++i) {
            const int64_t source = m_request.protectedTokens + 2 * m_chosen[size_t(i)], target = places[source];
            float* const sum = rows + target * width;
            const float* const part = x + source * width;
            const bool begun = m_touched[size_t(target)];
            const float own = begun ? 1 : newSizes[target], other = sizeOf(source);
            for (int64_t c = 0; c < width; ++c)
                sum[c] = own * sum[c] + other * part[c];
            newSizes[target] += other;
            m_touched[size_t(target)] = true;
        }
        for (int64_t i = 0; i < std::ssize(m_touched); ++i) {
            if (!m_touched[size_t(i)])
                continue;
            const float factor = 1 / newSizes[i];
            for (int64_t c = 0; c < width; ++c)
                rows[i * width + c] *= factor;
        }
    }

private:
    float cosine(int64_t i) const { return m_cosines[size_t(i)]; }

    const MatchRequest& m_request;
    int64_t m_tokens;
    std::vector<int64_t> m_chosen;  // of A, the most similar first
    std::vector<float> m_cosines;
    std::vector<bool> m_touched;  // rows that others have been added to
};

}

bool fitsMergingOnCpu(const at::Tensor& x, const at::Tensor& k)
{
    const bool learns = at::GradMode::is_enabled() && x.requires_grad();
    return fitsCpuKernels(k) && x.is_cpu() && x.scalar_type() == at::kFloat && !learns;
}

MergedOnCpu mergeTokensOnCpu(const at::Tensor& given, const at::Tensor& sizes, const at::Tensor& k,
                             const MatchRequest& request)
{
    const at::Tensor x = given.contiguous();
    const int64_t batch = x.size(0), tokens = x.size(1), width = x.size(2), left = tokens - request.count;
    const MergeMetric metric = metricOf(k, request.protectedTokens);
    const auto nearest = nearestKeysOnCpu(metric.a, metric.b);  // (B,|A|)
    MergedOnCpu merged{emptyFloats({batch, left, width}), emptyFloats({batch, left}),
                       at::empty({batch, left}, at::kLong), at::empty({batch, tokens}, at::kLong)};
    forEachTask(batch, double(tokens * width), [&](int64_t sample, int) {
        SampleMerging merging(request, tokens);
        const auto partOf = [&](const at::Tensor& part) {
            return part.const_data_ptr<float>() + sample * part.stride(0);
        };
        int64_t* const survivors = merged.survivors.mutable_data_ptr<int64_t>() + sample * left;
        int64_t* const places = merged.places.mutable_data_ptr<int64_t>() + sample * tokens;
        merging.match(partOf(metric.a), partOf(metric.b),
                      nearest.const_data_ptr<int64_t>() + sample * nearest.size(1), metric.a.size(2), survivors,
                      places);
        merging.merge(partOf(x), sizes.defined() ? partOf(sizes) : nullptr, width, survivors, places,
                      merged.rows.mutable_data_ptr<float>() + sample * left * width,
                      merged.sizes.mutable_data_ptr<float>() + sample * left);
    });
    return merged;
}

}
