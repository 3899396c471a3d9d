// SPDX-License-Identifier: Apache-2.0
#include "models/motionformer/motionformer_models.h"

namespace attnscope {

namespace {

MotionformerDescription described(const char* name, SpaceTime spaceTime, std::int64_t crop, std::int64_t frames,
                                  std::int64_t interval)
{
    MotionformerDescription d;
    d.name = name;
    d.spaceTime = spaceTime;
    d.imageHeight = d.imageWidth = d.evaluationResize = crop;
    d.frames = frames;
    d.frameInterval = interval;
    return d;
}

std::vector<NamedMotionformer> makeMotionformers()
{
    const auto published = [](const char* top1, const char* top5, const char* published) {
        return std::string("published Kinetics-400 top-1 and top-5 with 10×3 views: ") + top1 + " and " + top5
               + " %; " + published + " multiply-adds per view as published";
    };
    return {
        {described("motionformer_224_16x4", SpaceTime::Trajectory, 224, 16, 4), "Motionformer, 16 frames",
         published("79.7", "94.2", "369.4 G")},
        {described("motionformer_336_16x8", SpaceTime::Trajectory, 336, 16, 8),
         "Motionformer-HR, 16 frames at 336", published("81.1", "95.2", "958.4 G")},
        {described("motionformer_224_32x3", SpaceTime::Trajectory, 224, 32, 3), "Motionformer-L, 32 frames",
         published("80.2", "94.8", "1184.9 G")},
        {described("joint_224_16x4", SpaceTime::Joint, 224, 16, 4), "Joint space-time attention, 16 frames",
         published("79.2", "94.2", "180.5 G")},
        {described("divided_224_16x4", SpaceTime::Divided, 224, 16, 4), "Divided space-time attention, 16 frames",
         published("78.5", "93.8", "185.5 G")},
    };
}

}  // namespace

const std::vector<NamedMotionformer>& namedMotionformers()
{
    static const std::vector<NamedMotionformer> models = makeMotionformers();
    return models;
}

}  // namespace attnscope
