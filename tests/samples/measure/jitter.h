#pragma once

#include "core/run/measures.h"

namespace attnscope {

/// How much slower than the median one pass in twenty is.
inline Measure jitterMeasure()
{
    return {"jitter",
            ATTN_TEXT("Jitter"),
            ATTN_TEXT("p95 − median"),
            ATTN_TEXT("jitter"),
            {},
            ATTN_TEXT("By how much the slowest twentieth of the passes exceeds the median."),
            MeasureUnit::Milliseconds,
            [](const Measurements& run) -> std::optional<Measured> {
                if (run.latency == nullptr)
                    return std::nullopt;
                const double jitter = run.latency->p95Ms - run.latency->medianMs;
                return Measured{jitter, jitter, jitter};
            }};
}

}
