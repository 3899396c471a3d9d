// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/clip_sampling.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// The frames of one training clip of a video of `frames` frames at `rate` a second: a window of sampling.length(rate) source frames
/// begun uniformly at random among all that fit (SlowFast's and Motionformer's temporal jitter), sampled as evaluation samples its
/// windows: linspace(start, start + L − 1, T), truncated. A video shorter than the window repeats its last frame; with the rule
/// Segments: one frame uniformly from each of T equal parts (TSN, as Motionformer trains on Something-Something); with the rule Even:
/// sampling.frames times one frame, any of all. frames ≥ 1; sampling.clips is not looked at. One draw (Segments: T draws).
std::vector<std::int64_t> jitteredClip(std::int64_t frames, double rate, const ClipSampling& sampling,
                                       SampleRandom& random);

}  // namespace attnscope
