#include "core/nn/packed_tile.h"

#include <bit>
#include <cstring>

namespace attnscope::packedWeights {

namespace {

/// Converts 8-bit numbers to words of a product, exactly.
void widen(const uint8_t* from, size_t count, float* to)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = float(from[i]);
}

void widen(const uint8_t* from, size_t count, uint16_t* to)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = uint16_t(std::bit_cast<uint32_t>(float(from[i])) >> 16);
}

uint16_t bfloat16Bits(float x)
{
    return c10::BFloat16(x).x;
}

/// A convolution as a matrix product: each row is the window of a token, cut out of the image. The image has the layer's type, or 8-bit
/// pixels if the layer takes pixels.
class WindowsCall {
public:
    /// image (B,rows,columns,C), contiguous, or (B,C,rows,columns) if the layer's windows are planar.
    WindowsCall(const at::Tensor& image, const Layer& layer)
        : m_image(image)
        , m_layer(layer)
        , m_planes(layer.window.planes ? image.size(1) : 1)
        , m_height(image.size(layer.window.planes ? 2 : 1))
        , m_width(image.size(layer.window.planes ? 3 : 2))
        , m_rows(layer.window.count(m_height))
        , m_columns(layer.window.count(m_width))
        , m_channels(size_t(layer.window.planes ? 1 : image.size(3)))
        , m_numberBytes(layer.packed ? sizeof(uint16_t) : sizeof(float))
        , m_rowBytes(size_t(layer.in) * m_numberBytes)
        , m_out(at::empty({image.size(0) * m_rows * m_columns, layer.out},
                          layer.packed ? at::kBFloat16 : at::kFloat),
                layer.packed)
    {}

    at::Tensor run()
    {
        forEachChunkOf(
            m_layer, m_out.rows.size(0), m_layer.in + chunkColumns, [&](const Chunk& chunk, float* memory) {
                float* const scratch = memory + chunk.rows * m_layer.in;
                Tile(m_layer.packed, chunk.rows)
                    .linearInto(cut(chunk, memory), m_layer, chunk, nullptr, Activation::None, m_out, scratch);
            });
        return shaped();
    }

    at::Tensor run(const Layer& norm, double eps)
    {
        const int64_t tokens = m_out.rows.size(0);
        if (tokens <= fewRows && m_layer.out >= at::get_num_threads() * stripColumnsOf(m_layer)) {
            runFew(norm, eps);
            return shaped();
        }
        const int64_t held = heldRows(m_layer.in);
        const auto cost = double(m_layer.in * m_layer.out);
        forEachTile(tokens, m_layer.out, cost, m_layer.in + m_layer.out, held,
                    [&](const Chunk& chunk, float* memory) {
                        const Tile tile(m_layer.packed, chunk.rows);
                        const kernels::OutputRows sums{memory + held * m_layer.in, m_layer.out};
                        tile.linear(cut(chunk, memory), m_layer, 0, m_layer.out, {}, sums);
                        tile.normOfSums(sums, norm, eps, m_out.into(chunk.row).data);
                    });
        return shaped();
    }

private:
    at::Tensor shaped() const { return m_out.rows.view({m_image.size(0), m_rows * m_columns, m_layer.out}); }

    /// The same sums with the outputs divided among threads, so that each reads only its part of the weights.
    void runFew(const Layer& norm, double eps)
    {
        const int64_t tokens = m_out.rows.size(0), width = m_layer.out;
        const auto sums = at::empty({tokens, width}, at::kFloat);
        auto* const to = sums.mutable_data_ptr<float>();
        forEachChunkOf(m_layer, tokens, m_layer.in, [&](const Chunk& chunk, float* memory) {
            Tile(m_layer.packed, chunk.rows)
                .linear(cut(chunk, memory), m_layer, chunk.begin, chunk.end, {}, {to + chunk.begin, width});
        });
        forEachTile(tokens, width, static_cast<double>(width), 0, [&](const Chunk& chunk, float*) {
            Tile(m_layer.packed, chunk.rows)
                .normOfSums({to + chunk.row * width, width}, norm, eps, m_out.into(chunk.row).data);
        });
    }

    /// The windows of a chunk of tokens, as words.
    kernels::Rows cut(const Chunk& chunk, float* memory) const
    {
        for (int64_t i = 0; i < chunk.rows; ++i)
            cutOne(chunk.row + i, reinterpret_cast<char*>(memory) + size_t(i) * m_rowBytes);
        return {memory, Tile(m_layer.packed, 1).packedInputs(m_layer.in)};
    }

    void cutOne(int64_t token, char* out) const
    {
        const Window& window = m_layer.window;
        const int64_t image = token / (m_rows * m_columns), place = token % (m_rows * m_columns);
        const int64_t top = place / m_columns * window.stride - window.padding,
                      left = place % m_columns * window.stride - window.padding;
        const int64_t before = std::clamp<int64_t>(-left, 0, window.side);
        const int64_t end = std::clamp(m_width - left, before, window.side);
        char* const last = out + m_rowBytes;
        for (int64_t i = 0; i < m_planes * window.side; ++i) {
            const int64_t plane = image * m_planes + i / window.side, row = top + i % window.side;
            const bool inside = row >= 0 && row < m_height;
            out = blanks(out, inside ? before : window.side);
            if (!inside)
                continue;
            out = copy(size_t((plane * m_height + row) * m_width + left + before), end - before, out);
            out = blanks(out, window.side - end);
        }
        std::memset(out, 0, size_t(last - out));
    }

    /// Copies pixels of the image from number `first` on.
    char* copy(size_t first, int64_t pixels, char* out) const
    {
        const size_t from = first * m_channels, count = size_t(pixels) * m_channels;
        if (!isOfBytes())
            std::memcpy(out, static_cast<const char*>(m_image.const_data_ptr()) + from * m_numberBytes,
                        count * m_numberBytes);
        else if (m_layer.packed)
            widen(m_image.const_data_ptr<uint8_t>() + from, count, reinterpret_cast<uint16_t*>(out));
        else
            widen(m_image.const_data_ptr<uint8_t>() + from, count, reinterpret_cast<float*>(out));
        return out + count * m_numberBytes;
    }

    /// Writes the padding around the image.
    char* blanks(char* out, int64_t pixels) const
    {
        const auto bytes = size_t(pixels) * m_channels * m_numberBytes;
        if (!isOfBytes() && bytes > 0)
            std::memset(out, 0, bytes);
        if (isOfBytes())
            for (size_t i = 0; i < size_t(pixels) * m_channels; ++i) {
                const float value = m_layer.blank[i % m_channels];
                if (m_layer.packed)
                    reinterpret_cast<uint16_t*>(out)[i] = bfloat16Bits(value);
                else
                    reinterpret_cast<float*>(out)[i] = value;
            }
        return out + bytes;
    }

    bool isOfBytes() const { return !m_layer.blank.empty(); }

    const at::Tensor& m_image;
    const Layer& m_layer;
    int64_t m_planes, m_height, m_width, m_rows, m_columns;
    size_t m_channels, m_numberBytes, m_rowBytes;
    Matrix m_out;
};

}

Layer windowLayer(const at::Tensor& weight, const at::Tensor& bias, const Window& window)
{
    const auto rows = (window.planes ? weight : weight.permute({0, 2, 3, 1})).flatten(1);  // (out,side·side·C)
    const int64_t missing = (rows.size(1) + 15) / 16 * 16 - rows.size(1);
    Layer layer = linearLayer(at::constant_pad_nd(rows, {0, missing}), bias);
    layer.window = window;
    return layer;
}

Layer pixelLayer(const at::Tensor& weight, const at::Tensor& bias, const Window& window, const PixelScale& scale)
{
    const auto perChannel = [](const std::array<float, 3>& values, float factor) {
        return (at::tensor(at::ArrayRef<float>(values.data(), values.size())).to(at::kDouble) * factor)
            .view({3, 1, 1});
    };
    const auto folded = (weight.to(at::kDouble) / perChannel(scale.stddev, 255)).to(weight.scalar_type());
    std::vector<float> blank;
    for (const float mean : scale.mean) {
        const float value = 255 * mean;
        blank.push_back(weight.scalar_type() == at::kBFloat16 ? float(c10::BFloat16(value)) : value);
    }
    auto shift = -(folded.to(at::kDouble) * perChannel(scale.mean, 255)).sum({1, 2, 3});
    if (bias.defined())
        shift += bias.to(at::kDouble);
    Layer layer = windowLayer(folded, shift.to(at::kFloat), window);
    layer.blank = std::move(blank);
    return layer;
}

at::Tensor convolution(const at::Tensor& image, const Layer& layer)
{
    return WindowsCall(image.contiguous(), layer).run();
}

at::Tensor normedConvolution(const at::Tensor& image, const Layer& layer, const Layer& norm, double eps)
{
    return WindowsCall(image.contiguous(), layer).run(norm, eps);
}

}
