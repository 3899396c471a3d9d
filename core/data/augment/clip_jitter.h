#pragma once

#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/clip_sampling.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// The frames of one training clip of a video of `frames` frames at `rate` per second: a window of sampling.length(rate) source frames with
/// a uniformly random start (SlowFast's and Motionformer's temporal jitter), sampled like the windows of evaluation: linspace(start, start
/// + L − 1, T), truncated. A video shorter than the window repeats its last frame. With the rule Segments: one uniformly random frame from
/// each of T equal parts (TSN, as Motionformer trains on Something-Something); with the rule Even: the same random frame of the video
/// sampling.frames times. frames ≥ 1; sampling.clips is ignored. Uses one random number (Segments: T).
std::vector<int64_t> jitteredClip(int64_t frames, double rate, const ClipSampling& sampling, SampleRandom& random);

}
