// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/onednn.h"
#include "core/nn/packed_weights.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>

/// Layers that networks of all families are made of. Each is computed plainly, which is the reference and can be differentiated, or,
/// once its weights are packed, by our kernels or oneDNN with what follows it fused in. All give the same up to rounding.
namespace attnscope {

/// A linear layer, a convolution or a norm.
struct LayerWeights {
    at::Tensor weight, bias;  ///< bias may be undefined
    at::Tensor packed;        ///< the weight in oneDNN's order: `weight` is given up for it
    packedWeights::Layer packedWeights;     ///< the same in the order of our kernels; a norm's weight is kept beside it

    bool defined() const { return weight.defined() || packed.defined() || packedWeights.defined(); }
};

/// How a network computes its layers: as they are written, which is the reference and what is trained, or planned for speed.
enum class Execution { Reference, Optimized };

/// One sentence for the user where computing in `dtype` on `device` is far slower than it need be; else empty.
std::string slownessOf(at::Device device, at::ScalarType dtype);

/// Packs a linear layer for x of about `rows` rows, where that pays and is possible.
void packLinear(LayerWeights& layer, std::int64_t rows);
/// Packs the last layer of a network, of any number of outputs, where that is possible: for `linear` alone.
void packHead(LayerWeights& layer);
/// Prepares a norm to be computed together with the linear layer behind it, where that is possible.
void packNorm(LayerWeights& norm);
/// Prepares a depthwise 3×3 convolution to be computed together with the linear layers around it, where that is possible.
void packDepthwise(LayerWeights& layer);
/// Packs a convolution for images (B,C,H,W) of about those sizes, where that is possible.
void packConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form, at::IntArrayRef image);
/// Whether a convolution of one group can be computed together with the norm behind it, which is packed; packs it for that.
bool canPackNormed(const LayerWeights& layer, const LayerWeights& norm);
void packNormedConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form);
/// The convolution `layer`, not packed yet, of normalised pictures as one of 8-bit pixels (B,H,W,3); undefined where there are no kernels for it.
packedWeights::Layer pixelLayer(const LayerWeights& layer, const onednn::ConvolutionForm& form, const packedWeights::PixelScale& scale);
/// Packs the convolution that cuts an image into patches, weight (out,C,side,side), stride = side.
void packPatches(LayerWeights& layer, std::int64_t tokens);

/// x (…,in) → (…,out).
at::Tensor linear(const at::Tensor& x, const LayerWeights& layer);
/// GELU of it, by the error function.
at::Tensor linearGelu(const at::Tensor& x, const LayerWeights& layer);
/// addend (…,out) + linear(x): the end of a residual branch.
at::Tensor linearAdded(const at::Tensor& addend, const at::Tensor& x, const LayerWeights& layer);

/// Over the last axis.
inline at::Tensor layerNorm(const at::Tensor& x, const LayerWeights& layer, double eps)
{
    return layer.packedWeights.defined() ? packedWeights::norm(x, layer.packedWeights, eps)
                                  : at::layer_norm(x, {x.size(-1)}, layer.weight, layer.bias, eps);
}

/// linear(layerNorm(x)), and GELU of it.
at::Tensor normedLinear(const at::Tensor& x, const LayerWeights& norm, double eps, const LayerWeights& layer);
at::Tensor normedLinearGelu(const at::Tensor& x, const LayerWeights& norm, double eps, const LayerWeights& layer);

/// What follows the attention of a pre-norm block.
struct BlockEnd {
    const LayerWeights &projection, &norm, &fc1, &fc2;
    double eps;
};
/// x' = linearAdded(x, y, projection), then linearAdded(x', linearGelu(layerNorm(x'), fc1), fc2).
at::Tensor finishBlock(const at::Tensor& x, const at::Tensor& y, const BlockEnd& end);

/// The MLP of PVTv2 on the tokens (B,rows·columns,C) of an image.
struct ImageMlp {
    const LayerWeights &norm, &fc1, &depthwise, &fc2;  ///< depthwise: 3×3
    double eps;
    std::int64_t rows, columns;
};
/// linearAdded(x, GELU of the convolution of normedLinear(x, fc1), fc2).
at::Tensor imageMlp(const at::Tensor& x, const ImageMlp& mlp);

/// image (B,C,rows·side,columns·side) → tokens (B,rows·columns,out), row-major.
at::Tensor patchTokens(const at::Tensor& image, std::int64_t side, const LayerWeights& layer);
/// layerNorm of the convolution of an image's tokens (B,rows·columns,C), row by row → (B,rows'·columns',out).
at::Tensor normedConvolution(const at::Tensor& x, std::int64_t rows, const LayerWeights& layer, const LayerWeights& norm, double eps,
                             const onednn::ConvolutionForm& form);

/// x (B,C,H,W) → (B,out,H',W').
at::Tensor convolution(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form);
/// GELU of it. Without gradients nothing is kept but the answer.
at::Tensor convolutionGelu(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form);

}  // namespace attnscope
