#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// Counter-based random numbers: the n-th number of a stream depends only on (key, stream, n), so that results do not depend on threads,
/// batches or the order of calls. Philox4x32-10 (Salmon et al., SC 2011).
namespace attnscope {

/// Identifies a stream of numbers. Two streams that differ in any field are independent.
struct StreamKey {
    uint64_t seed = 0;
    uint32_t layer = 0;
    uint64_t sample = 0;   ///< the sample (image) that the numbers belong to; 0 for numbers shared by a batch
    uint32_t purpose = 0;  ///< see `streamPurpose`
};

/// A number for the name of a use ("omega", "eps", "u"): FNV-1a.
constexpr uint32_t streamPurpose(std::string_view name)
{
    uint32_t hash = 2166136261u;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

/// Philox's key from seed, layer and purpose; the sample is half of its counter.
uint64_t foldedKey(const StreamKey& key);

/// Numbers `first` … `first + out.size() − 1` of the stream, uniform in the open interval (0, 1), 23 bits each.
void fillUniform(const StreamKey& key, uint64_t first, std::span<float> out);
/// The same for a stream whose seed, layer and purpose are already folded.
void fillUniform(uint64_t folded, uint64_t sample, uint64_t first, std::span<float> out);

}
