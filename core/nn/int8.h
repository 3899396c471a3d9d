#pragma once

#include <ATen/ATen.h>

#include <cstdint>

/// Linear layers in 8 bits, symmetric and without calibration: weights once, with a scale for each output (Jacob et al., CVPR 2018); inputs
/// as they come, with a scale for each token and group of inputs, because a few channels of vision transformers are far larger than the
/// others.
namespace attnscope {

/// integers · scales ≈ weight.
struct Int8Weight {
    at::Tensor integers;  ///< (out,in), int8, from −127 to 127
    at::Tensor scales;    ///< (out), float32: the largest magnitude of an output's weights / 127
};

/// weight (out,in) of any floating type. Rounds to nearest, ties to even.
Int8Weight toInt8(const at::Tensor& weight);
/// The weight as the integers have it: (out,in) of `type`.
at::Tensor fromInt8(const Int8Weight& weight, at::ScalarType type);

/// x (…,in) as a layer with weights in 8 bits sees it: each group of kernels::int8Group inputs is rounded to 255 levels, evenly from −m to m
/// with m the largest magnitude in the group. Of x's type; rounded and scaled in float32 at least.
at::Tensor roundedInputs(const at::Tensor& x);

}
