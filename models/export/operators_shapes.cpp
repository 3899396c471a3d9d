#include "models/export/operators_shapes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace attnscope {

namespace {

using onnx::Dimension;
using onnx::ElementType;
using onnx::GraphBuilder;
using onnx::Shape;
using onnx::Value;
using Values = std::vector<Value>;

/// Of a view the output's shape says everything.
Values reshaped(OperatorCall& call)
{
    return {call.graph.reshape(call.x(0), call.shape())};
}

Values expanded(OperatorCall& call)
{
    return {call.graph.expand(call.operand(0, call.type()), call.shape())};
}

Values transposed(OperatorCall& call)
{
    const Value x = call.x(0);
    std::vector<int64_t> order(x.shape.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() < 2)
        return {x};
    const bool last = call.count() == 1;  // aten::t
    std::swap(order[size_t(last ? 0 : call.axis(1, order.size()))],
              order[size_t(last ? 1 : call.axis(2, order.size()))]);
    return {call.graph.transpose(x, order)};
}

Values permuted(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.transpose(x, call.axes(1, x.shape.size()))};
}

int64_t sizeAt(const OperatorCall& call, const Shape& shape, int64_t axis)
{
    const Dimension& size = shape.at(size_t(axis));
    if (size.perElement)
        call.refuse("it takes some images of the batch and not others");
    return size.size;
}

/// x, axis, begin, end, step
Values sliced(OperatorCall& call)
{
    const Value x = call.x(0);
    const int64_t axis = call.axis(1, x.shape.size());
    const int64_t begin = call.integerOr(2, 0), step = call.integerOr(4, 1);
    if (begin == 0 && step == 1 && call.shape() == x.shape)
        return {x};
    const int64_t size = sizeAt(call, x.shape, axis);
    const auto place = [size](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
    return {call.graph.slice(x, axis, place(begin), place(call.integerOr(3, std::numeric_limits<int64_t>::max())),
                             step)};
}

/// x, axis, begin, length
Values narrowed(OperatorCall& call)
{
    const Value x = call.x(0);
    const int64_t axis = call.axis(1, x.shape.size());
    if (call.shape() == x.shape)
        return {x};
    const int64_t size = sizeAt(call, x.shape, axis), given = call.integer(2),
                  begin = given < 0 ? given + size : given;
    return {call.graph.slice(x, axis, begin, begin + call.integer(3))};
}

/// x, axis, index
Values selected(OperatorCall& call)
{
    const Value x = call.x(0);
    const int64_t axis = call.axis(1, x.shape.size()), size = sizeAt(call, x.shape, axis), index = call.integer(2);
    return {call.graph.gather(x, call.graph.integer(index < 0 ? index + size : index), axis)};
}

/// Consecutive parts along an axis, as long as the outputs are: `split`, `chunk`; without that axis: `unbind`.
Values parts(OperatorCall& call, int64_t axis, bool without)
{
    const Value x = call.x(0);
    int64_t begin = 0;
    Values values;
    for (size_t i = 0; i < call.outputs(); ++i) {
        const int64_t length = without ? 1 : sizeAt(call, call.shape(i), axis);
        values.push_back(without ? call.graph.gather(x, call.graph.integer(begin), axis)
                                 : call.graph.slice(x, axis, begin, begin + length));
        begin += length;
    }
    return values;
}

Values chunked(OperatorCall& call)
{
    return parts(call, call.axis(2, call.x(0).shape.size()), false);
}

Values unbound(OperatorCall& call)
{
    return parts(call, call.isNone(1) ? 0 : call.axis(1, call.x(0).shape.size()), true);
}

Values joined(OperatorCall& call)
{
    Values all;
    for (const Value& part : call.list(0))  // LibTorch leaves out tensors without elements
        if (std::ranges::none_of(part.shape, [](const Dimension& size) { return size.size == 0; }))
            all.push_back(call.graph.cast(part, call.type()));
    return {call.graph.concat(all, call.axis(1, call.shape().size()))};
}

Values stacked(OperatorCall& call)
{
    const int64_t axis = call.axis(1, call.shape().size());
    Values all;
    for (const Value& part : call.list(0)) {
        Shape shape = part.shape;
        shape.insert(shape.begin() + axis, Dimension{1, false});
        all.push_back(call.graph.reshape(call.graph.cast(part, call.type()), shape));
    }
    return {call.graph.concat(all, axis)};
}

Values repeated(OperatorCall& call)
{
    const Value x = call.x(0);
    Shape shape = x.shape;
    shape.insert(shape.begin(), call.shape().size() - shape.size(), Dimension{1, false});
    const Value whole = call.graph.reshape(x, shape);
    const std::vector<int64_t> times = call.integers(1);
    if (std::ranges::all_of(times, [](int64_t one) { return one == 1; }))
        return {whole};
    return {call.graph.add("Tile", {whole, call.graph.integers(times)}, x.type, call.shape())};
}

/// Each row `times` times: x, times, axis
Values interleaved(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const int64_t times = call.integer(1), axis = call.axis(2, x.shape.size());
    Shape apart = x.shape;
    apart.insert(apart.begin() + axis + 1, Dimension{1, false});
    const Value rows = graph.reshape(x, apart);
    apart[size_t(axis) + 1] = {times, false};
    return {graph.reshape(graph.expand(rows, apart), call.shape())};
}

Values indexSelected(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.gather(x, call.operand(2, ElementType::Int64), call.axis(1, x.shape.size()))};
}

/// x, axis, indices of the output's shape
Values gathered(OperatorCall& call)
{
    const Value x = call.x(0), indices = call.x(2);
    return {call.graph.add("GatherElements", {x, indices}, call.type(), indices.shape,
                           {{"axis", call.axis(1, x.shape.size())}})};
}

/// x[…, indices, …]: along one axis, or along the first ones.
Values indexed(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const auto given = call.optionalList(1);
    std::vector<size_t> axes;
    for (size_t i = 0; i < given.size(); ++i)
        if (given[i])
            axes.push_back(i);
    for (const size_t axis : axes)
        if (given[axis]->type == ElementType::Bool)
            call.refuse("it chooses by a mask");
    if (axes.size() == 1)
        return {graph.gather(x, *given[axes.front()], int64_t(axes.front()))};
    if (axes.back() + 1 != axes.size())
        call.refuse("it chooses along several axes that are not the first");
    Shape common;
    for (const size_t axis : axes)
        common = broadcast(common, given[axis]->shape);
    Shape column = common;
    column.push_back({1, false});
    Values columns;
    for (const size_t axis : axes)
        columns.push_back(graph.reshape(graph.expand(*given[axis], common), column));
    return {graph.add("GatherND", {x, graph.concat(columns, int64_t(common.size()))}, call.type(), call.shape())};
}

/// x, axis, indices, source or number
Values scatter(OperatorCall& call, const char* reduction)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0), indices = call.x(2);
    const Value source = graph.expand(call.operand(3, x.type), indices.shape);
    return {graph.add("ScatterElements", {x, indices, source}, x.type, x.shape,
                      {{"axis", call.axis(1, x.shape.size())}, {"reduction", std::string(reduction)}})};
}

Values scattered(OperatorCall& call)
{
    return scatter(call, "none");
}

Values scatterAdded(OperatorCall& call)
{
    return scatter(call, "add");
}

/// x, axis, indices along it, rows
Values indexAdded(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.operand(0, call.type()), rows = call.operand(3, call.type());
    const int64_t axis = call.axis(1, call.shape().size());
    Shape alone(rows.shape.size(), Dimension{1, false});
    alone[size_t(axis)] = rows.shape[size_t(axis)];
    const Value indices = graph.expand(graph.reshape(call.operand(2, ElementType::Int64), alone), rows.shape);
    return {graph.add("ScatterElements", {graph.expand(x, call.shape()), indices, rows}, call.type(), call.shape(),
                      {{"axis", axis}, {"reduction", std::string("add")}})};
}

/// Of a square at the end: every (n + 1)-th element.
Values diagonal(OperatorCall& call)
{
    const Value x = call.x(0);
    const size_t rank = x.shape.size();
    const int64_t one = call.axis(2, rank), two = call.axis(3, rank), side = x.shape.back().size;
    if (call.integer(1) != 0 || std::min(one, two) + 2 != int64_t(rank) || x.shape[rank - 2] != x.shape.back())
        call.refuse("it is not that of a square at the end");
    Shape flat(x.shape.begin(), x.shape.end() - 2);
    flat.push_back({side * side, false});
    std::vector<int64_t> places;
    for (int64_t i = 0; i < side; ++i)
        places.push_back(i * (side + 1));
    return {call.graph.gather(call.graph.reshape(x, flat), call.graph.integers(places), int64_t(rank) - 2)};
}

/// x, amounts from the last axis on, value
Values padded(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.operand(0, call.type());
    const std::vector<int64_t> amounts = call.integers(1);
    const size_t rank = x.shape.size();
    std::vector<int64_t> pads(2 * rank);
    for (size_t i = 0; i < amounts.size() / 2; ++i) {
        pads[rank - 1 - i] = amounts[2 * i];
        pads[2 * rank - 1 - i] = amounts[2 * i + 1];
    }
    const Value value = call.isNone(2) ? (x.type == ElementType::Float ? graph.real(0) : graph.integer(0))
                                       : call.operand(2, x.type);
    return {graph.add("Pad", {x, graph.integers(pads), value}, x.type, call.shape(),
                      {{"mode", std::string("constant")}})};
}

/// x, axes
Values flipped(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    Value x = call.x(0);
    for (const int64_t axis : call.axes(1, x.shape.size())) {
        std::vector<int64_t> places;
        for (int64_t i = sizeAt(call, x.shape, axis) - 1; i >= 0; --i)
            places.push_back(i);
        x = graph.gather(x, graph.integers(places), axis);
    }
    return {x};
}

/// x, shifts, axes
Values rolled(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    Value x = call.x(0);
    const auto shifts = call.integers(1);
    const auto axes = call.axes(2, x.shape.size());
    for (size_t i = 0; i < shifts.size(); ++i) {
        const int64_t size = sizeAt(call, x.shape, axes[i]), shift = (shifts[i] % size + size) % size;
        if (shift != 0)
            x = graph.concat(
                {graph.slice(x, axes[i], size - shift, size), graph.slice(x, axes[i], 0, size - shift)}, axes[i]);
    }
    return {x};
}

/// x, number of classes
Values oneHot(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value classes = storedConstant(graph, at::arange(call.integer(1)), "classes"), x = call.x(0);
    Shape column = x.shape;
    column.push_back({1, false});
    return {graph.cast(graph.compare("Equal", graph.reshape(x, column), classes), call.type())};
}

template <const bool upper>
Values triangle(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.add("Trilu", {x, call.graph.integer(call.integerOr(1, 0))}, x.type, x.shape,
                           {{"upper", int64_t{upper ? 1 : 0}}})};
}

Value filledWith(OperatorCall& call, double value)
{
    GraphBuilder& graph = call.graph;
    const Value number = call.type() == ElementType::Float   ? graph.real(value)
                         : call.type() == ElementType::Int64 ? graph.integer(int64_t(value))
                                                             : graph.truth(value != 0);
    return graph.expand(number, call.shape());
}

Values zeros(OperatorCall& call)
{
    return {filledWith(call, 0)};
}

Values ones(OperatorCall& call)
{
    return {filledWith(call, 1)};
}

/// x, value
Values fullLike(OperatorCall& call)
{
    return {filledWith(call, call.real(1))};
}

/// x, sizes, value
Values newFull(OperatorCall& call)
{
    return {filledWith(call, call.real(2))};
}

}

const OperatorTable& shapeOperators()
{
    static const OperatorTable table{
        {"aten::reshape", reshaped},
        {"aten::view", reshaped},
        {"aten::_unsafe_view", reshaped},
        {"aten::flatten", reshaped},
        {"aten::unflatten", reshaped},
        {"aten::unsqueeze", reshaped},
        {"aten::squeeze", reshaped},
        {"aten::reshape_as", reshaped},
        {"aten::view_as", reshaped},
        {"aten::expand", expanded},
        {"aten::expand_as", expanded},
        {"aten::broadcast_to", expanded},
        {"aten::transpose", transposed},
        {"aten::t", transposed},
        {"aten::permute", permuted},
        {"aten::slice", sliced},
        {"aten::narrow", narrowed},
        {"aten::select", selected},
        {"aten::chunk", chunked},
        {"aten::split", chunked},
        {"aten::split_with_sizes", chunked},
        {"aten::unbind", unbound},
        {"aten::cat", joined},
        {"aten::stack", stacked},
        {"aten::repeat", repeated},
        {"aten::repeat_interleave", interleaved},
        {"aten::index_select", indexSelected},
        {"aten::gather", gathered},
        {"aten::index", indexed},
        {"aten::scatter", scattered},
        {"aten::scatter_add", scatterAdded},
        {"aten::index_add", indexAdded},
        {"aten::diagonal", diagonal},
        {"aten::constant_pad_nd", padded},
        {"aten::flip", flipped},
        {"aten::roll", rolled},
        {"aten::one_hot", oneHot},
        {"aten::tril", triangle<false>},
        {"aten::triu", triangle<true>},
        {"aten::zeros_like", zeros},
        {"aten::new_zeros", zeros},
        {"aten::zero_", zeros},
        {"aten::ones_like", ones},
        {"aten::new_ones", ones},
        {"aten::full_like", fullLike},
        {"aten::new_full", newFull},
        {"aten::fill_", fullLike},
    };
    return table;
}

}
