#include "models/export/operators_products.h"

#include <cmath>

namespace attnscope {

namespace {

using onnx::ElementType;
using onnx::GraphBuilder;
using onnx::Shape;
using onnx::Value;
using Values = std::vector<Value>;

/// The order of axes that exchanges the last two.
std::vector<int64_t> lastTwoExchanged(size_t rank)
{
    std::vector<int64_t> order;
    for (size_t i = 0; i < rank; ++i)
        order.push_back(int64_t(i));
    std::swap(order[rank - 1], order[rank - 2]);
    return order;
}

Values product(OperatorCall& call)
{
    return {call.graph.add("MatMul", {call.operand(0, call.type()), call.operand(1, call.type())}, call.type(),
                           call.shape())};
}

/// x Wᵀ + b: of a constant W the transpose is the constant.
Values linear(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const at::Tensor* const weight = call.constant(1);
    const Value transposed = weight != nullptr ? storedConstant(graph, weight->t(), graph.scope() + "/weight")
                                               : graph.transpose(call.x(1), lastTwoExchanged(2));
    const Value out = graph.add("MatMul", {call.x(0), transposed}, call.type(), call.shape());
    return {call.isNone(2) ? out : graph.binary("Add", out, call.operand(2, call.type()))};
}

/// beta·a + alpha·b c
Values addedProduct(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    if ((!call.isNone(3) && call.real(3) != 1) || (!call.isNone(4) && call.real(4) != 1))
        call.refuse("it has factors");
    return {graph.binary("Add", call.operand(0, call.type()),
                         graph.add("MatMul", {call.x(1), call.x(2)}, call.type(), call.shape()))};
}

Values einsum(OperatorCall& call)
{
    return {call.graph.add("Einsum", call.list(1), call.type(), call.shape(), {{"equation", call.text(0)}})};
}

Values outer(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value a = call.x(0), b = call.x(1);
    return {graph.binary("Mul", graph.reshape(a, {a.shape[0], {1, false}}), b)};
}

Value softmaxOver(GraphBuilder& graph, const Value& x, int64_t axis)
{
    return graph.add("Softmax", {x}, x.type, x.shape, {{"axis", axis}});
}

Values softmax(OperatorCall& call)
{
    const Value x = call.operand(0, call.type());
    return {softmaxOver(call.graph, x, call.axis(1, x.shape.size()))};
}

Values logSoftmax(OperatorCall& call)
{
    const Value x = call.operand(0, call.type());
    return {call.graph.add("LogSoftmax", {x}, x.type, x.shape, {{"axis", call.axis(1, x.shape.size())}})};
}

/// softmax(scale·q kᵀ + mask) v
Values attention(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value q = call.x(0), k = call.x(1), v = call.x(2);
    if (call.flagOr(5, false))
        call.refuse("it is causal");
    const double scale = call.isNone(6) ? 1 / std::sqrt(double(q.shape.back().size)) : call.real(6);
    const Value scaled = graph.binary("Mul", q, graph.real(scale));
    Shape pairs(q.shape.begin(), q.shape.end() - 1);
    pairs.push_back(k.shape[k.shape.size() - 2]);
    Value logits = graph.add("MatMul", {scaled, graph.transpose(k, lastTwoExchanged(k.shape.size()))}, q.type,
                             pairs);
    if (!call.isNone(3))
        logits = graph.binary("Add", logits, call.operand(3, q.type));
    return {graph.add("MatMul", {softmaxOver(graph, logits, int64_t(pairs.size()) - 1), v}, call.type(),
                      call.shape())};
}

Value filledLike(GraphBuilder& graph, int64_t size, double value)
{
    return storedConstant(graph, at::full({size}, value, at::kFloat), "constant");
}

Values layerNorm(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const std::vector<int64_t> sizes = call.integers(1);
    if (sizes.size() != 1)
        call.refuse("it is over several axes");
    const Value weight = call.isNone(2) ? filledLike(graph, sizes[0], 1) : call.x(2);
    std::vector<Value> inputs{x, weight};
    if (!call.isNone(3))
        inputs.push_back(call.x(3));
    return {graph.add("LayerNormalization", inputs, call.type(), call.shape(),
                      {{"axis", int64_t{-1}}, {"epsilon", float(call.real(4))}})};
}

/// x / √(mean x² + eps) · weight
Values rmsNorm(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const auto last = int64_t(x.shape.size()) - 1;
    const double eps = call.isNone(3) ? 1.1920929e-7 : call.real(3);
    const Value mean = graph.reduce("ReduceMean", graph.binary("Mul", x, x), {last}, true);
    const Value out = graph.binary("Div", x, graph.unary("Sqrt", graph.binary("Add", mean, graph.real(eps))));
    return {call.isNone(2) ? out : graph.binary("Mul", out, call.operand(2, call.type()))};
}

/// x, weight, bias, stride, padding, dilation; then groups, or whether transposed, padding of that, groups
Values convolution(OperatorCall& call)
{
    const bool general = call.count() > 7;
    if (general && call.flag(6))
        call.refuse("it is transposed");
    std::vector<Value> inputs{call.x(0), call.x(1)};
    if (!call.isNone(2))
        inputs.push_back(call.x(2));
    const auto pair = [&](size_t i) {
        auto values = call.integers(i);
        if (values.size() == 1)
            values.push_back(values.front());
        return values;
    };
    const auto padding = pair(4);
    return {call.graph.add("Conv", inputs, call.type(), call.shape(),
                           {{"strides", pair(3)},
                            {"pads", std::vector<int64_t>{padding[0], padding[1], padding[0], padding[1]}},
                            {"dilations", pair(5)},
                            {"group", call.integer(general ? 8 : 6)}})};
}

/// The means of `cells` ranges of `length` places, as a matrix (cells, length): from ⌊i n / s⌋ to ⌈(i + 1) n / s⌉.
at::Tensor cellMeans(int64_t length, int64_t cells)
{
    auto means = at::zeros({cells, length});
    for (int64_t i = 0; i < cells; ++i) {
        const int64_t begin = i * length / cells, end = ((i + 1) * length + cells - 1) / cells;
        means.select(0, i).slice(0, begin, end).fill_(1 / double(end - begin));
    }
    return means;
}

/// Two products with matrices of means: x (…,rows,columns) → R x Cᵀ.
Values adaptivePooling(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = call.x(0);
    const size_t rank = x.shape.size();
    const auto means = [&](size_t axis) { return cellMeans(x.shape[axis].size, call.shape()[axis].size); };
    Shape half = x.shape;
    half[rank - 1] = call.shape()[rank - 1];
    const Value across = graph.add("MatMul", {x, storedConstant(graph, means(rank - 1).t(), "cell means")}, x.type,
                                   half);
    return {graph.add("MatMul", {storedConstant(graph, means(rank - 2), "cell means"), across}, call.type(),
                      call.shape())};
}

}

const OperatorTable& productOperators()
{
    static const OperatorTable table{
        {"aten::matmul", product},
        {"aten::bmm", product},
        {"aten::mm", product},
        {"aten::mv", product},
        {"aten::dot", product},
        {"aten::linear", linear},
        {"aten::addmm", addedProduct},
        {"aten::baddbmm", addedProduct},
        {"aten::einsum", einsum},
        {"aten::outer", outer},
        {"aten::softmax", softmax},
        {"aten::log_softmax", logSoftmax},
        {"aten::scaled_dot_product_attention", attention},
        {"aten::layer_norm", layerNorm},
        {"aten::rms_norm", rmsNorm},
        {"aten::conv2d", convolution},
        {"aten::convolution", convolution},
        {"aten::_convolution", convolution},
        {"aten::adaptive_avg_pool2d", adaptivePooling},
    };
    return table;
}

}
