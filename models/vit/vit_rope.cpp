#include "models/vit/vit_rope.h"

#include <numbers>
#include <utility>

namespace attnscope {

namespace {

/// Coordinates of `count` rows or columns in float64.
at::Tensor coordinates(const VitRope& rope, int64_t count, int64_t reference, const at::TensorOptions& options)
{
    auto place = at::arange(count, options);
    if (rope.kind == VitRope::Kind::Mixed)
        return place;
    if (rope.kind == VitRope::Kind::Centred)
        return ((place + 0.5) * (2.0 / double(count)) - 1) * (2 * std::numbers::pi);
    const auto moved = place + rope.offset;
    return reference > 0 ? moved * (double(reference) / double(count)) : moved;
}

/// (P,d/2), or (depth,H,P,d/2)
at::Tensor anglesOf(const VitDescription& d, const at::Tensor& frequencies, int64_t rows, int64_t columns,
                    const at::TensorOptions& wide)
{
    const VitRope& rope = *d.rope;
    const auto reference = rope.reference.value_or(std::pair<int64_t, int64_t>(0, 0));
    auto one = coordinates(rope, rows, reference.first, wide).repeat_interleave(columns);  // (P)
    auto two = coordinates(rope, columns, reference.second, wide).repeat({rows});
    if (rope.columnFirst)
        std::swap(one, two);
    if (rope.kind == VitRope::Kind::Mixed) {
        const auto of = frequencies.to(at::kDouble);
        return one.unsqueeze(1) * of.select(0, 0).unsqueeze(2) + two.unsqueeze(1) * of.select(0, 1).unsqueeze(2);
    }
    const int64_t quarter = d.headDim() / 4;
    const auto of = at::pow(rope.temperature, at::arange(quarter, wide) / -double(quarter));
    return at::cat({one.unsqueeze(1) * of, two.unsqueeze(1) * of}, 1);
}

/// Both members of each pair.
std::pair<at::Tensor, at::Tensor> pairsOf(const at::Tensor& x, bool half)
{
    if (half) {
        const int64_t middle = x.size(-1) / 2;
        return {x.slice(-1, 0, middle), x.slice(-1, middle)};
    }
    return {x.slice(-1, 0, {}, 2), x.slice(-1, 1, {}, 2)};
}

}

VitTurns VitTurns::at(int64_t layer) const
{
    return cosine.dim() == 4 ? VitTurns{cosine.select(0, layer), sine.select(0, layer), half} : *this;
}

VitTurns VitTurns::of(const at::Tensor& patches) const
{
    const auto chosen = [&](const at::Tensor& x) {  // x: (P,d/2), or (H,P,d/2)
        const auto byHead = x.dim() == 2 ? x.unsqueeze(0) : x;
        return byHead.index_select(1, patches.flatten()).unflatten(1, patches.sizes()).transpose(0, 1);
    };
    return {chosen(cosine), chosen(sine), half};
}

VitTurns turnsOf(const VitDescription& description, const at::Tensor& frequencies, int64_t rows, int64_t columns,
                 const at::Tensor& like)
{
    const auto angles = anglesOf(description, frequencies, rows, columns,
                                 like.options().dtype(at::kDouble).requires_grad(false));
    const at::ScalarType type = like.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return {angles.cos().to(type), angles.sin().to(type), description.rope->half};
}

at::Tensor turned(const at::Tensor& x, int64_t prefix, const VitTurns& turns)
{
    const auto patches = x.slice(2, prefix);
    const auto [first, second] = pairsOf(patches.to(turns.cosine.scalar_type()), turns.half);
    const auto a = first * turns.cosine - second * turns.sine, b = second * turns.cosine + first * turns.sine;
    if (!x.requires_grad()) {
        const auto [intoFirst, intoSecond] = pairsOf(patches, turns.half);
        intoFirst.copy_(a);
        intoSecond.copy_(b);
        return x;
    }
    const auto together = turns.half ? at::cat({a, b}, -1) : at::stack({a, b}, -1).flatten(-2);
    return at::cat({x.slice(2, 0, prefix), together.to(x.scalar_type())}, 2);
}

}
