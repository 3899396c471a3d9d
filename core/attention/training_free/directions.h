#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/noise.h"
#include "core/attention/option.h"

#include <ATen/ATen.h>

#include <cstdint>

/// Joint distributions of the samples ω of random features, or of the noise of proposals, each row for itself N(0, I), so that kernel estimates
/// stay unbiased.
namespace attnscope {

enum class Directions { Independent, Orthogonal, Simplex, Sobol };

/// The option `directions`.
OptionInfo directionsOption();
Directions directionsOf(const AttentionSpec& spec);

/// ω (H,S,D) shared by a batch. Independent ones are "omega"; the others are made of "omega.directions", "omega.lengths" and "omega.shift".
at::Tensor sharedSamples(NoiseSource& noise, Directions directions, at::IntArrayRef sizes,
                         const at::TensorOptions& options);

/// ε (B,H,S,D), other rows for every element of a batch: "eps" if independent, else "eps.directions", "eps.lengths" and "eps.shift".
at::Tensor ownSamples(NoiseSource& noise, Directions directions, at::IntArrayRef sizes,
                      const at::TensorOptions& options);

/// Rows of rotations (…,blocks,D,D), one block after the other, times lengths (…,S) distributed as χ_D: (…,S,D).
at::Tensor orthogonalDirections(const at::Tensor& rotations, const at::Tensor& lengths);

/// The same of unit vectors with pairwise products −1/(D−1), rotated (Reid et al., Simplex Random Features, ICML 2023).
at::Tensor simplexDirections(const at::Tensor& rotations, const at::Tensor& lengths);

/// Normal quantiles of the points 1 … S of the Sobol sequence (Joe and Kuo's direction numbers), each coordinate shifted by shift (…,D)
/// modulo 1: (…,S,D).
at::Tensor sobolDirections(int64_t samples, const at::Tensor& shift);

}
