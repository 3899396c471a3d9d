#pragma once

#include "models/export/graph_builder.h"

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace attnscope {

/// What a value of a traced graph has become: a tensor of the exported network, a constant, or a list of such.
struct TracedValue {
    std::optional<onnx::Value> tensor;
    /// In a trace with a batch of 2, and in one of 3: they differ in sizes alone.
    c10::IValue constant, other;
    bool isList = false;
    std::vector<TracedValue> list;
    bool isView = false;  ///< of another tensor's memory

    bool dependsOnInput() const;
};

/// One recorded operator on its way into the exported network: its arguments by number, as in LibTorch's schema, and what it made of them.
class OperatorCall {
public:
    OperatorCall(onnx::GraphBuilder& graph, std::string name, std::vector<const TracedValue*> arguments,
                 std::vector<onnx::GraphBuilder::Output> outputs);

    onnx::GraphBuilder& graph;

    const std::string& name() const { return m_name; }
    size_t count() const { return m_arguments.size(); }
    bool isNone(size_t i) const
    {
        return i >= count()
               || (!m_arguments[i]->tensor && !m_arguments[i]->isList && m_arguments[i]->constant.isNone());
    }
    bool isTensor(size_t i) const
    {
        return i < count() && (m_arguments[i]->tensor || m_arguments[i]->constant.isTensor());
    }

    /// Of a tensor or number.
    onnx::ElementType typeOf(size_t i) const;

    /// A tensor, or a number as one. A constant with equal rows for all elements of a batch has its whole shape.
    onnx::Value x(size_t i) const;
    /// The same as an operand: with one row for all elements, and in another type.
    onnx::Value operand(size_t i, onnx::ElementType type) const;
    std::vector<onnx::Value> list(size_t i) const;
    /// A list of tensors that may leave some out.
    std::vector<std::optional<onnx::Value>> optionalList(size_t i) const;
    /// The constant itself; null if it depends on the input.
    const at::Tensor* constant(size_t i) const;

    // Constants of other types. They throw if they depend on the size of the batch.
    int64_t integer(size_t i) const;
    double real(size_t i) const;
    bool flag(size_t i) const;
    std::string text(size_t i) const;
    std::vector<int64_t> integers(size_t i) const;
    int64_t integerOr(size_t i, int64_t fallback) const { return isNone(i) ? fallback : integer(i); }
    bool flagOr(size_t i, bool fallback) const { return isNone(i) ? fallback : flag(i); }
    /// An axis from 0, of a tensor with `rank` axes.
    int64_t axis(size_t i, size_t rank) const;
    /// Several; none, or an empty list, are all of them.
    std::vector<int64_t> axes(size_t i, size_t rank) const;

    /// What LibTorch made: its type and shape.
    const onnx::Shape& shape(size_t output = 0) const { return m_outputs.at(output).shape; }
    onnx::ElementType type(size_t output = 0) const { return m_outputs.at(output).type; }
    size_t outputs() const { return m_outputs.size(); }

    /// Throws Unsupported: the operator is none that a network file can have, or not in this form.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    const TracedValue& at(size_t i) const { return *m_arguments.at(i); }
    onnx::Value valueOf(const TracedValue& value, bool whole, std::optional<onnx::ElementType> type = {}) const;
    const c10::IValue& setting(size_t i) const;

    std::string m_name;
    std::vector<const TracedValue*> m_arguments;
    std::vector<onnx::GraphBuilder::Output> m_outputs;
};

/// Writes a recorded operator in terms of those of the exported network.
using OperatorEmitter = std::vector<onnx::Value> (*)(OperatorCall& call);
using OperatorTable = std::unordered_map<std::string, OperatorEmitter>;

/// Null if there is none of that name ("aten::matmul").
OperatorEmitter findOperator(const std::string& name);

/// The type of numbers in the exported network: float64 becomes float32, as all others are. Throws Unsupported for half precision.
onnx::ElementType elementType(at::ScalarType type);

/// A constant of the exported network: `name` is a hint.
onnx::Value storedConstant(onnx::GraphBuilder& graph, const at::Tensor& value, const std::string& name);

}
