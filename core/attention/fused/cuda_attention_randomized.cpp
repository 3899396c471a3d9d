#include "core/attention/fused/cuda_attention_tensors.h"
#include "core/attention/landmarks.h"
#include "core/attention/numerics/kept_copies.h"

#include <c10/core/DeviceGuard.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace attnscope {

using kernels::cuda::FusedAttention;
using kernels::cuda::Stream;
using kernels::cuda::Weights;

namespace {

/// One call: what the samples need, kept alive until the work is queued.
class RandomizedOnCuda {
public:
    RandomizedOnCuda(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise)
        : m_in(in)
        , m_randomized(randomized)
        , m_noise(noise)
        , m_keyWeights(keyWeightsOf(in))
        , m_floats(in.q.options().dtype(at::kFloat))
    {}

    at::Tensor run()
    {
        const auto scale = float(m_in.scale);
        FusedAttention task = fusedAttentionOf(m_in, Weights::Random);
        task.normWeight = scale / 2;
        task.bias = floatsOrNull(m_keyWeights);
        // √scale ω̂ with ω̂ = √scale (q + mean) + stddev ε: its products with k equal those of ω̂ with k̂.
        task.random = {.draws = int(m_randomized.samples), .queryFactor = scale, .meanFactor = scale};
        addMeans(task.random);
        if (m_randomized.stddev) {
            task.random.stddev = float(*m_randomized.stddev * std::sqrt(m_in.scale));
            addNoise(task.random);
        }
        const auto out = emptyTokenMajor(m_in);
        task.output = outputIn(out);
        launch(task, m_in.q.device());
        return byHead(out);
    }

private:
    std::vector<int64_t> perDraw() const
    {
        return {m_in.q.size(0), m_in.q.size(1), m_in.q.size(2), m_randomized.samples};
    }

    void addMeans(kernels::cuda::RandomQueries& random)
    {
        switch (m_randomized.mean) {
        case CpuRandomized::Mean::DrawnKey:
            random.drawn = drawKeys();
            return;
        case CpuRandomized::Mean::ExpectedKey:
            random.means = expectKeys();
            return;
        case CpuRandomized::Mean::PlainMeanKey:
            m_means = weightedMean(m_in.k.to(at::kFloat), m_keyWeights).contiguous();
            random.means = m_means.const_data_ptr<float>();
            random.sharedMean = true;
        }
    }

    const int32_t* drawKeys()
    {
        m_drawn = at::empty(perDraw(), m_in.q.options().dtype(at::kInt));
        kernels::cuda::DrawKeys task{.number = elementTypeOf(m_in.q),
                                     .counts = {m_in.q.size(0), m_in.q.size(1), 1},
                                     .queries = matricesOf(m_in.q),
                                     .keys = matricesOf(m_in.k),
                                     .queryCount = m_in.q.size(2),
                                     .keyCount = m_in.k.size(2),
                                     .width = int(m_in.q.size(3)),
                                     .scale = float(m_in.scale),
                                     .bias = floatsOrNull(m_keyWeights),
                                     .draws = int(m_randomized.samples),
                                     .drawn = m_drawn.mutable_data_ptr<int32_t>()};
        if (const auto drawn = m_noise.stream("u", m_in.q.size(0))) {
            task.stream = streamOf(*drawn, drawn->key);
        } else {
            m_uniform = m_noise.uniform("u", perDraw(), m_floats).contiguous();
            task.uniform = m_uniform.const_data_ptr<float>();
        }
        launch(task, m_in.q.device());
        return m_drawn.const_data_ptr<int32_t>();
    }

    /// E[k] under the softmax weights: attention with the keys as values.
    const float* expectKeys()
    {
        m_means = at::empty(m_in.q.sizes(), m_floats);
        FusedAttention task = fusedAttentionOf(m_in, Weights::Softmax);
        task.scale = float(m_in.scale);
        task.bias = floatsOrNull(m_keyWeights);
        task.values = task.keys;
        task.valueDim = task.width;
        task.output = {
            m_means.mutable_data_ptr(), m_means.stride(0), m_means.stride(1), 0, m_means.stride(2), true};
        launch(task, m_in.q.device());
        return m_means.const_data_ptr<float>();
    }

    void addNoise(kernels::cuda::RandomQueries& random)
    {
        if (const auto drawn = m_noise.stream("eps", m_in.q.size(0))) {
            random.lengths = streamOf(*drawn, drawn->key);
            random.angles = random.lengths;
            random.angles.key = drawn->angleKey;
            return;
        }
        auto sizes = perDraw();
        sizes.push_back(m_in.q.size(3));
        m_eps = m_noise.normal("eps", sizes, m_floats).contiguous();
        random.noise = m_eps.const_data_ptr<float>();
    }

    /// Consecutive samples need no list.
    Stream streamOf(const NoiseStream& drawn, uint64_t key)
    {
        Stream stream{.key = key, .first = drawn.samples.front()};
        bool consecutive = true;
        for (size_t b = 0; b < drawn.samples.size(); ++b)
            consecutive = consecutive && drawn.samples[b] == stream.first + b;
        if (consecutive)
            return stream;
        const auto listed = at::empty({int64_t(drawn.samples.size())}, at::kLong);
        std::memcpy(listed.mutable_data_ptr(), drawn.samples.data(), drawn.samples.size() * sizeof(uint64_t));
        m_lists.push_back(copiedTo(listed, m_in.q.options().dtype(at::kLong)));
        stream.samples = static_cast<const uint64_t*>(m_lists.back().const_data_ptr());
        return stream;
    }

    const AttentionInput& m_in;
    const CpuRandomized& m_randomized;
    NoiseSource& m_noise;
    at::Tensor m_keyWeights;  // undefined: none
    at::TensorOptions m_floats;
    at::Tensor m_drawn, m_uniform, m_means, m_eps;
    std::vector<at::Tensor> m_lists;
};

}

at::Tensor randomizedOnCuda(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise)
{
    const c10::DeviceGuard guard(in.q.device());
    return RandomizedOnCuda(in, randomized, noise).run();
}

}
