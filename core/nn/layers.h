#pragma once

#include "core/nn/onednn.h"
#include "core/nn/packed_weights.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>

/// Layers from which the networks of all families are built. Each has a reference implementation, which is differentiable, and, once its
/// weights are packed, one by our kernels or oneDNN, fused with what follows. All agree up to rounding.
namespace attnscope {

using kernels::Activation;

/// A linear layer, a convolution or a norm.
struct LayerWeights {
    at::Tensor weight, bias;  ///< bias may be undefined
    at::Tensor packed;        ///< the weight in oneDNN's layout, which replaces `weight`
    /// The weight in the layout of our kernels; a norm's weight is kept as well.
    packedWeights::Layer packedWeights;
    bool roundsInputs = false;  ///< of a linear layer: the weight is one in 8 bits, and inputs are rounded like it
    bool gated = false;         ///< of a linear layer: outputs are gates, then as many values
    bool rms = false;           ///< of a norm: RMS norm

    /// Of the weight as it is stored, without the bias.
    int64_t bytes() const;
    bool defined() const { return weight.defined() || packed.defined() || packedWeights.defined(); }
};

/// How a network computes its layers: by the reference implementation, which is also used for training, or optimized for speed.
enum class Execution { Reference, Optimized };

/// One sentence for the user if computing in `dtype` on `device` is far slower than necessary; else empty.
std::string slownessOf(at::Device device, at::ScalarType dtype);

/// Packs a linear layer for x of about `rows` rows, if possible and worthwhile.
void packLinear(LayerWeights& layer, int64_t rows);
/// Packs the two layers of an MLP and the norm between them, if there is one. Hidden numbers are padded to a multiple of 16 with zeros, of
/// which every activation makes zeros.
void packMlp(LayerWeights& fc1, LayerWeights& innerNorm, LayerWeights& fc2, int64_t rows);
/// The same linear layer with its weight in 8 bits (core/nn/int8.h). An undefined layer stays so, and so does one of fewer inputs than are
/// rounded together: rounding them would take longer than products of integers save.
LayerWeights int8Layer(const LayerWeights& layer, Execution execution);
/// Packs the last layer of a network, with any number of outputs, if possible: only for use by `linear`.
void packHead(LayerWeights& layer);
/// Prepares a norm to be fused with the linear layer after it, if possible.
void packNorm(LayerWeights& norm);
/// Prepares a depthwise 3×3 convolution to be fused with the linear layers around it, if possible.
void packDepthwise(LayerWeights& layer);
/// Packs a convolution for images (B,C,H,W) of about this size, if possible.
void packConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form, at::IntArrayRef image);
/// Whether an ungrouped convolution can be fused with the packed norm after it; if so, packs it for that.
bool canPackNormed(const LayerWeights& layer, const LayerWeights& norm);
void packNormedConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form);
/// Converts `layer`, an unpacked convolution of normalised images, to one of 8-bit pixels (B,H,W,3); undefined if there are no kernels for
/// it.
packedWeights::Layer pixelLayer(const LayerWeights& layer, const onednn::ConvolutionForm& form,
                                const packedWeights::PixelScale& scale);
/// Packs the convolution that splits an image into patches, weight (out,C,side,side), stride = side.
void packPatches(LayerWeights& layer, int64_t tokens);

/// The weight (out,in) of a linear layer, exactly, even if it is packed: `like` has the type and device of its inputs.
at::Tensor denseWeight(const LayerWeights& layer, int64_t in, const at::TensorOptions& like);

/// The activation of x, which is overwritten unless it has a gradient.
at::Tensor activated(const at::Tensor& x, Activation activation);

/// x (…,in) → the activation of x Wᵀ + b (…,out); of a gated layer activation(gate) · value (…,out/2).
at::Tensor linear(const at::Tensor& x, const LayerWeights& layer, Activation activation = Activation::None);
/// addend (…,out) + linear(x): the end of a residual branch.
at::Tensor linearAdded(const at::Tensor& addend, const at::Tensor& x, const LayerWeights& layer);

/// Layer norm or RMS norm over the last axis: (x − mean)/√(variance + eps) or x/√(mean x² + eps), times the weight, plus the bias if there
/// is one. In float32 at least.
at::Tensor normed(const at::Tensor& x, const LayerWeights& norm, double eps);
/// linear(normed(x)).
at::Tensor normedLinear(const at::Tensor& x, const LayerWeights& norm, double eps, const LayerWeights& layer,
                        Activation activation = Activation::None);

/// What follows the attention of a pre-norm block.
using BlockEnd = packedWeights::BlockEndOf<LayerWeights>;
/// x' = linearAdded(x, y, projection), then linearAdded(x', normed(normedLinear(x', norm, fc1, activation), innerNorm), fc2).
at::Tensor finishBlock(const at::Tensor& x, const at::Tensor& y, const BlockEnd& end);
/// The second step alone, on the tokens x' behind the first.
at::Tensor finishMlp(const at::Tensor& x, const BlockEnd& end);

/// The MLP of PVTv2 on the tokens (B,rows·columns,C) of an image.
using ImageMlp = packedWeights::ImageMlpOf<LayerWeights>;
/// linearAdded(x, GELU of the convolution of normedLinear(x, fc1), fc2).
at::Tensor imageMlp(const at::Tensor& x, const ImageMlp& mlp);

/// image (B,C,rows·side,columns·side) → tokens (B,rows·columns,out), row-major.
at::Tensor patchTokens(const at::Tensor& image, int64_t side, const LayerWeights& layer);
/// The norm of the convolution of an image's tokens (B,rows·columns,C), row-major → (B,rows'·columns',out).
at::Tensor normedConvolution(const at::Tensor& x, int64_t rows, const LayerWeights& layer,
                             const LayerWeights& norm, double eps, const onednn::ConvolutionForm& form);

/// x (B,C,H,W) → (B,out,H',W').
at::Tensor convolution(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form);
/// GELU of the convolution. Without gradients only the output is stored.
at::Tensor convolutionGelu(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form);

}
