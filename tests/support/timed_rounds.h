#pragma once

#include "core/measure/measurements.h"

namespace attnscope::testing {

/// The latency in 20 rounds about its medians: even ones are shorter by `spread`, a fraction, and odd ones longer. Of two with opposite spreads
/// neither is clearly faster where their medians differ by less than twice that.
inline Latency inRounds(Latency latency, double spread = 0.01)
{
    latency.roundsMs.clear(), latency.attentionRoundsMs.clear();
    for (int round = 0; round < 20; ++round) {
        const double factor = 1 + (round % 2 == 0 ? -spread : spread);
        latency.roundsMs.push_back(factor * latency.medianMs);
        latency.attentionRoundsMs.push_back(factor * latency.attentionMedianMs);
    }
    return latency;
}

}
