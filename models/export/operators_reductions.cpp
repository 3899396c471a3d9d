#include "models/export/operators_reductions.h"

#include <limits>
#include <numeric>

namespace attnscope {

namespace {

using onnx::ElementType;
using onnx::GraphBuilder;
using onnx::Value;
using Values = std::vector<Value>;

/// x, axes, whether to keep them, type
template <const char* op>
Values reduced(OperatorCall& call)
{
    const bool whole = call.count() < 3;  // x, type
    const Value x = call.operand(0, call.type());
    const auto rank = x.shape.size();
    std::vector<int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    return {call.graph.reduce(op, x, whole ? all : call.axes(1, rank), !whole && call.flagOr(2, false))};
}

constexpr char sum[] = "ReduceSum", mean[] = "ReduceMean", maximum[] = "ReduceMax", minimum[] = "ReduceMin",
               product[] = "ReduceProd";

/// m + log Σ e^(x−m), where m is the maximum, but at least the smallest finite number: all x may be −∞.
Values logSumExp(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const auto axes = call.axes(1, x.shape.size());
    const bool keep = call.flagOr(2, false);
    const Value m = graph.binary("Max", graph.reduce("ReduceMax", x, axes, true),
                                 graph.real(-std::numeric_limits<float>::max()));
    const Value terms = graph.unary("Exp", graph.binary("Sub", x, m));
    const Value total = graph.unary("Log", graph.reduce("ReduceSum", terms, axes, keep));
    return {graph.binary("Add", total, keep ? m : graph.reshape(m, total.shape))};
}

/// x, order of the norm, axes, whether to keep them
Values norm(OperatorCall& call)
{
    const Value x = call.x(0);
    const double order = call.isNone(1) ? 2 : call.real(1);
    if (order != 2 && order != 1)
        call.refuse("it is of an order other than 1 and 2");
    const bool whole = call.count() < 4;
    std::vector<int64_t> all(x.shape.size());
    std::iota(all.begin(), all.end(), 0);
    return {call.graph.reduce(order == 2 ? "ReduceL2" : "ReduceL1", x, whole ? all : call.axes(2, x.shape.size()),
                              !whole && call.flagOr(3, false))};
}

/// `max` and `min`: of two tensors, of all elements, or along an axis with indices.
template <const char* pairwise, const char* reducing, const char* searching>
Values extreme(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    if (call.count() == 1) {
        std::vector<int64_t> all(x.shape.size());
        std::iota(all.begin(), all.end(), 0);
        return {graph.reduce(reducing, x, all, false)};
    }
    if (call.isTensor(1))
        return {graph.binary(pairwise, x, call.operand(1, call.type()))};
    const int64_t axis = call.axis(1, x.shape.size());
    const bool keep = call.flagOr(2, false);
    return {graph.reduce(reducing, x, {axis}, keep),
            graph.add(searching, {x}, ElementType::Int64, call.shape(1),
                      {{"axis", axis}, {"keepdims", int64_t{keep ? 1 : 0}}})};
}

constexpr char max[] = "Max", min[] = "Min", argMax[] = "ArgMax", argMin[] = "ArgMin";

template <const char* op>
Values searched(OperatorCall& call)
{
    const Value x = call.x(0);
    if (call.isNone(1))
        call.refuse("it is over all axes");
    return {call.graph.add(
        op, {x}, ElementType::Int64, call.shape(),
        {{"axis", call.axis(1, x.shape.size())}, {"keepdims", int64_t{call.flagOr(2, false) ? 1 : 0}}})};
}

/// any and all, by the largest and smallest of 0 and 1.
template <const char* op>
Values quantified(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = graph.cast(call.operand(0, ElementType::Bool), ElementType::Float);
    const auto axes = call.count() < 2 ? call.axes(call.count(), x.shape.size()) : call.axes(1, x.shape.size());
    return {graph.cast(graph.reduce(op, x, axes, call.flagOr(2, false)), ElementType::Bool)};
}

Values cumulated(OperatorCall& call)
{
    const Value x = call.operand(0, call.type());
    const Value axis = call.graph.integer(call.axis(1, x.shape.size()));
    return {call.graph.add("CumSum", {x, axis}, x.type, x.shape)};
}

/// The `count` largest or smallest along an axis, and where they were.
Values extremes(OperatorCall& call, int64_t count, int64_t axis, bool largest)
{
    const Value x = call.x(0);
    onnx::Shape shape = x.shape;
    shape[size_t(axis)] = {count, false};
    return call.graph.addSeveral("TopK", {x, call.graph.integers({count})},
                                 {{x.type, shape}, {ElementType::Int64, shape}},
                                 {{"axis", axis}, {"largest", int64_t{largest ? 1 : 0}}, {"sorted", int64_t{1}}});
}

/// x, count, axis, whether the largest
Values topK(OperatorCall& call)
{
    const size_t rank = call.shape().size();
    return extremes(call, call.integer(1), call.isNone(2) ? int64_t(rank) - 1 : call.axis(2, rank),
                    call.flagOr(3, true));
}

/// Integers sorted by n·x + place, so that no two are equal: runtimes put equal ones in any order.
Values sortedIntegers(OperatorCall& call, int64_t axis, bool descending)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const int64_t size = x.shape[size_t(axis)].size;
    onnx::Shape along(x.shape.size(), onnx::Dimension{1, false});
    along[size_t(axis)] = {size, false};
    const auto places = at::arange(size);
    const Value tie = graph.reshape(storedConstant(graph, descending ? places.flip(0) : places, "places"), along);
    const Value count = graph.integer(size), keys = graph.binary("Add", graph.binary("Mul", x, count), tie);
    const Values found = graph.addSeveral(
        "TopK", {keys, graph.integers({size})}, {{x.type, x.shape}, {ElementType::Int64, x.shape}},
        {{"axis", axis}, {"largest", int64_t{descending ? 1 : 0}}, {"sorted", int64_t{1}}});
    return {graph.add("GatherElements", {x, found[1]}, x.type, x.shape, {{"axis", axis}}), found[1]};
}

/// `sort` and `argsort`: x, [stable,] axis, descending.
Values sorted(OperatorCall& call)
{
    const size_t rank = call.shape().size(), first = call.count() == 4 ? 2 : 1;
    const int64_t axis = call.axis(first, rank);
    const bool descending = call.flagOr(first + 1, false);
    if (call.typeOf(0) == ElementType::Int64)
        return sortedIntegers(call, axis, descending);
    return extremes(call, call.x(0).shape[size_t(axis)].size, axis, descending);
}

Values sortingIndices(OperatorCall& call)
{
    return {sorted(call).back()};
}

}

const OperatorTable& reductionOperators()
{
    static const OperatorTable table{
        {"aten::sum", reduced<sum>},
        {"aten::mean", reduced<mean>},
        {"aten::amax", reduced<maximum>},
        {"aten::amin", reduced<minimum>},
        {"aten::prod", reduced<product>},
        {"aten::logsumexp", logSumExp},
        {"aten::norm", norm},
        {"aten::linalg_vector_norm", norm},
        {"aten::max", extreme<max, maximum, argMax>},
        {"aten::min", extreme<min, minimum, argMin>},
        {"aten::argmax", searched<argMax>},
        {"aten::argmin", searched<argMin>},
        {"aten::any", quantified<maximum>},
        {"aten::all", quantified<minimum>},
        {"aten::cumsum", cumulated},
        {"aten::topk", topK},
        {"aten::sort", sorted},
        {"aten::argsort", sortingIndices},
    };
    return table;
}

}
