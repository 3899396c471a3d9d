#pragma once

#include <ATen/ATen.h>

#include <cstdint>

/// oneDNN's matrix products and convolutions, with prepacked weights and fused epilogues. LibTorch provides them for its compiler; we call
/// them through its dispatcher, so that oneDNN need not be linked.
namespace attnscope::onednn {

/// The function applied to each element of the result.
enum class Then { Nothing, Gelu };

struct ConvolutionForm {
    int64_t stride = 1, padding = 0, groups = 1;
};

/// Whether this LibTorch provides them for tensors of that device and type: on CPUs float32, and bfloat16 with AVX-512.
bool available(at::Device device, at::ScalarType dtype);

/// weight (out,in) → the same in oneDNN's layout, opaque to everything but `linear`. `rows`: approximate number of rows of x.
at::Tensor packLinear(const at::Tensor& weight, int64_t rows);
/// x (…,in) → then(x Wᵀ + b) (…,out); b may be undefined.
at::Tensor linear(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias,
                  Then then = Then::Nothing);
/// addend (…,out) + x Wᵀ + b.
at::Tensor linearAdded(const at::Tensor& addend, const at::Tensor& x, const at::Tensor& packed,
                       const at::Tensor& bias);

/// weight (out,in/groups,k,k) → the same in oneDNN's layout. `image`: approximate sizes of x.
at::Tensor packConvolution(const at::Tensor& weight, const ConvolutionForm& form, at::IntArrayRef image);
/// x (B,in,H,W) → then(conv(x) + b), channels last like x.
at::Tensor convolution(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias,
                       const ConvolutionForm& form, Then then = Then::Nothing);

}
