#pragma once

#include "models/export/onnx_model.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnscope::onnx {

/// A size that is the same for every batch, or `size` times the number of elements of a batch.
struct Dimension {
    int64_t size = 1;
    bool perElement = false;

    bool operator==(const Dimension&) const = default;
    bool isOne() const { return size == 1 && !perElement; }
};

using Shape = std::vector<Dimension>;

Shape staticShape(std::span<const int64_t> sizes);

/// The index of the dimension that grows with the batch; empty: there is none.
std::optional<size_t> batchAxis(const Shape& shape);

/// A tensor of the network under construction: its name in the file, and what is known of it.
struct Value {
    std::string name;
    ElementType type = ElementType::Float;
    Shape shape;
};

/// Builds a network operator by operator. Operators are named by the scope that they are added in: "blocks.3.attn/softmax/MatMul_4". One
/// output each, unless `addSeveral` is used.
class GraphBuilder {
public:
    explicit GraphBuilder(Model& model)
        : m_model(model)
    {}

    /// The part of the network that the following operators belong to.
    void enter(std::string scope) { m_scope = std::move(scope); }
    const std::string& scope() const { return m_scope; }

    Value input(const std::string& name, ElementType type, Shape shape);
    /// Under a name of its own.
    void output(const std::string& name, const Value& value);

    using Attributes = std::vector<std::pair<std::string, Attribute>>;
    Value add(const std::string& op, const std::vector<Value>& inputs, ElementType type, Shape shape,
              Attributes attributes = {});
    /// An operator with several outputs, of which each has a type and a shape.
    struct Output {
        ElementType type = ElementType::Float;
        Shape shape;
    };
    std::vector<Value> addSeveral(const std::string& op, const std::vector<Value>& inputs,
                                  const std::vector<Output>& outputs, Attributes attributes = {});

    /// Constants; equal ones are stored once.
    Value integers(const std::vector<int64_t>& values);
    Value integer(int64_t value);
    Value real(double value);
    Value truth(bool value);
    /// Bytes that belong to `owner`. `name` is a hint.
    Value constant(const std::string& name, ElementType type, const std::vector<int64_t>& shape,
                   std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

    // The operators that others are made of.
    Value reshape(const Value& x, Shape shape);
    /// Broadcasts to `shape`, where sizes of 1 are to grow.
    Value expand(const Value& x, Shape shape);
    Value transpose(const Value& x, const std::vector<int64_t>& order);
    Value cast(const Value& x, ElementType type);
    /// An operator on one tensor, or on two that broadcast.
    Value unary(const std::string& op, const Value& x) { return add(op, {x}, x.type, x.shape); }
    Value binary(const std::string& op, const Value& a, const Value& b);
    /// The same with a result of another type: comparisons.
    Value compare(const std::string& op, const Value& a, const Value& b);
    /// ReduceSum and the like over `axes`, from 0.
    Value reduce(const std::string& op, const Value& x, const std::vector<int64_t>& axes, bool keep);
    Value slice(const Value& x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
    Value concat(const std::vector<Value>& parts, int64_t axis);
    Value gather(const Value& x, const Value& indices, int64_t axis);

private:
    /// `shape` as a tensor that is computed where it grows with the batch.
    Value sizesOf(const Shape& shape);
    Value stored(const std::string& hint, ElementType type, const std::vector<int64_t>& shape, std::string bytes);
    std::string uniqueName(const std::string& op);

    Model& m_model;
    std::string m_scope;
    std::map<std::string, int64_t> m_counts;
    std::unordered_multimap<size_t, size_t> m_constants;  // of a hash of their bytes
    std::optional<Value> m_input, m_batch;
};

/// What broadcasting makes of two shapes.
Shape broadcast(const Shape& a, const Shape& b);

}
