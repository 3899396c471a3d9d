// SPDX-License-Identifier: Apache-2.0
#include "core/lab/opened_input.h"

#include "core/base/error.h"
#include "core/preprocess/transform.h"

namespace attnscope {

namespace {

at::Tensor toTensor(const FloatArray& array, const Classifier& classifier)
{
    classifier.checkInput(array.shape);
    std::vector<std::int64_t> shape{1};
    shape.insert(shape.end(), array.shape.begin(), array.shape.end());
    auto* values = const_cast<float*>(
        array.values.data());  // from_blob takes no const; the copy below does not write
    return at::from_blob(values, shape, at::kFloat).clone().to(classifier.device(), classifier.dtype());
}

}  // namespace

at::Tensor openMeasuredView(const InputSource& source, const Classifier& classifier)
{
    const LoadedInput loaded = source.load();
    if (const auto* array = std::get_if<FloatArray>(&loaded))
        return toTensor(*array, classifier);
    if (const auto* video = std::get_if<VideoViews>(&loaded))
        return toTensor(video->view(static_cast<std::size_t>(video->grid.clips / 2 * video->grid.crops
                                                             + video->grid.crops / 2)),
                        classifier);
    const Clip& clip = std::get<Clip>(loaded);
    if (classifier.describe().input.size() == 4 && clip.frames == 1)
        throw UsageError("", "it is a picture, and " + classifier.describe().name + " takes clips",
                         "give a video");
    return toTensor(applyTransform(clip, classifier.transform()), classifier);
}

LayerVisitor::LayerVisitor(std::stop_token stop, Visit visit)
    : StoppableObserver(std::move(stop))
    , m_visit(std::move(visit))
{}

void LayerVisitor::afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output)
{
    m_visit(layer, input, output);
}

PreparedAttention reseeded(const PreparedAttention& prepared, std::uint64_t offset)
{
    PreparedAttention other = prepared;
    other.seed = prepared.seed + offset;
    for (std::size_t layer = 0; layer < other.noise.size(); ++layer)
        other.noise[layer] = std::make_shared<SeededNoise>(
            prepared.layers[layer]->spec().seedOr(prepared.seed) + offset, static_cast<std::int64_t>(layer));
    return other;
}

}  // namespace attnscope
