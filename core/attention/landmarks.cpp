#include "core/attention/landmarks.h"

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/methods/softmax.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <cmath>

namespace attnscope {

namespace {

at::Tensor equalSegments(const at::Tensor& x, int64_t length)
{
    return x.reshape({x.size(0), x.size(1), x.size(2) / length, length, x.size(3)}).mean(3);
}

/// If lengths can't all be equal, the first segments are shorter by one token.
Cells segments(int64_t tokens, int64_t count)
{
    Cells cells{.columns = tokens, .down = {{0, 1}}, .across = {}};
    const int64_t length = tokens / count, firstLong = count - tokens % count;
    for (int64_t c = 0, begin = 0; c < count; ++c) {
        const int64_t end = begin + length + (c >= firstLong ? 1 : 0);
        cells.across.push_back({begin, end});
        begin = end;
    }
    return cells;
}

/// Splits a side like adaptive pooling: from ⌊i n / side⌋ to ⌈(i + 1) n / side⌉.
std::vector<Cells::Range> adaptiveRanges(int64_t length, int64_t side)
{
    std::vector<Cells::Range> ranges;
    for (int64_t i = 0; i < side; ++i)
        ranges.push_back({i * length / side, ((i + 1) * length + side - 1) / side});
    return ranges;
}

}

at::Tensor segmentMeans(const at::Tensor& x, int64_t count)
{
    const int64_t tokens = x.size(2);
    if (tokens <= count)
        return x;
    if (fitsCpuKernels(x))
        return cellMeansOnCpu(x, segments(tokens, count));
    const int64_t shortLength = tokens / count;
    const int64_t longRuns = tokens % count;
    const int64_t shortTokens = (count - longRuns) * shortLength;
    auto head = equalSegments(x.slice(2, 0, shortTokens), shortLength);
    if (longRuns == 0)
        return head;
    return at::cat({head, equalSegments(x.slice(2, shortTokens), shortLength + 1)}, 2);
}

WeightedMeans weightedSegmentMeans(const at::Tensor& x, const at::Tensor& logWeights, int64_t count)
{
    if (!logWeights.defined())
        return {segmentMeans(x, count), {}};
    const auto largest = logWeights.amax(-1, true).clamp_min(-1e30);
    const auto weights = (logWeights - largest).exp().unsqueeze(-1).to(x.scalar_type());  // (B,H,N,1)
    const auto mean = segmentMeans(weights, count);
    return {(segmentMeans(x * weights, count) / mean).nan_to_num(0), mean.squeeze(-1).log() + largest};
}

at::Tensor weightedMean(const at::Tensor& x, const at::Tensor& logWeights)
{
    return logWeights.defined() ? at::matmul(logWeights.softmax(-1).unsqueeze(-2).to(x.scalar_type()), x)
                                : x.mean(2, true);
}

at::Tensor positionMajor(const at::Tensor& x, int64_t frames)
{
    if (x.size(2) % frames != 0)
        throw UsageError("", counted(x.size(2), "token") + " cannot be split into " + counted(frames, "frame"));
    return x.unflatten(2, {frames, -1}).transpose(2, 3).flatten(2, 3);
}

at::Tensor withoutPrefix(const at::Tensor& x, const TokenLayout& tokens)
{
    return tokens.prefix > 0 && tokens.prefix < x.size(2) ? x.slice(2, tokens.prefix) : x;
}

at::Tensor gridMeans(const at::Tensor& x, int64_t rows, int64_t columns, int64_t side)
{
    if (fitsCpuKernels(x))
        return cellMeansOnCpu(x, {columns, adaptiveRanges(rows, side), adaptiveRanges(columns, side)});
    const auto batch = x.size(0), heads = x.size(1), width = x.size(3);
    const auto image = x.reshape({batch * heads, rows, columns, width}).permute({0, 3, 1, 2});
    const auto pooled = at::adaptive_avg_pool2d(image, {side, side});  // (B·H,D,side,side)
    return pooled.permute({0, 2, 3, 1}).reshape({batch, heads, side * side, width});
}

int64_t squareRoot(int64_t count)
{
    const auto root = int64_t(std::llround(std::sqrt(double(count))));
    return root * root == count ? root : 0;
}

LandmarkMap landmarkMap(const BackendContext& context, const std::string& name, int linear)
{
    const auto part = [&](int index, const char* what) {
        return context.parameter(name + "." + std::to_string(index) + what);
    };
    return {part(linear, ".weight"), part(linear, ".bias"), part(linear + 1, ".weight"),
            part(linear + 1, ".bias")};
}

at::Tensor LandmarkMap::apply(const at::Tensor& landmarks) const
{
    const auto normalised = [&](const at::Tensor& x) {
        return at::layer_norm(at::linear(x, weight.to(x), bias.to(x)), {weight.size(0)}, normWeight.to(x),
                              normBias.to(x), 1e-5);
    };
    if (weight.size(0) == landmarks.size(3))
        return normalised(landmarks);
    const auto batch = landmarks.size(0), heads = landmarks.size(1), count = landmarks.size(2),
               width = landmarks.size(3);
    const auto merged = landmarks.transpose(1, 2).reshape({batch, count, heads * width});
    return normalised(merged).reshape({batch, count, heads, width}).transpose(1, 2);
}

double LandmarkMap::multiplyAdds(int64_t heads, int64_t width, int64_t count) const
{
    if (!defined())
        return 0;
    const auto side = double(weight.size(0));
    const double copies = weight.size(0) == width ? double(heads) : 1;
    return copies * side * side * double(count);
}

std::vector<LandmarkMapTensor> landmarkMapTensors(int64_t side)
{
    std::vector<LandmarkMapTensor> tensors;
    for (const std::string map : {"q_bar_gen", "k_bar_gen"}) {
        tensors.push_back({map + ".2.weight", {side, side}});
        for (const char* vector : {".2.bias", ".3.weight", ".3.bias"})
            tensors.push_back({map + vector, {side}});
    }
    return tensors;
}

at::Tensor landmarkValues(const AttentionInput& in, const at::Tensor& landmarks)
{
    const auto logits = withKeyWeights(at::matmul(landmarks * in.scale, in.k.transpose(-1, -2)), in.keyLogWeights)
                            .unflatten(-1, {in.keyGroups, -1});  // (B,H,C,G,M/G)
    const auto values = in.v.unflatten(2, {in.keyGroups, -1});   // (B,H,G,M/G,Dv)
    return at::matmul(logits.softmax(-1).transpose(2, 3), values).transpose(2, 3).flatten(3);
}

at::Tensor spreadLandmarkValues(const AttentionInput& in, const at::Tensor& weights, const at::Tensor& values)
{
    const auto out = at::matmul(weights, values);  // (B,H,N,G·Dv)
    return in.keyGroups == 1 ? out : out.unflatten(-1, {in.keyGroups, -1});
}

double landmarkMultiplyAdds(const AttentionShape& s, double landmarks)
{
    const auto queries = double(s.queries), keys = double(s.keys), groups = double(s.keyGroups);
    const auto width = double(s.width), valueDim = double(s.valueDim);
    return double(s.heads) * landmarks * ((queries + keys) * width + (keys + groups * queries) * valueDim);
}

}
