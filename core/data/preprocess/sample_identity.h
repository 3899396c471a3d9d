// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/transform.h"

#include <cstdint>
#include <vector>

/// Whose random draws a sample gets: 64 bits of what a network is shown of it, and of nothing else. So a picture gets the same draws
/// wherever it stands in a list or batch, whoever asks, and whether it comes as a file, from a cache, or preprocessed.
namespace attnscope {

/// Of pixels: the 8-bit crop, (H,W,3) or (T,H,W,3).
std::uint64_t sampleIdentity(const std::uint8_t* pixels, std::size_t count);

/// Of values (3,H,W) or (3,T,H,W): that of the pixels of which `transform` made them, or, where they are not made of pixels, of their own bits.
std::uint64_t sampleIdentity(const FloatArray& values, const Transform& transform);

/// Of each sample of a batch of pixels, (B,H,W,3).
std::vector<std::uint64_t> sampleIdentities(const ByteArray& pixels);
/// Of each sample of a batch of values, (B,3,H,W) or (B,3,T,H,W).
std::vector<std::uint64_t> sampleIdentities(const FloatArray& values, const Transform& transform);

}  // namespace attnscope
