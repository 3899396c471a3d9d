#include "models/export/operator_call.h"

#include "core/base/error.h"
#include "models/export/operators_elementwise.h"
#include "models/export/operators_products.h"
#include "models/export/operators_reductions.h"
#include "models/export/operators_shapes.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace attnscope {

namespace {

[[noreturn]] void refuseValues()
{
    throw Unsupported(
        "", "one of its constants is computed from the values of an image in a way that cannot be recorded");
}

/// The rows of one element of the batch, of a constant whose axis `axis` grows with it.
at::Tensor rowsOfElement(const at::Tensor& two, const at::Tensor& three, int64_t axis)
{
    const int64_t rows = two.size(axis) / 2;
    if (two.size(axis) * 3 != three.size(axis) * 2)
        throw Unsupported("", "a constant has " + std::to_string(two.size(axis)) + " rows for two images and "
                                  + std::to_string(three.size(axis)) + " for three");
    const auto one = two.narrow(axis, 0, rows);
    for (const at::Tensor& all : {two, three})
        for (int64_t begin = 0; begin < all.size(axis); begin += rows)
            if (!at::equal(all.narrow(axis, begin, rows), one))
                refuseValues();
    return one;
}

}

bool TracedValue::dependsOnInput() const
{
    return tensor || std::ranges::any_of(list, &TracedValue::dependsOnInput);
}

onnx::ElementType elementType(at::ScalarType type)
{
    switch (type) {
    case at::kFloat:
    case at::kDouble:
        return onnx::ElementType::Float;
    case at::kBool:
        return onnx::ElementType::Bool;
    case at::kByte:
    case at::kChar:
    case at::kShort:
    case at::kInt:
    case at::kLong:
        return onnx::ElementType::Int64;
    default:
        break;
    }
    throw Unsupported("", "numbers of half precision are not exported", "use float32");
}

onnx::Value storedConstant(onnx::GraphBuilder& graph, const at::Tensor& value, const std::string& name)
{
    const onnx::ElementType type = elementType(value.scalar_type());
    const at::ScalarType stored = type == onnx::ElementType::Float  ? at::kFloat
                                  : type == onnx::ElementType::Bool ? at::kBool
                                                                    : at::kLong;
    // Always a copy: recorded operators may write into their constants when they run again.
    const auto owner = std::make_shared<const at::Tensor>(
        value.detach().to(at::kCPU, stored, false, /*copy=*/true).contiguous());
    return graph.constant(name, type, owner->sizes().vec(),
                          {static_cast<const std::byte*>(owner->const_data_ptr()), owner->nbytes()}, owner);
}

OperatorCall::OperatorCall(onnx::GraphBuilder& graph, std::string name, std::vector<const TracedValue*> arguments,
                           std::vector<onnx::GraphBuilder::Output> outputs)
    : graph(graph)
    , m_name(std::move(name))
    , m_arguments(std::move(arguments))
    , m_outputs(std::move(outputs))
{}

onnx::Value OperatorCall::valueOf(const TracedValue& value, bool whole,
                                  std::optional<onnx::ElementType> type) const
{
    if (value.tensor)
        return type ? graph.cast(*value.tensor, *type) : *value.tensor;
    const c10::IValue& constant = value.constant;
    if (!constant.isTensor()) {
        const c10::Scalar number = constant.toScalar();
        const auto wanted = type.value_or(number.isFloatingPoint() ? onnx::ElementType::Float
                                          : number.isBoolean()     ? onnx::ElementType::Bool
                                                                   : onnx::ElementType::Int64);
        return wanted == onnx::ElementType::Float  ? graph.real(number.toDouble())
               : wanted == onnx::ElementType::Bool ? graph.truth(number.toBool())
                                                   : graph.integer(number.toLong());
    }
    at::Tensor two = constant.toTensor(), three = value.other.toTensor();
    if (type && *type != elementType(two.scalar_type())) {
        const at::ScalarType to = *type == onnx::ElementType::Float  ? at::kFloat
                                  : *type == onnx::ElementType::Bool ? at::kBool
                                                                     : at::kLong;
        two = two.to(to), three = three.to(to);
    }
    const std::string name = graph.scope() + "/constant";
    if (two.sizes() == three.sizes()) {
        if (!two.is_same(three) && !at::allclose(two, three, 1e-6, 1e-7, true))
            refuseValues();
        return storedConstant(graph, two, name);
    }
    int64_t axis = 0;
    while (two.size(axis) == three.size(axis))
        ++axis;
    const auto rows = rowsOfElement(two, three, axis);
    onnx::Value stored = storedConstant(graph, rows, name);
    const int64_t each = rows.size(axis);
    if (!whole && each == 1)
        return stored;
    onnx::Shape apart = stored.shape;
    const auto at = apart.begin() + axis;
    if (each == 1) {
        *at = {1, true};
        return graph.expand(stored, apart);
    }
    apart.insert(at, {1, false});
    const onnx::Value row = graph.reshape(stored, apart);
    apart[size_t(axis)] = {1, true};
    onnx::Shape joined = stored.shape;
    joined[size_t(axis)] = {each, true};
    return graph.reshape(graph.expand(row, apart), joined);
}

onnx::ElementType OperatorCall::typeOf(size_t i) const
{
    const TracedValue& value = at(i);
    if (value.tensor)
        return value.tensor->type;
    const c10::IValue& constant = value.constant;
    return constant.isTensor()   ? elementType(constant.toTensor().scalar_type())
           : constant.isDouble() ? onnx::ElementType::Float
           : constant.isBool()   ? onnx::ElementType::Bool
                                 : onnx::ElementType::Int64;
}

onnx::Value OperatorCall::x(size_t i) const
{
    return valueOf(at(i), true);
}

onnx::Value OperatorCall::operand(size_t i, onnx::ElementType type) const
{
    return valueOf(at(i), false, type);
}

std::vector<onnx::Value> OperatorCall::list(size_t i) const
{
    std::vector<onnx::Value> values;
    for (const TracedValue& part : at(i).list)
        values.push_back(valueOf(part, true));
    return values;
}

std::vector<std::optional<onnx::Value>> OperatorCall::optionalList(size_t i) const
{
    std::vector<std::optional<onnx::Value>> values;
    for (const TracedValue& part : at(i).list)
        values.push_back(!part.tensor && part.constant.isNone() ? std::nullopt
                                                                : std::optional(valueOf(part, true)));
    return values;
}

const at::Tensor* OperatorCall::constant(size_t i) const
{
    const TracedValue& value = at(i);
    return !value.tensor && value.constant.isTensor() ? &value.constant.toTensor() : nullptr;
}

const c10::IValue& OperatorCall::setting(size_t i) const
{
    const TracedValue& value = at(i);
    if (value.dependsOnInput())
        refuse("one of its settings depends on the image");
    if (value.constant != value.other)
        refuse("one of its settings depends on the number of images");
    return value.constant;
}

int64_t OperatorCall::integer(size_t i) const
{
    return setting(i).toInt();
}

double OperatorCall::real(size_t i) const
{
    const c10::IValue& value = setting(i);
    return value.isTensor() ? value.toTensor().item<double>() : value.toScalar().toDouble();
}

bool OperatorCall::flag(size_t i) const
{
    return setting(i).toBool();
}

std::string OperatorCall::text(size_t i) const
{
    return setting(i).toStringRef();
}

std::vector<int64_t> OperatorCall::integers(size_t i) const
{
    std::vector<int64_t> values;
    if (at(i).isList) {
        for (const TracedValue& part : at(i).list) {
            if (part.constant != part.other)
                refuse("one of its settings depends on the number of images");
            values.push_back(part.constant.toInt());
        }
        return values;
    }
    const c10::IValue& value = setting(i);
    return value.isInt() ? std::vector{value.toInt()} : value.toIntVector();
}

int64_t OperatorCall::axis(size_t i, size_t rank) const
{
    const int64_t value = integer(i);
    return value < 0 ? value + int64_t(rank) : value;
}

std::vector<int64_t> OperatorCall::axes(size_t i, size_t rank) const
{
    std::vector<int64_t> all = isNone(i) ? std::vector<int64_t>() : integers(i);
    for (int64_t& axis : all)
        axis = axis < 0 ? axis + int64_t(rank) : axis;
    if (all.empty())
        for (size_t axis = 0; axis < rank; ++axis)
            all.push_back(int64_t(axis));
    return all;
}

void OperatorCall::refuse(const std::string& why) const
{
    throw Unsupported("", "its operator `" + m_name + "` cannot be exported: " + why);
}

OperatorEmitter findOperator(const std::string& name)
{
    for (const OperatorTable* table :
         {&elementwiseOperators(), &productOperators(), &reductionOperators(), &shapeOperators()})
        if (const auto found = table->find(name); found != table->end())
            return found->second;
    return nullptr;
}

}
