#include "core/nn/packed_tile.h"

namespace attnscope::packedWeights {

namespace {

/// Hidden channels processed at a time: a depthwise convolution does not mix channels. Whole strips; of layers with weights in 8 bits
/// those that are rounded together.
int64_t channelsOf(const ImageMlp& mlp)
{
    constexpr int64_t channels = 64;
    const int64_t strip = stripColumnsOf(mlp.fc1);
    return mlp.fc2.scales.defined() ? kernels::int8Group : std::max(channels / strip * strip, strip);
}

/// Tokens processed at a time, so that their data stay in the L2 cache.
constexpr int64_t bandTokens = 768;

/// Rows [begin, end) of image `image`, and the rows [first, last) that the convolution reads.
struct Band {
    int64_t image = 0, begin = 0, end = 0, first = 0, last = 0;

    Band(int64_t plane, int64_t from, int64_t to, int64_t rows)
        : image(plane)
        , begin(from)
        , end(to)
        , first(std::max<int64_t>(from - 1, 0))
        , last(std::min(to + 1, rows))
    {}
};

/// GELU of the depthwise convolution of `hidden`: channels [begin, begin + width) of all rows that the band reads, in words.
void mix(const ImageMlp& mlp, const Band& band, kernels::Rows hidden, int64_t begin, int64_t width,
         kernels::OutputRows out)
{
    const kernels::CpuKernels& cpu = kernels::cpuKernels();
    (mlp.depthwise.packed ? cpu.depthwiseIntoBfloat16 : cpu.depthwiseRows)(
        {.x = hidden,
         .first = band.first,
         .rows = mlp.rows,
         .columns = mlp.columns,
         .begin = band.begin,
         .end = band.end,
         .width = width,
         .weight = mlp.depthwise.packedInputs.const_data_ptr<float>() + begin,
         .weightStride = mlp.depthwise.out,
         .bias = mlp.depthwise.bias.const_data_ptr<float>() + begin,
         .out = out});
}

/// For few tokens: the hidden channels, then the outputs are divided among threads, so that each reads only its part of the weights.
at::Tensor imageMlpOfFew(const at::Tensor& x, const ImageMlp& mlp)
{
    const Matrix normed(norm(x, mlp.norm, mlp.eps), mlp.fc1.packed), mixed = emptyLike(normed, mlp.fc1.out);
    const int64_t channels = channelsOf(mlp), tokens = mlp.rows * mlp.columns,
                  chunks = (mlp.fc1.out + channels - 1) / channels;
    const auto memory = at::empty({at::get_num_threads(), tokens * channels}, at::kFloat);
    const auto cost = double(tokens * channels * mlp.fc1.in);
    kernels::forEachChunk(normed.rows.size(0) / tokens * chunks, kernels::grainOf(cost),
                          [&](int64_t first, int64_t last, int thread) {
                              float* const hidden = memory.mutable_data_ptr<float>() + thread * memory.stride(0);
                              for (int64_t i = first; i < last; ++i) {
                                  const int64_t image = i / chunks, begin = i % chunks * channels,
                                                part = std::min(channels, mlp.fc1.out - begin);
                                  Tile(mlp.fc1.packed, tokens)
                                      .linear(normed.from(image * tokens), mlp.fc1, begin, begin + part, {},
                                              {hidden, part});
                                  mix(mlp, Band(image, 0, mlp.rows, mlp.rows), {hidden, part}, begin, part,
                                      mixed.into(image * tokens, begin));
                              }
                          });
    return linear(shaped(mixed, x), mlp.fc2, Activation::None, x);
}

class ImageMlpCall {
public:
    ImageMlpCall(const at::Tensor& x, const ImageMlp& mlp)
        : m_mlp(mlp)
        , m_in(x, mlp.fc1.packed)
        , m_out(emptyLike(m_in, mlp.fc2.out))
        , m_width(mlp.fc1.in)
        , m_bandRows(std::max<int64_t>(bandTokens / mlp.columns - 2, 1))
        , m_channels(channelsOf(mlp))
    {}

    at::Tensor run(const at::Tensor& x)
    {
        const int64_t rows = m_mlp.rows, images = m_in.rows.size(0) / (rows * m_mlp.columns);
        const int64_t most = (m_bandRows + 2) * m_mlp.columns;  // tokens of a band and its surroundings
        const auto memory = at::empty({at::get_num_threads(), most * (2 * m_width + 2 * m_channels)}, at::kFloat);
        const auto cost = double(2 * m_mlp.columns * m_width * m_mlp.fc1.out);
        kernels::forEachChunk(images * rows, kernels::grainOf(cost), [&](int64_t begin, int64_t end, int thread) {
            float* const own = memory.mutable_data_ptr<float>() + thread * memory.stride(0);
            while (begin < end) {
                const int64_t first = begin % rows,
                              last = std::min({first + m_bandRows, rows, first + end - begin});
                run(Band(begin / rows, first, last, rows), most, own);
                begin += last - first;
            }
        });
        return shaped(m_out, x);
    }

private:
    void run(const Band& band, int64_t most, float* memory) const
    {
        const int64_t columns = m_mlp.columns, firstToken = (band.image * m_mlp.rows + band.first) * columns;
        const int64_t own = (band.image * m_mlp.rows + band.begin) * columns;
        const bool packed = m_in.packed;
        const Tile around(packed, (band.last - band.first) * columns),
            tile(packed, (band.end - band.begin) * columns);
        float* const hidden = memory + most * m_width;
        float* const mixed = hidden + most * m_channels;
        float* const wide = mixed + most * m_channels;
        const kernels::OutputRows normed{memory, tile.packedInputs(m_width)}, rows = m_out.into(own);
        const kernels::OutputRows sums = packed ? kernels::OutputRows{wide, m_width} : rows;
        around.norm(m_in.from(firstToken), m_mlp.norm, m_mlp.eps, normed);
        for (int64_t begin = 0; begin < m_mlp.fc1.out; begin += m_channels) {
            const int64_t part = std::min(m_channels, m_mlp.fc1.out - begin);
            around.linear({normed.data, normed.stride}, m_mlp.fc1, begin, begin + part, {}, {hidden, part});
            const kernels::OutputRows to{mixed, tile.packedInputs(part)};
            mix(m_mlp, band, {hidden, part}, begin, part, to);
            tile.addPart({.x = {to.data, to.stride}, .begin = begin, .width = part, .addend = m_in.from(own)},
                         m_mlp.fc2, sums, rows);
        }
    }

    const ImageMlp& m_mlp;
    Matrix m_in, m_out;
    int64_t m_width, m_bandRows, m_channels;
};

}

Layer depthwiseLayer(const at::Tensor& weight, const at::Tensor& bias)
{
    const int64_t count = weight.size(0);
    return {.packedInputs = weight.to(at::kFloat).view({count, 9}).t().contiguous(),
            .bias = bias.defined() ? bias.to(at::kFloat).contiguous().clone() : at::zeros({count}, at::kFloat),
            .in = count,
            .out = count,
            .packed = weight.scalar_type() == at::kBFloat16};
}

at::Tensor imageMlp(const at::Tensor& x, const ImageMlp& mlp)
{
    return isFew(x) ? imageMlpOfFew(x, mlp) : ImageMlpCall(x, mlp).run(x);
}

}
