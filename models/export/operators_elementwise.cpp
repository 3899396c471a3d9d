#include "models/export/operators_elementwise.h"

#include <cmath>
#include <limits>

namespace attnscope {

namespace {

using onnx::ElementType;
using onnx::GraphBuilder;
using onnx::Value;
using Values = std::vector<Value>;

constexpr double largest = std::numeric_limits<float>::max();

/// The type in which operands of different types are compared.
ElementType commonType(const OperatorCall& call)
{
    ElementType common = ElementType::Bool;
    for (const size_t i : {0U, 1U}) {
        const ElementType own = call.typeOf(i);
        if (own == ElementType::Float || (own == ElementType::Int64 && common == ElementType::Bool))
            common = own;
    }
    return common;
}

template <const char* op>
Values arithmetic(OperatorCall& call)
{
    return {call.graph.binary(op, call.operand(0, call.type()), call.operand(1, call.type()))};
}

/// a ± alpha·b
template <const char* op>
Values scaledSum(OperatorCall& call)
{
    const Value a = call.operand(0, call.type());
    Value b = call.operand(1, call.type());
    if (!call.isNone(2) && call.real(2) != 1)
        b = call.graph.binary("Mul", b, call.operand(2, call.type()));
    return {call.graph.binary(op, a, b)};
}

Values reversedDifference(OperatorCall& call)
{
    Value a = call.operand(0, call.type());
    if (!call.isNone(2) && call.real(2) != 1)
        a = call.graph.binary("Mul", a, call.operand(2, call.type()));
    return {call.graph.binary("Sub", call.operand(1, call.type()), a)};
}

Values quotient(OperatorCall& call)
{
    const bool rounds = !call.isNone(2);
    const std::string mode = rounds ? call.text(2) : "";
    if (!rounds || call.type() == ElementType::Float) {
        const Value ratio = call.graph.binary("Div", call.operand(0, ElementType::Float),
                                              call.operand(1, ElementType::Float));
        if (mode == "trunc")
            call.refuse("it rounds towards zero");
        return {mode == "floor" ? call.graph.unary("Floor", ratio) : ratio};
    }
    return {call.graph.binary("Div", call.operand(0, call.type()),
                              call.operand(1, call.type()))};  // of indices, which are not negative
}

Values floorQuotient(OperatorCall& call)
{
    const Value ratio = call.graph.binary("Div", call.operand(0, call.type()), call.operand(1, call.type()));
    return {call.type() == ElementType::Float ? call.graph.unary("Floor", ratio) : ratio};
}

Values remainder(OperatorCall& call)
{
    if (call.type() == ElementType::Float)
        call.refuse("it is a remainder of real numbers");
    return {call.graph.binary("Mod", call.operand(0, call.type()), call.operand(1, call.type()))};
}

template <const char* op>
Values comparison(OperatorCall& call)
{
    const ElementType type = commonType(call);
    return {call.graph.compare(op, call.operand(0, type), call.operand(1, type))};
}

Values unequal(OperatorCall& call)
{
    const ElementType type = commonType(call);
    return {call.graph.unary("Not", call.graph.compare("Equal", call.operand(0, type), call.operand(1, type)))};
}

template <const char* op>
Values logical(OperatorCall& call)
{
    return {call.graph.binary(op, call.operand(0, ElementType::Bool), call.operand(1, ElementType::Bool))};
}

/// Of integers that are not negative: 2ⁿ times, or that part.
template <const char* op>
Values shifted(OperatorCall& call)
{
    return {call.graph.binary(op, call.operand(0, ElementType::Int64),
                              call.graph.integer(int64_t{1} << call.integer(1)))};
}

Values exclusiveBits(OperatorCall& call)
{
    if (call.type() == ElementType::Bool)
        return {call.graph.binary("Xor", call.operand(0, ElementType::Bool), call.operand(1, ElementType::Bool))};
    return {
        call.graph.binary("BitwiseXor", call.operand(0, ElementType::Int64), call.operand(1, ElementType::Int64))};
}

template <const char* op>
Values function(OperatorCall& call)
{
    return {call.graph.unary(op, call.operand(0, call.type()))};
}

/// The argument itself: LibTorch's bookkeeping.
Values same(OperatorCall& call)
{
    return {call.x(0)};
}

/// In another type.
Values converted(OperatorCall& call)
{
    return {call.graph.cast(call.x(0), call.type())};
}

Value clipped(GraphBuilder& graph, Value x, const OperatorCall& call, size_t low, size_t high)
{
    if (!call.isNone(low))
        x = graph.binary("Max", x, call.operand(low, x.type));
    if (high > 0 && !call.isNone(high))
        x = graph.binary("Min", x, call.operand(high, x.type));
    return x;
}

Values clamp(OperatorCall& call)
{
    return {clipped(call.graph, call.operand(0, call.type()), call, 1, 2)};
}

Values square(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.binary("Mul", x, x)};
}

Values power(OperatorCall& call)
{
    return {call.graph.binary("Pow", call.operand(0, call.type()), call.operand(1, call.type()))};
}

Values inverseRoot(OperatorCall& call)
{
    return {call.graph.unary("Reciprocal", call.graph.unary("Sqrt", call.x(0)))};
}

Values logOnePlus(OperatorCall& call)
{
    return {call.graph.unary("Log", call.graph.binary("Add", call.x(0), call.graph.real(1)))};
}

Values expMinusOne(OperatorCall& call)
{
    return {call.graph.binary("Sub", call.graph.unary("Exp", call.x(0)), call.graph.real(1))};
}

Values silu(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.binary("Mul", x, call.graph.unary("Sigmoid", x))};
}

Values gelu(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.add("Gelu", {x}, x.type, x.shape,
                           {{"approximate", call.isNone(1) ? std::string("none") : call.text(1)}})};
}

Values elu(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.add("Elu", {x}, x.type, x.shape, {{"alpha", 1.0F}})};
}

Values softplus(OperatorCall& call)
{
    return {call.graph.unary("Softplus", call.x(0))};
}

/// ½ (1 + erf(x / √2))
Values normalCdf(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value erf = graph.unary("Erf", graph.binary("Mul", call.x(0), graph.real(1 / std::sqrt(2.0))));
    return {graph.binary("Mul", graph.binary("Add", erf, graph.real(1)), graph.real(0.5))};
}

Values chosen(OperatorCall& call)
{
    const Value condition = call.operand(0, ElementType::Bool), a = call.operand(1, call.type()),
                b = call.operand(2, call.type());
    return {call.graph.add("Where", {condition, a, b}, call.type(),
                           broadcast(broadcast(condition.shape, a.shape), b.shape))};
}

/// x where the mask is false, else the value.
Values filled(OperatorCall& call)
{
    const Value x = call.operand(0, call.type()), mask = call.operand(1, ElementType::Bool),
                value = call.operand(2, call.type());
    return {call.graph.add("Where", {mask, value, x}, call.type(),
                           broadcast(broadcast(mask.shape, value.shape), x.shape))};
}

Value withoutNan(GraphBuilder& graph, const Value& x, const Value& value)
{
    const Value wrong = graph.add("IsNaN", {x}, ElementType::Bool, x.shape);
    return graph.add("Where", {wrong, value, x}, x.type, x.shape);
}

Values nanToNumber(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value x = withoutNan(graph, call.x(0), graph.real(call.isNone(1) ? 0 : call.real(1)));
    const double high = call.isNone(2) ? largest : call.real(2), low = call.isNone(3) ? -largest : call.real(3);
    return {graph.binary("Max", graph.binary("Min", x, graph.real(high)), graph.real(low))};
}

Values isNan(OperatorCall& call)
{
    const Value x = call.x(0);
    return {call.graph.add("IsNaN", {x}, ElementType::Bool, x.shape)};
}

Values isFinite(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;  // NaN is not below anything
    return {graph.compare("LessOrEqual", graph.unary("Abs", call.x(0)), graph.real(largest))};
}

Values isNegativeInfinity(OperatorCall& call)
{
    return {call.graph.compare("Less", call.x(0), call.graph.real(-largest))};
}

/// log(eᵃ + eᵇ) = m + log(e^(a−m) + e^(b−m)) with the larger m, which is at least the smallest finite number: both may be −∞.
Values logAddExp(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value a = call.operand(0, call.type()), b = call.operand(1, call.type());
    const Value m = graph.binary("Max", graph.binary("Max", a, b), graph.real(-largest));
    const auto part = [&](const Value& x) { return graph.unary("Exp", graph.binary("Sub", x, m)); };
    return {graph.binary("Add", m, graph.unary("Log", graph.binary("Add", part(a), part(b))))};
}

/// a + w (b − a)
Values lerp(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    const Value a = call.operand(0, call.type());
    return {graph.binary(
        "Add", a,
        graph.binary("Mul", call.operand(2, call.type()), graph.binary("Sub", call.operand(1, call.type()), a)))};
}

/// a + c·b·d
Values addcmul(OperatorCall& call)
{
    GraphBuilder& graph = call.graph;
    Value product = graph.binary("Mul", call.operand(1, call.type()), call.operand(2, call.type()));
    if (!call.isNone(3) && call.real(3) != 1)
        product = graph.binary("Mul", product, graph.real(call.real(3)));
    return {graph.binary("Add", call.operand(0, call.type()), product)};
}

constexpr char whole[] = "Div", add[] = "Add", sub[] = "Sub", mul[] = "Mul", less[] = "Less",
               lessEqual[] = "LessOrEqual", greater[] = "Greater", greaterEqual[] = "GreaterOrEqual",
               equal[] = "Equal", both[] = "And", either[] = "Or", one[] = "Xor", maximum[] = "Max",
               minimum[] = "Min", exponential[] = "Exp", logarithm[] = "Log", root[] = "Sqrt", absolute[] = "Abs",
               negative[] = "Neg", signum[] = "Sign", sine[] = "Sin", cosine[] = "Cos", tangent[] = "Tanh",
               sigmoid[] = "Sigmoid", rectifier[] = "Relu", negation[] = "Not", inverse[] = "Reciprocal",
               lower[] = "Floor", upper[] = "Ceil", nearest[] = "Round", errorFunction[] = "Erf";

}

const OperatorTable& elementwiseOperators()
{
    static const OperatorTable table{
        {"aten::add", scaledSum<add>},
        {"aten::sub", scaledSum<sub>},
        {"aten::rsub", reversedDifference},
        {"aten::mul", arithmetic<mul>},
        {"aten::div", quotient},
        {"aten::floor_divide", floorQuotient},
        {"aten::remainder", remainder},
        {"aten::pow", power},
        {"aten::maximum", arithmetic<maximum>},
        {"aten::minimum", arithmetic<minimum>},
        {"aten::square", square},
        {"aten::lt", comparison<less>},
        {"aten::le", comparison<lessEqual>},
        {"aten::gt", comparison<greater>},
        {"aten::ge", comparison<greaterEqual>},
        {"aten::eq", comparison<equal>},
        {"aten::ne", unequal},
        {"aten::logical_and", logical<both>},
        {"aten::logical_or", logical<either>},
        {"aten::logical_xor", logical<one>},
        {"aten::__and__", logical<both>},
        {"aten::__or__", logical<either>},
        {"aten::bitwise_and", logical<both>},
        {"aten::bitwise_or", logical<either>},
        {"aten::logical_not", function<negation>},
        {"aten::bitwise_not", function<negation>},
        {"aten::bitwise_xor", exclusiveBits},
        {"aten::bitwise_left_shift", shifted<mul>},
        {"aten::bitwise_right_shift", shifted<whole>},
        {"aten::exp", function<exponential>},
        {"aten::log", function<logarithm>},
        {"aten::sqrt", function<root>},
        {"aten::abs", function<absolute>},
        {"aten::neg", function<negative>},
        {"aten::sign", function<signum>},
        {"aten::sgn", function<signum>},
        {"aten::sin", function<sine>},
        {"aten::cos", function<cosine>},
        {"aten::tanh", function<tangent>},
        {"aten::sigmoid", function<sigmoid>},
        {"aten::relu", function<rectifier>},
        {"aten::reciprocal", function<inverse>},
        {"aten::floor", function<lower>},
        {"aten::ceil", function<upper>},
        {"aten::round", function<nearest>},
        {"aten::erf", function<errorFunction>},
        {"aten::rsqrt", inverseRoot},
        {"aten::log1p", logOnePlus},
        {"aten::expm1", expMinusOne},
        {"aten::silu", silu},
        {"aten::gelu", gelu},
        {"aten::elu", elu},
        {"aten::softplus", softplus},
        {"aten::special_ndtr", normalCdf},
        {"aten::clamp", clamp},
        {"aten::clamp_min", clamp},
        {"aten::clamp_max",
         [](OperatorCall& call) {
             return Values{call.graph.binary("Min", call.operand(0, call.type()), call.operand(1, call.type()))};
         }},
        {"aten::where", chosen},
        {"aten::masked_fill", filled},
        {"aten::nan_to_num", nanToNumber},
        {"aten::isnan", isNan},
        {"aten::isfinite", isFinite},
        {"aten::isneginf", isNegativeInfinity},
        {"aten::logaddexp", logAddExp},
        {"aten::lerp", lerp},
        {"aten::addcmul", addcmul},
        {"aten::detach", same},
        {"aten::clone", same},
        {"aten::contiguous", same},
        {"aten::alias", same},
        {"aten::dropout", same},
        {"aten::requires_grad_", same},
        {"aten::to", converted},
        {"aten::_to_copy", converted},
        {"aten::type_as", converted},
        {"aten::copy_",
         [](OperatorCall& call) {
             return Values{call.graph.expand(call.graph.cast(call.x(1), call.type()), call.shape())};
         }},
    };
    return table;
}

}
