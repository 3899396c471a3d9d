#pragma once

#include "core/data/preprocess/transform.h"

#include <cstdint>
#include <vector>

/// Identifies the random numbers of a sample by a 64-bit hash of the network's input and nothing else. So an image gets the same random
/// numbers at any position in a list or batch, whoever requests it, and whether it is read from a file, from a cache, or preprocessed.
namespace attnscope {

/// For pixels: the 8-bit crop, (H,W,3) or (T,H,W,3).
uint64_t sampleIdentity(const uint8_t* pixels, size_t count);

/// For values (3,H,W) or (3,T,H,W): the identity of the pixels from which `transform` made them, or, if not made from pixels, of their own
/// bits.
uint64_t sampleIdentity(const FloatArray& values, const Transform& transform);

/// For each sample of a batch of pixels, (B,H,W,3).
std::vector<uint64_t> sampleIdentities(const ByteArray& pixels);
/// For each sample of a batch of values, (B,3,H,W) or (B,3,T,H,W).
std::vector<uint64_t> sampleIdentities(const FloatArray& values, const Transform& transform);

}
