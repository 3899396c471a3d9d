#pragma once

#include "core/attention/numerics/fallback_note.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// What a method does where rounding leaves its numbers no meaning: a clause behind "in 3 of 72 heads", that says what happened and what was
/// used instead. One constant for each, in the file of the method.
struct Fallback {
    const char* clause;
};

/// How often methods fell back. Heads are counted in every layer and for every image.
class FallbackTally {
public:
    void add(const Fallback& what, int64_t heads, int64_t of);
    /// `fell`: of each head. On a GPU nothing waits for it before `counts`.
    void add(const Fallback& what, const at::Tensor& fell);

    /// Of those that happened.
    std::vector<FallbackCount> counts() const;
    /// Their notes, of what is not noted yet.
    void addTo(std::vector<std::string>& notes) const;

    /// That of the innermost CountFallbacks of this thread; null: nobody wants to know, and no method spends time on counting.
    static FallbackTally* current();

private:
    struct Count {
        const char* clause;
        int64_t heads, of;
        at::Tensor later;  ///< to be added to `heads`; undefined: nothing
    };
    Count& countOf(const Fallback& what);

    std::vector<Count> m_counts;
};

/// While it lives, attentions that this thread computes count into a tally. It is a guard like torch's own for gradients, not an argument: a
/// pass goes through networks, layers and methods that have nothing to do with it. Passes that are timed have none.
class CountFallbacks {
public:
    explicit CountFallbacks(FallbackTally& tally);
    ~CountFallbacks();
    CountFallbacks(const CountFallbacks&) = delete;
    CountFallbacks& operator=(const CountFallbacks&) = delete;

private:
    FallbackTally* m_outer;
};

/// Heads of one attention in which the same happens in any of several places: counted once, at its end.
class FallenHeads {
public:
    explicit FallenHeads(const Fallback& what)
        : m_what(what)
    {}
    ~FallenHeads();
    FallenHeads(const FallenHeads&) = delete;
    FallenHeads& operator=(const FallenHeads&) = delete;

    /// `fell()` → (B,H), which is computed only for somebody who counts.
    template <typename Fell>
    void where(const Fell& fell)
    {
        if (m_tally != nullptr)
            m_fell = m_fell.defined() ? m_fell.logical_or(fell()) : fell();
    }

private:
    const Fallback& m_what;
    FallbackTally* m_tally = FallbackTally::current();
    at::Tensor m_fell;
};

}
