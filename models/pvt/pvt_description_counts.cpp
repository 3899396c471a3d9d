#include "models/pvt/pvt_description.h"

#include "core/attention/attention_backend.h"
#include "core/attention/landmarks.h"

namespace attnscope {

namespace {

double area(const TokenLayout& grid)
{
    return double(grid.rows * grid.columns);
}

}

std::vector<LandmarkMapTensor> PvtDescription::landmarkShapes(size_t stage) const
{
    if (landmarkMaps == LandmarkMaps::None || stages[stage].reduction == 1)
        return {};
    return landmarkMapTensors(landmarkMaps == LandmarkMaps::Dense ? stages[stage].width : stages[stage].headDim());
}

int64_t PvtDescription::parameters() const
{
    int64_t total = 0, in = 3;
    for (size_t i = 0; i < stages.size(); ++i) {
        const PvtStage& stage = stages[i];
        const int64_t c = stage.width, h = stage.hidden(), kernel = embeddingKernel(i);
        int64_t block = 4 * c + 3 * c * c + (qkvBias ? 3 * c : 0) + c * c + c;  // norms; q, k, v; projection
        block += 2 * c * h + h + c + 10 * h;                                    // MLP with its depthwise 3×3
        if (reduces(i))
            block += c * c * (linear ? 1 : stage.reduction * stage.reduction) + c + 2 * c;
        for (const LandmarkMapTensor& map : landmarkShapes(i))
            block += c10::multiply_integers(map.shape);
        total += kernel * kernel * in * c + c + 2 * c + stage.depth * block + 2 * c;
        in = c;
    }
    return total + in * classes + classes;
}

double PvtDescription::outerMultiplyAdds() const
{
    double total = 0, in = 3;
    const auto layouts = grids(imageHeight, imageWidth);
    for (size_t i = 0; i < stages.size(); ++i) {
        const auto kernel = double(embeddingKernel(i) * embeddingKernel(i));
        total += area(layouts[i]) * kernel * in * double(stages[i].width);
        in = double(stages[i].width);
    }
    return total + in * double(classes);
}

double PvtDescription::blockMultiplyAdds(size_t index, KeySource keys) const
{
    const PvtStage& stage = stages[index];
    const TokenLayout layout = grids(imageHeight, imageWidth)[index];
    const auto c = double(stage.width), h = double(stage.hidden());
    const double tokens = area(layout), cells = area(keyGrid(index, layout, keys));
    const double block = tokens * (2 * c * c + 2 * c * h + 9 * h) + cells * 2 * c * c;
    if (keys != KeySource::Reduced || !reduces(index))
        return block;
    const auto ratio = double(linear ? 1 : stage.reduction);
    return block + cells * ratio * ratio * c * c;
}

AttentionShape PvtDescription::attentionShape(size_t stage, KeySource keys) const
{
    const TokenLayout tokens = grids(imageHeight, imageWidth)[stage];
    const int64_t width = stages[stage].headDim();
    return {.heads = stages[stage].heads,
            .queries = tokens.count(),
            .keys = keyGrid(stage, tokens, keys).count(),
            .width = width,
            .valueDim = width};
}

double PvtDescription::blockMultiplyAdds(int64_t layer, const AttentionSpec& spec,
                                         const AttentionBackend& backend) const
{
    const size_t stage = place(layer).stage;
    const KeySource keys = keySource(spec.layer(layer));
    return blockMultiplyAdds(stage, keys) + backend.multiplyAdds(attentionShape(stage, keys));
}

double PvtDescription::multiplyAdds(const AttentionSpec& spec,
                                    const std::vector<std::shared_ptr<AttentionBackend>>& layers) const
{
    double total = outerMultiplyAdds();
    for (size_t i = 0; i < layers.size(); ++i)
        total += blockMultiplyAdds(int64_t(i), spec, *layers[i]);
    return total;
}

double PvtDescription::multiplyAdds(const AttentionSpec& spec) const
{
    const auto layouts = grids(imageHeight, imageWidth);
    std::vector<std::shared_ptr<AttentionBackend>> made;
    for (int64_t layer = 0; layer < layers(); ++layer) {
        const size_t i = place(layer).stage;
        AttentionParameters maps;  // sizes without numbers
        for (const LandmarkMapTensor& map : landmarkShapes(i))
            maps[map.name] = at::empty(map.shape, at::kMeta);
        made.push_back(makeBackend(
            stageAttention(spec.layer(layer), i),
            {.heads = stages[i].heads, .width = stages[i].headDim(), .tokens = layouts[i], .parameters = maps}));
    }
    return multiplyAdds(spec, made);
}

}
