#pragma once

#include "core/kernels/activation.h"

#include <ATen/ATen.h>

#include <array>
#include <cstdint>
#include <vector>

/// Layers that act on each token separately, by the kernels of core/kernels/cpu: a thread takes a tile of tokens through all layers between
/// two attentions, so that intermediate results stay in its cache and threads synchronise once. float32, and bfloat16 with products of
/// bfloat16 and everything in between in float32.
namespace attnscope::packedWeights {

using kernels::Activation;

/// The square window of a convolution and its positions: every `stride` pixels, from −padding on.
struct Window {
    int64_t side = 0, stride = 1, padding = 0;
    /// For planar images, whose channels are stored one after the other rather than interleaved.
    bool planes = false;

    /// Number of positions along a side of an image.
    int64_t count(int64_t pixels) const { return (pixels + 2 * padding - side) / stride + 1; }
};

/// Packed weights of a linear layer, of a norm, or of a convolution as a linear layer of its windows.
struct Layer {
    at::Tensor packedInputs;  ///< float32, or packed bfloat16 or 8 bits; for a norm its weight in float32
    at::Tensor scales;        ///< of weights in 8 bits: (out), float32
    at::Tensor bias;          ///< float32; zeros if the layer has none
    int64_t in = 0, out = 0;
    /// Actual number of outputs, or of a norm's channels; the others, up to a multiple of 16, are 0.
    int64_t wanted = 0;
    bool packed = false;  ///< activations are bfloat16
    /// Outputs are gates and values, alternating in blocks of at most gateColumns: activation(gate) · value.
    bool gated = false;
    bool rms = false;  ///< for a norm: RMS norm
    Window window;     ///< for a convolution
    /// For a convolution of 8-bit pixels: the padding around the image, one number per channel.
    std::vector<float> blank;

    bool defined() const { return packedInputs.defined(); }
    /// Numbers that are left of a token.
    int64_t results() const { return gated ? out / 2 : out; }
};

/// Whether there are kernels for a linear layer's weight (out,in): on a CPU, with widths that are multiples of 16.
bool fits(const at::Tensor& weight);
/// The same for layers that act on each channel separately: weight (C,…).
bool fitsChannels(const at::Tensor& weight);
/// Up to this many rows it is faster to compute layer by layer: threads then divide the weights instead of each reading all of them.
inline constexpr int64_t fewRows = 96;
/// Whether a sample of the tokens (B,N,C) has few. The batch size doesn't matter: a sample's prediction depends on no other sample.
inline bool isFew(const at::Tensor& tokens)
{
    return tokens.size(-2) <= fewRows;
}

/// weight (out,in), bias (out) or undefined. Layers whose number of outputs is not a multiple of 16 are only for `linear` without an
/// addend.
Layer linearLayer(const at::Tensor& weight, const at::Tensor& bias);
/// The weight (out,in) of a linear layer of float32 or bfloat16, its outputs in the order in which they are packed.
at::Tensor weightOf(const Layer& layer);
/// The same layer with its weights in 8 bits (core/nn/int8.h).
Layer int8Layer(const Layer& layer);

/// Gates and values next to each other, `gateColumns` of each at a time.
inline constexpr int64_t gateColumns = 96;
/// weight (2·hidden,in), rows of all gates before those of all values, hidden a multiple of 16: outputs (…,hidden).
Layer gatedLayer(const at::Tensor& weight, const at::Tensor& bias);
/// weight and bias (C), for activations of their type, C up to a multiple of 16 being padded. rms: RMS norm. The bias may be undefined.
Layer normLayer(const at::Tensor& weight, const at::Tensor& bias, bool rms = false);

/// x (…,in) → (…,results()), then the activation, plus addend if defined (not of a gated layer).
at::Tensor linear(const at::Tensor& x, const Layer& layer, Activation activation = Activation::None,
                  const at::Tensor& addend = {});
/// Layer norm or RMS norm over the last axis.
at::Tensor norm(const at::Tensor& x, const Layer& norm, double eps);
/// The linear layer applied to norm(x), then the activation.
at::Tensor normedLinear(const at::Tensor& x, const Layer& norm, double eps, const Layer& layer,
                        Activation activation = Activation::None);

/// What follows the attention of a block: x' = x + projection(y), then x' + fc2(innerNorm(activation(fc1(norm(x'))))).
template <typename Layer>
struct BlockEndOf {
    const Layer &projection, &norm, &fc1, &fc2;
    double eps;
    Activation activation = Activation::Gelu;
    const Layer* innerNorm = nullptr;  ///< none if null
};
using BlockEnd = BlockEndOf<Layer>;
at::Tensor finishBlock(const at::Tensor& x, const at::Tensor& y, const BlockEnd& end);
/// The second half alone: x' → x' + fc2(innerNorm(activation(fc1(norm(x'))))).
at::Tensor finishMlp(const at::Tensor& x, const BlockEnd& end);

/// The MLP of PVTv2 on tokens (B,rows·columns,C) of an image: x + fc2(gelu(depthwise(fc1(norm(x))))).
template <typename Layer>
struct ImageMlpOf {
    const Layer &norm, &fc1, &depthwise, &fc2;  ///< depthwise: 3×3
    double eps;
    int64_t rows, columns;
};
using ImageMlp = ImageMlpOf<Layer>;
/// Weight (C,1,3,3) and bias of a depthwise convolution; the number of channels is a multiple of 16.
Layer depthwiseLayer(const at::Tensor& weight, const at::Tensor& bias);
at::Tensor imageMlp(const at::Tensor& x, const ImageMlp& mlp);

/// weight (out,C,side,side) of a convolution, out a multiple of 16, bias (out) or undefined.
Layer windowLayer(const at::Tensor& weight, const at::Tensor& bias, const Window& window);
/// (value / 255 − mean) / stddev for each channel of an image.
struct PixelScale {
    std::array<float, 3> mean, stddev;
};
/// weight (out,3,side,side) of a convolution of normalised images → that of 8-bit pixels: Σ W (x/255 − m)/s = Σ W/(255 s) (x − 255 m). The
/// padding is 255 m, so that this also holds at the image's edges and rounding of the weight does not shift any sum.
Layer pixelLayer(const at::Tensor& weight, const at::Tensor& bias, const Window& window, const PixelScale& scale);
/// image (B,rows,columns,C), or (B,C,rows,columns) for a planar layer → its convolution (B,rows'·columns',out), tokens row-major.
at::Tensor convolution(const at::Tensor& image, const Layer& layer);
/// image (B,rows,columns,C) → norm of its convolution (B,rows'·columns',out), tokens row-major.
at::Tensor normedConvolution(const at::Tensor& image, const Layer& layer, const Layer& norm, double eps);

}
