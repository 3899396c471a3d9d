// SPDX-License-Identifier: Apache-2.0
#include "core/lab/layers/opened_input.h"

namespace attnscope {

NetworkInput openMeasuredView(const InputSource& source, const Classifier& classifier)
{
    const LoadedInput loaded = source.load();
    if (const auto* array = std::get_if<FloatArray>(&loaded))
        return networkInput(*array, classifier);
    if (const auto* video = std::get_if<VideoViews>(&loaded))
        return networkInput(video->view(static_cast<std::size_t>(video->grid.clips / 2 * video->grid.crops + video->grid.crops / 2)), classifier);
    const Clip& clip = std::get<Clip>(loaded);
    if (classifier.describe().input.size() == 4 && clip.frames == 1)
        throw UsageError("", "it is an image, but " + classifier.describe().name + " takes clips",
                         "give a video");
    return networkInput(clip, classifier);
}

}  // namespace attnscope
