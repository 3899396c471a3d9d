#include "models/motionformer/motionformer_description.h"

#include "core/attention/attention_backend.h"

namespace attnscope {

namespace {

double realOf(int64_t value)
{
    return double(value);
}

}

int64_t MotionformerDescription::parameters() const
{
    const int64_t c = width, m = hidden(), square = c * c + c;
    const int64_t attention = 3 * c * c + (qkvBias ? 3 * c : 0) + square;
    int64_t block = 4 * c + attention + 2 * c * m + m + c;
    if (spaceTime == SpaceTime::Trajectory)
        block += square + 2 * square;  // proj_q, proj_kv
    if (spaceTime == SpaceTime::Divided)
        block += 2 * c + attention;  // norm3, timeattn
    const int64_t patch = 3 * patchSize * patchSize * c;
    const int64_t cells = positionSide() * positionSide();
    const int64_t positions = position == PositionForm::Separate ? 1 + cells + times() : 1 + cells * times();
    const int64_t embedding = (patch + c) + (tubelet * patch + c) + c
                              + positions * c;  // unused 2-D, 3-D, class token
    return depth * block + embedding + 2 * c + (preLogits ? square : 0) + (c + 1) * classes();
}

BackendContext MotionformerDescription::context() const
{
    BackendContext context{
        .heads = heads, .width = headDim(), .tokens = {0, times(), rows(), columns()}, .parameters = {}};
    if (spaceTime == SpaceTime::Joint)
        context.tokens.prefix = 1;
    if (spaceTime == SpaceTime::Divided)
        context.tokens.frames = 1;
    return context;
}

AttentionShape MotionformerDescription::attentionShape() const
{
    const int64_t patches = tokens() - 1;
    AttentionShape shape{heads, patches, patches, headDim(), headDim(), times()};
    if (spaceTime == SpaceTime::Joint)
        shape.queries = shape.keys = tokens(), shape.keyGroups = 1;
    if (spaceTime == SpaceTime::Divided)
        shape.queries = places(), shape.keys = 1 + places(), shape.keyGroups = 1;
    return shape;
}

double MotionformerDescription::outsideAttention(Counting counting) const
{
    const double c = realOf(width), m = realOf(hidden()), n = realOf(tokens()), s = n - 1, t = realOf(times());
    const double projections = 4 * n * c * c;
    double total = projections + 2 * n * c * m;
    if (spaceTime == SpaceTime::Joint)
        return total;
    const double classRow = 2 * n * c;
    if (spaceTime == SpaceTime::Divided)  // time attention: T' + 1 keys per token
        return total + projections + 2 * classRow + 2 * s * (t + 1) * c;
    const double query = s * c * c;
    total += classRow + query;
    if (counting == Counting::Published)
        return total + 2 * s * t * c * c + 2 * s * t * c;  // proj_kv of every (query, frame), scores, sum
    const double h = realOf(heads), scores = s * h * t * c;
    const double values = temporalValue == TemporalValue::Spatial ? s * t * c : s * h * t * c + s * c * c;
    return total + s * c * c + scores + values;
}

double MotionformerDescription::blockMultiplyAdds(const AttentionBackend& backend, Counting counting) const
{
    const double runs = spaceTime == SpaceTime::Divided ? realOf(times()) : 1;
    return outsideAttention(counting) + runs * backend.multiplyAdds(attentionShape());
}

double MotionformerDescription::headMultiplyAdds() const
{
    const double c = realOf(width);
    return c * realOf(classes()) + (preLogits ? c * c : 0);
}

double MotionformerDescription::multiplyAdds(const std::vector<std::shared_ptr<AttentionBackend>>& layers,
                                             Counting counting) const
{
    const double c = realOf(width), patches = realOf(tokens() - 1);
    const double embedding = patches * realOf(3 * tubelet * patchSize * patchSize) * c;
    double total = embedding + headMultiplyAdds();
    for (const auto& backend : layers)
        total += blockMultiplyAdds(*backend, counting);
    return total;
}

double MotionformerDescription::multiplyAdds(Counting counting) const
{
    std::vector<std::shared_ptr<AttentionBackend>> layers;
    for (int64_t layer = 0; layer < depth; ++layer)
        layers.push_back(makeBackend(attention.layer(layer), context()));
    return multiplyAdds(layers, counting);
}

}
