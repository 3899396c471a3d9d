#include "models/export/graph_builder.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace attnscope::onnx {

Shape staticShape(std::span<const int64_t> sizes)
{
    Shape shape;
    for (const int64_t size : sizes)
        shape.push_back({size, false});
    return shape;
}

std::optional<size_t> batchAxis(const Shape& shape)
{
    const auto found = std::ranges::find_if(shape, &Dimension::perElement);
    return found == shape.end() ? std::nullopt : std::optional(size_t(found - shape.begin()));
}

Shape broadcast(const Shape& a, const Shape& b)
{
    const size_t rank = std::max(a.size(), b.size());
    Shape out(rank);
    for (size_t i = 0; i < rank; ++i) {  // from the last axis
        const Dimension one = i < a.size() ? a[a.size() - 1 - i] : Dimension{};
        const Dimension other = i < b.size() ? b[b.size() - 1 - i] : Dimension{};
        if (one != other && !one.isOne() && !other.isOne())
            throw std::logic_error("two tensors of an exported network do not broadcast");
        out[rank - 1 - i] = one.isOne() ? other : one;
    }
    return out;
}

std::string GraphBuilder::uniqueName(const std::string& op)
{
    const std::string stem = m_scope.empty() ? op : m_scope + "/" + op;
    const int64_t count = m_counts[stem]++;
    return count == 0 ? stem : stem + "_" + std::to_string(count);
}

Value GraphBuilder::input(const std::string& name, ElementType type, Shape shape)
{
    Port port{name, type, {}};
    for (const Dimension& size : shape) {
        if (size.perElement)
            port.shape.emplace_back("batch");
        else
            port.shape.emplace_back(size.size);
    }
    m_model.inputs.push_back(port);
    Value value{name, type, std::move(shape)};
    if (!m_input)
        m_input = value;
    return value;
}

void GraphBuilder::output(const std::string& name, const Value& value)
{
    Port port{name, value.type, {}};
    for (const Dimension& size : value.shape) {
        if (size.perElement)
            port.shape.emplace_back("batch");
        else
            port.shape.emplace_back(size.size);
    }
    m_model.outputs.push_back(port);
    m_model.nodes.push_back({name, "Identity", {value.name}, {name}, {}});
}

std::vector<Value> GraphBuilder::addSeveral(const std::string& op, const std::vector<Value>& inputs,
                                            const std::vector<Output>& outputs, Attributes attributes)
{
    Node node{.name = uniqueName(op), .op = op, .inputs = {}, .outputs = {}, .attributes = std::move(attributes)};
    for (const Value& input : inputs)
        node.inputs.push_back(input.name);
    std::vector<Value> values;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const std::string name = outputs.size() == 1 ? node.name + ":0" : node.name + ":" + std::to_string(i);
        node.outputs.push_back(name);
        values.push_back({name, outputs[i].type, outputs[i].shape});
    }
    m_model.nodes.push_back(std::move(node));
    return values;
}

Value GraphBuilder::add(const std::string& op, const std::vector<Value>& inputs, ElementType type, Shape shape,
                        Attributes attributes)
{
    return addSeveral(op, inputs, {{type, std::move(shape)}}, std::move(attributes)).front();
}

Value GraphBuilder::stored(const std::string& hint, ElementType type, const std::vector<int64_t>& shape,
                           std::string bytes)
{
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return constant(hint, type, shape, std::as_bytes(std::span(*owner)), owner);
}

Value GraphBuilder::constant(const std::string& name, ElementType type, const std::vector<int64_t>& shape,
                             std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
{
    const size_t hash = std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (auto [found, end] = m_constants.equal_range(hash); found != end; ++found) {
        const Initializer& other = m_model.initializers[found->second];
        if (other.type == type && other.shape == shape && std::ranges::equal(other.bytes, bytes))
            return {other.name, type, staticShape(shape)};
    }
    const int64_t count = m_counts["constant " + name]++;
    const std::string unique = count == 0 ? name : name + "_" + std::to_string(count);
    m_constants.emplace(hash, m_model.initializers.size());
    m_model.initializers.push_back({unique, type, shape, bytes, std::move(owner)});
    return {unique, type, staticShape(shape)};
}

Value GraphBuilder::integers(const std::vector<int64_t>& values)
{
    std::string bytes(values.size() * sizeof(int64_t), '\0');
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return stored("sizes", ElementType::Int64, {int64_t(values.size())}, std::move(bytes));
}

Value GraphBuilder::integer(int64_t value)
{
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return stored("integer", ElementType::Int64, {}, std::move(bytes));
}

Value GraphBuilder::real(double value)
{
    const auto narrow = float(value);
    std::string bytes(sizeof narrow, '\0');
    std::memcpy(bytes.data(), &narrow, sizeof narrow);
    return stored("number", ElementType::Float, {}, std::move(bytes));
}

Value GraphBuilder::truth(bool value)
{
    return stored("truth", ElementType::Bool, {}, std::string(1, char(value ? 1 : 0)));
}

/// The number of elements of the batch comes from the network's input, once for all.
Value GraphBuilder::sizesOf(const Shape& shape)
{
    const auto axis = batchAxis(shape);
    std::vector<int64_t> before, after;
    for (size_t i = 0; i < shape.size(); ++i)
        (!axis || i < *axis ? before : after).push_back(shape[i].size);
    if (!axis)
        return integers(before);
    if (!m_batch) {
        const std::string scope = std::exchange(m_scope, "");
        const Value sizes = add("Shape", {*m_input}, ElementType::Int64, {{1, false}},
                                {{"start", int64_t{0}}, {"end", int64_t{1}}});
        m_batch = sizes;
        m_scope = scope;
    }
    after.erase(after.begin());
    std::vector<Value> parts;
    if (!before.empty())
        parts.push_back(integers(before));
    const int64_t factor = shape[*axis].size;
    parts.push_back(factor == 1 ? *m_batch : binary("Mul", *m_batch, integers({factor})));
    if (!after.empty())
        parts.push_back(integers(after));
    return parts.size() == 1 ? parts.front()
                             : add("Concat", parts, ElementType::Int64, {{int64_t(shape.size()), false}},
                                   {{"axis", int64_t{0}}});
}

Value GraphBuilder::reshape(const Value& x, Shape shape)
{
    if (x.shape == shape)
        return x;
    std::vector<int64_t> sizes;
    for (const Dimension& size : shape)
        sizes.push_back(size.perElement ? -1 : size.size);
    return add("Reshape", {x, integers(sizes)}, x.type, std::move(shape));
}

Value GraphBuilder::expand(const Value& x, Shape shape)
{
    if (x.shape == shape)
        return x;
    const Value sizes = sizesOf(shape);
    return add("Expand", {x, sizes}, x.type, std::move(shape));
}

Value GraphBuilder::transpose(const Value& x, const std::vector<int64_t>& order)
{
    if (std::ranges::is_sorted(order))
        return x;
    Shape shape;
    for (const int64_t axis : order)
        shape.push_back(x.shape.at(size_t(axis)));
    return add("Transpose", {x}, x.type, std::move(shape), {{"perm", order}});
}

Value GraphBuilder::cast(const Value& x, ElementType type)
{
    return x.type == type ? x : add("Cast", {x}, type, x.shape, {{"to", int64_t(type)}});
}

Value GraphBuilder::binary(const std::string& op, const Value& a, const Value& b)
{
    return add(op, {a, b}, a.type, broadcast(a.shape, b.shape));
}

Value GraphBuilder::compare(const std::string& op, const Value& a, const Value& b)
{
    return add(op, {a, b}, ElementType::Bool, broadcast(a.shape, b.shape));
}

Value GraphBuilder::reduce(const std::string& op, const Value& x, const std::vector<int64_t>& axes, bool keep)
{
    Shape shape;
    for (size_t i = 0; i < x.shape.size(); ++i) {
        const bool reduced = std::ranges::find(axes, int64_t(i)) != axes.end();
        if (!reduced)
            shape.push_back(x.shape[i]);
        else if (keep)
            shape.push_back({1, false});
    }
    return add(op, {x, integers(axes)}, x.type, std::move(shape), {{"keepdims", int64_t{keep ? 1 : 0}}});
}

Value GraphBuilder::slice(const Value& x, int64_t axis, int64_t begin, int64_t end, int64_t step)
{
    Shape shape = x.shape;
    Dimension& size = shape.at(size_t(axis));
    if (begin == 0 && step == 1 && !size.perElement && end >= size.size)
        return x;
    size.size = (end - begin + step - 1) / step;
    return add("Slice", {x, integers({begin}), integers({end}), integers({axis}), integers({step})}, x.type,
               std::move(shape));
}

Value GraphBuilder::concat(const std::vector<Value>& parts, int64_t axis)
{
    if (parts.size() == 1)
        return parts.front();
    Shape shape = parts.front().shape;
    Dimension& size = shape.at(size_t(axis));
    size.size = 0;
    for (const Value& part : parts)
        size.size += part.shape.at(size_t(axis)).size;
    return add("Concat", parts, parts.front().type, std::move(shape), {{"axis", axis}});
}

Value GraphBuilder::gather(const Value& x, const Value& indices, int64_t axis)
{
    Shape shape(x.shape.begin(), x.shape.begin() + axis);
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
    return add("Gather", {x, indices}, x.type, std::move(shape), {{"axis", axis}});
}

}
