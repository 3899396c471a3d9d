// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <array>
#include <cstdint>
#include <vector>

/// Layers that see each token alone, by the kernels of core/kernels/cpu: a thread takes some tokens through all layers between two
/// attentions, so that what lies between them stays in its cache and threads meet once. float32, and bfloat16: products of bfloat16,
/// everything between them in float32.
namespace attnscope::packedWeights {

/// The window of a convolution, square, and where it stands: every `stride` pixels, from −padding on.
struct Window {
    std::int64_t side = 0, stride = 1, padding = 0;
    bool planes = false;  ///< of images whose channels lie one after the other, not those of each pixel together

    /// Places along a side of an image.
    std::int64_t count(std::int64_t pixels) const { return (pixels + 2 * padding - side) / stride + 1; }
};

/// The weights of a linear layer in the kernels' order, or of a norm, or of a convolution as a linear layer of its windows.
struct Layer {
    at::Tensor words;        ///< float32, or pairs of bfloat16 in its place; of a norm its weight in float32
    at::Tensor bias;         ///< float32; zeros where there is none
    std::int64_t in = 0, out = 0;
    std::int64_t wanted = 0; ///< outputs that there are; the others, up to a multiple of 16, are 0 and are not handed out
    bool pairs = false;      ///< activations are bfloat16
    Window window;           ///< of a convolution
    std::vector<float> blank;  ///< of a convolution of 8-bit pixels: what lies around the image, a number a channel

    bool defined() const { return words.defined(); }
};

/// Whether there are kernels for a linear layer's weight (out,in): on a CPU, widths in sixteens.
bool fits(const at::Tensor& weight);
/// The same for what sees each channel alone: weight (C,…).
bool fitsChannels(const at::Tensor& weight);
/// So few rows are better computed one layer after the other: threads then share the weights, of which each would read all.
inline constexpr std::int64_t fewRows = 96;
/// Tokens (B,N,C) of which a sample has few. Not those of the whole batch: what a sample is answered depends on no other.
inline bool isFew(const at::Tensor& tokens)
{
    return tokens.size(-2) <= fewRows;
}

/// weight (out,in), bias (out) or undefined. Layers whose outputs are not in sixteens are for `linear` without an addend.
Layer linearLayer(const at::Tensor& weight, const at::Tensor& bias);
/// weight and bias (C), of activations of their type.
Layer normLayer(const at::Tensor& weight, const at::Tensor& bias);

/// x (…,in) → (…,out), GELU of it where asked, plus addend (…,out) where it is defined.
at::Tensor linear(const at::Tensor& x, const Layer& layer, bool gelu = false, const at::Tensor& addend = {});
/// Layer norm over the last axis.
at::Tensor norm(const at::Tensor& x, const Layer& norm, double eps);
/// The linear layer of norm(x), or GELU of it.
at::Tensor normedLinear(const at::Tensor& x, const Layer& norm, double eps, const Layer& layer, bool gelu = false);

/// What follows the attention of a block: x' = x + projection(y), then x' + fc2(gelu(fc1(norm(x')))).
struct BlockEnd {
    const Layer &projection, &norm, &fc1, &fc2;
    double eps;
};
at::Tensor finishBlock(const at::Tensor& x, const at::Tensor& y, const BlockEnd& end);

/// The MLP of PVTv2 on tokens (B,rows·columns,C) of an image: x + fc2(gelu(depthwise(fc1(norm(x))))).
struct ImageMlp {
    const Layer &norm, &fc1, &depthwise, &fc2;
    double eps;
    std::int64_t rows, columns;
};
/// Weight (C,1,3,3) and bias of a depthwise convolution of channels in sixteens.
Layer depthwiseLayer(const at::Tensor& weight, const at::Tensor& bias);
at::Tensor imageMlp(const at::Tensor& x, const ImageMlp& mlp);

/// weight (out,C,side,side) of a convolution, out in sixteens, bias (out) or undefined.
Layer windowLayer(const at::Tensor& weight, const at::Tensor& bias, const Window& window);
/// (value / 255 − mean) / deviation of each channel of a picture.
struct PixelScale {
    std::array<float, 3> mean, stddev;
};
/// weight (out,3,side,side) of a convolution of normalised pictures → that of 8-bit pixels: Σ W (x/255 − m)/s = Σ W/(255 s) (x − 255 m). What
/// lies around the image is 255 m, so that this holds at its edges, too, and what rounding does to the weight shifts no sum.
Layer pixelLayer(const at::Tensor& weight, const at::Tensor& bias, const Window& window, const PixelScale& scale);
/// image (B,rows,columns,C), or (B,C,rows,columns) for a layer of planes → its convolution (B,rows'·columns',out), tokens row-major.
at::Tensor convolution(const at::Tensor& image, const Layer& layer);
/// image (B,rows,columns,C) → norm of its convolution (B,rows'·columns',out), tokens row-major.
at::Tensor normedConvolution(const at::Tensor& image, const Layer& layer, const Layer& norm, double eps);

}  // namespace attnscope::panels
