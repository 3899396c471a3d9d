#include "models/vit/vit_description.h"

#include "core/attention/backend_info.h"

namespace attnscope {

namespace {

int64_t normOf(const VitDescription& d, int64_t width)
{
    return d.norm == VitNorm::Layer ? 2 * width : width;
}

int64_t ifThere(bool there, int64_t count)
{
    return there ? count : 0;
}

/// An attention with its projections, without norm before it and layer scale; in a parallel block without the projection behind it.
int64_t attentionOf(const VitDescription& d, int64_t layer)
{
    const int64_t c = d.width, keyed = d.keyHeadsOf(layer) * d.valueDim();
    int64_t count = d.qkvWidth(layer) * c + ifThere(d.queryKeyNorm, 2 * normOf(d, d.headDim()))
                    + ifThere(d.differential, 4 * d.headDim() + d.valueDim());
    if (d.qkvBias == VitQkvBias::All)
        count += d.qkvWidth(layer);
    else if (d.qkvBias == VitQkvBias::QueryValue)
        count += c + keyed;
    if (d.relative && d.relative->kind == VitRelativePositions::Kind::Table)
        count += d.relativeRows() * d.heads;
    if (d.block == VitBlock::Parallel)
        return count;
    return count + c * c + ifThere(d.projectionBias, c) + ifThere(d.attentionNorm, normOf(d, c));
}

/// The MLP of relative positions: offset (2) → hidden → heads.
int64_t relativeMlpOf(const VitDescription& d)
{
    const bool there = d.relative && d.relative->kind == VitRelativePositions::Kind::LogMlp;
    return there ? 3 * d.relative->hidden + d.relative->hidden * d.heads + d.heads : 0;
}

int64_t mlpOf(const VitDescription& d)
{
    const int64_t c = d.width, m = d.hidden(), first = d.mlp == VitMlp::Gated ? 2 * m : m;
    return first * c + c * m + ifThere(d.mlpBias, first + c) + ifThere(d.mlpNorm, normOf(d, m));
}

int64_t blockOf(const VitDescription& d, int64_t layer)
{
    const int64_t c = d.width, m = d.hidden();
    const int64_t relative = d.relative && !d.relative->shared ? relativeMlpOf(d) : 0;
    if (d.block == VitBlock::Parallel)
        return normOf(d, c) + attentionOf(d, layer) + c * m + m + c * c + m * c + (d.fusedOutput ? c : 2 * c)
               + ifThere(d.scalesAttention(), c) + relative;
    const int64_t attention = normOf(d, c) + attentionOf(d, layer) + ifThere(d.scalesAttention(), c) + relative;
    return d.branches * (attention + normOf(d, c) + mlpOf(d) + ifThere(d.scalesMlp(), c));
}

int64_t poolOf(const VitDescription& d)
{
    const int64_t c = d.width, m = d.poolHidden();
    return d.pool == VitPool::Map ? c + 4 * (c * c + c) + normOf(d, c) + 2 * c * m + m + c : 0;
}

/// Maps of learned landmarks, which count as parameters though they belong to an attention.
int64_t landmarkMapsOf(const VitDescription& d)
{
    if (!d.landmarkMaps)
        return 0;
    int64_t mapped = 0;
    for (int64_t layer = 0; layer < d.depth; ++layer)
        mapped += !d.attention.isMixed() || findBackend(d.attention.layer(layer).backend())->landmarkMaps ? 1 : 0;
    const int64_t width = d.headDim();
    return mapped * 2 * (width * width + width + 2 * width);
}

}

int64_t VitDescription::parameters() const
{
    const int64_t c = width, patches = rows() * columns();
    int64_t count = c * 3 * patchSize * patchSize + ifThere(patchBias, c) + ifThere(patchNorm, normOf(*this, c))
                    + ifThere(preNorm, normOf(*this, c)) + prefixTokens() * c
                    + ifThere(positions == VitPositions::Learned, (positionPrefix() + patches) * c);
    for (int64_t layer = 0; layer < depth; ++layer)
        count += blockOf(*this, layer);
    if (relative && relative->shared)
        count += relativeMlpOf(*this);
    if (rope && rope->kind == VitRope::Kind::Mixed)
        count += depth * c;
    count += ifThere(finalNorm, normOf(*this, c)) + poolOf(*this)
             + ifThere(pooledNorm, normOf(*this, pooledWidth()));
    count += ifThere(classes > 0, (pooledWidth() * classes + classes) * (distilled ? 2 : 1));
    return count + landmarkMapsOf(*this);
}

double VitDescription::blockMultiplyAdds(int64_t layer, const BlockTokens& tokenCounts) const
{
    const auto c = double(width), m = double(hidden());
    const double matrices = mlp == VitMlp::Gated ? 3 : 2;
    const double each = double(tokenCounts.attention) * (c * double(qkvWidth(layer)) + c * c)
                        + double(tokenCounts.mlp) * matrices * c * m;
    double count = double(branches) * each;
    if (relative && relative->kind == VitRelativePositions::Kind::LogMlp && (!relative->shared || layer == 0)) {
        const auto offsets = double(relativeRows() - 3), inner = double(relative->hidden);
        count += offsets * (2 * inner + inner * double(heads));
    }
    return count;
}

double VitDescription::headMultiplyAdds(int64_t gridTokens) const
{
    const double head = double(pooledWidth()) * double(classes) * (distilled ? 2 : 1);
    if (pool != VitPool::Map)
        return head;
    const auto c = double(width), m = double(poolHidden());
    const auto pooled = double(gridTokens + (poolPrefix ? prefixTokens() : 0));
    return head + 2 * c * c + 2 * c * m + pooled * (2 * c * c + 2 * c);
}

double VitDescription::outsideMultiplyAdds(int64_t gridTokens) const
{
    const auto patch = double(3 * patchSize * patchSize);
    return double(gridTokens) * patch * double(width) + headMultiplyAdds(gridTokens);
}

double VitDescription::linearMultiplyAdds(int64_t gridTokens) const
{
    double total = outsideMultiplyAdds(gridTokens);
    for (int64_t layer = 0; layer < depth; ++layer)
        total += blockMultiplyAdds(layer,
                                   {.attention = gridTokens + prefixTokens(), .mlp = gridTokens + prefixTokens()});
    return total;
}

}
