#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// The keys that the queries of an attention weigh one by one, for one group of keys. The others count for nothing, or only through what
/// stands for several of them: summaries and clusters.
class KeySets {
public:
    virtual ~KeySets() = default;

    /// Heads and elements of the batch whose queries see the same share one number.
    virtual int64_t setOf(int64_t element, int64_t head) const = 0;
    /// How much of each key the queries [begin, end) of a set may see, (end − begin, M) in float32 on the CPU: 1, 0, the value of a soft mask,
    /// or how often the key counts. A row of zeros: the query sees no key, and therefore uses all.
    virtual at::Tensor rows(int64_t set, int64_t begin, int64_t end) const = 0;
};

}
