// SPDX-License-Identifier: Apache-2.0
#include "core/run/pixels.h"

#include "core/data/preprocess/normalise.h"
#include "core/data/preprocess/sample_identity.h"

namespace attnscope {

at::Tensor normalisedPixels(const at::Tensor& pixels, const Transform& transform)
{
    const auto perChannel = [&](const std::array<float, 3>& values) {
        return at::tensor(at::ArrayRef<float>(values.data(), values.size()), pixels.options().dtype(at::kFloat)).view({3, 1, 1});
    };
    const auto planes = pixels.permute({0, 3, 1, 2}).to(at::kFloat, false, false, at::MemoryFormat::Contiguous);
    return planes.div_(255).sub_(perChannel(transform.mean)).div_(perChannel(transform.stddev));
}

NetworkInput networkInput(const Clip& clip, const Classifier& classifier)
{
    Clip crop = resizeAndCrop(clip, classifier.transform());
    if (crop.frames != 1 || !classifier.takesPixels())
        return networkInput(normalised(crop, classifier.transform()), classifier);
    return {at::from_blob(crop.pixels.data(), {1, crop.height, crop.width, 3}, at::kByte).clone().to(classifier.device()),
            {sampleIdentity(crop.pixels.data(), crop.pixels.size())}};
}

}  // namespace attnscope
