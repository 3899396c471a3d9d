#include "models/motionformer/motionformer_position.h"

namespace attnscope {

namespace {

/// cells (n, rows·columns, C), one grid each → (n, newRows·newColumns, C).
at::Tensor resizeSpace(const at::Tensor& cells, const TokenVolume& from, const TokenVolume& to)
{
    if (from.rows == to.rows && from.columns == to.columns)
        return cells;
    const auto image =
        cells.to(at::kFloat).unflatten(1, {from.rows, from.columns}).permute({0, 3, 1, 2}).contiguous();
    const auto factor = [](int64_t now, int64_t before) { return double(now) / double(before); };
    const auto resized = at::upsample_bicubic2d(image, {to.rows, to.columns}, false, factor(to.rows, from.rows),
                                                factor(to.columns, from.columns));
    return resized.permute({0, 2, 3, 1}).flatten(1, 2).to(cells.scalar_type());
}

}

at::Tensor resizeTime(const at::Tensor& embedding, int64_t times)
{
    if (embedding.size(1) == times)
        return embedding;
    const auto line = embedding.to(at::kFloat).transpose(1, 2).contiguous();  // (1,C,T')
    return at::upsample_linear1d(line, {times}, false).transpose(1, 2).contiguous().to(embedding.scalar_type());
}

at::Tensor MotionformerPosition::of(const TokenVolume& wanted) const
{
    const auto forClass = space.slice(1, 0, 1), cells = space.slice(1, 1);
    const int64_t width = space.size(2);
    if (time.defined()) {
        const auto places = resizeSpace(cells, volume, wanted).unsqueeze(1);     // (1,1,P,C)
        const auto both = places + resizeTime(time, wanted.times).unsqueeze(2);  // (1,T',P,C)
        return at::cat({forClass, both.flatten(1, 2)}, 1);
    }
    const auto frames = resizeSpace(cells.reshape({volume.times, volume.places(), width}), volume,
                                    wanted);  // (T,P,C)
    const auto lines = resizeTime(frames.permute({1, 2, 0}).reshape({1, -1, volume.times}).transpose(1, 2),
                                  wanted.times);
    const auto tokens = lines.reshape({wanted.times, wanted.places(), width});
    return at::cat({forClass, tokens.reshape({1, -1, width})}, 1);
}

}
