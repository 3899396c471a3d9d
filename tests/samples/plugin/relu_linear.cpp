#include <attnscope_plugin.h>

#include <algorithm>
#include <cmath>
#include <vector>

// y_n = φ(q_n) Σ_m φ(k_m) v_mᵀ / φ(q_n) Σ_m φ(k_m) with φ(x) = max(√scale · x, 0) + ½.

const char* attnscope_describe_v1()
{
    return R"({"abi": 1, "name": "relu-linear", "title": "ReLU linear attention", "kind": "other-kernel"})";
}

int attnscope_attention_v1(const AttnscopeTensor* q, const AttnscopeTensor* k, const AttnscopeTensor* v,
                           double scale, float* out, char*, int64_t)
{
    const auto at = [](const AttnscopeTensor& x, int64_t b, int64_t h, int64_t n, int64_t d) {
        return x.data[b * x.stride[0] + h * x.stride[1] + n * x.stride[2] + d * x.stride[3]];
    };
    const auto root = float(std::sqrt(scale));
    const auto feature = [&](auto... where) { return std::max(root * at(where...), 0.0f) + 0.5f; };
    const int64_t width = q->size[3], channels = v->size[3];
    for (int64_t b = 0; b < q->size[0]; ++b)
        for (int64_t h = 0; h < q->size[1]; ++h) {
            std::vector<float> sums(size_t(width * (channels + 1)));  // a row per feature: of values, then of ones
            for (int64_t m = 0; m < k->size[2]; ++m)
                for (int64_t d = 0; d < width; ++d) {
                    float* const row = sums.data() + d * (channels + 1);
                    const float weight = feature(*k, b, h, m, d);
                    for (int64_t c = 0; c < channels; ++c)
                        row[c] += weight * at(*v, b, h, m, c);
                    row[channels] += weight;
                }
            for (int64_t n = 0; n < q->size[2]; ++n, out += channels) {
                std::vector<float> y(size_t(channels + 1));
                for (int64_t d = 0; d < width; ++d)
                    for (int64_t c = 0; c <= channels; ++c)
                        y[size_t(c)] += feature(*q, b, h, n, d) * sums[size_t(d * (channels + 1) + c)];
                for (int64_t c = 0; c < channels; ++c)
                    out[c] = y[size_t(c)] / y.back();
            }
        }
    return 0;
}
