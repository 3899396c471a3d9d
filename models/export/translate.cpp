#include "models/export/translate.h"

#include "core/base/error.h"
#include "models/export/graph_builder.h"
#include "models/export/operator_call.h"

#include <ATen/core/stack.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace attnscope {

namespace {

using torch::jit::Node;
using JitValue = torch::jit::Value;

[[noreturn]] void refuseSteps()
{
    throw Unsupported("", "its steps depend on the image");
}

std::string scopeOf(Node& node)
{
    return node.scope()->isBlank() || node.scope()->isRoot()
               ? "network"
               : exportedScope(node.scope()->name().toUnqualString());
}

std::vector<int64_t> sizesOf(const JitValue& value)
{
    const auto type = value.type()->cast<c10::TensorType>();
    const auto sizes = type == nullptr ? std::nullopt : type->sizes().concrete_sizes();
    if (!sizes)
        throw std::logic_error("a traced tensor has no sizes");
    return *sizes;
}

/// The sizes of a tensor for every batch.
onnx::Shape shapeOf(const JitValue& two, const JitValue& three)
{
    const auto a = sizesOf(two), b = sizesOf(three);
    if (a.size() != b.size())
        refuseSteps();
    onnx::Shape shape;
    for (size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && 3 * a[i] != 2 * b[i])
            refuseSteps();
        shape.push_back(a[i] == b[i] ? onnx::Dimension{a[i], false} : onnx::Dimension{a[i] / 2, true});
    }
    return shape;
}

onnx::GraphBuilder::Output outputOf(const JitValue& two, const JitValue& three)
{
    const auto type = two.type()->cast<c10::TensorType>()->scalarType();
    return {elementType(type.value_or(at::kFloat)), shapeOf(two, three)};
}

const std::unordered_set<std::string>& viewingOperators()
{
    static const std::unordered_set<std::string> names{
        "aten::slice",     "aten::narrow",    "aten::select",  "aten::view",      "aten::reshape", "aten::flatten",
        "aten::unflatten", "aten::unsqueeze", "aten::squeeze", "aten::transpose", "aten::permute", "aten::t",
        "aten::expand",    "aten::chunk",     "aten::split",   "aten::unbind",    "aten::diagonal"};
    return names;
}

class Translator {
public:
    Translator(const Trace& two, const Trace& three, onnx::Model& model)
        : m_two(*two.graph)
        , m_three(*three.graph)
        , m_model(model)
        , m_graph(model)
    {}

    void run(const std::string& outputName)
    {
        const JitValue& input = *m_two.inputs().front();
        m_values[&input].tensor = m_graph.input("image", onnx::ElementType::Float,
                                                shapeOf(input, *m_three.inputs().front()));
        auto other = m_three.nodes().begin();
        for (Node* node : m_two.nodes()) {
            if (other == m_three.nodes().end() || other->kind() != node->kind()
                || other->inputs().size() != node->inputs().size())
                refuseSteps();
            translate(*node, **other);
            ++other;
        }
        if (other != m_three.nodes().end())
            refuseSteps();
        m_graph.enter("");
        const TracedValue& output = m_values.at(m_two.outputs().front());
        if (!output.tensor)
            throw Unsupported("", "its output does not depend on the image");
        m_graph.output(outputName, *output.tensor);
        dropUnused();
    }

private:
    void translate(Node& node, Node& other)
    {
        if (node.kind() == c10::prim::Constant)
            return setConstant(*node.output(), torch::jit::toIValue(node.output()).value_or(c10::IValue()),
                               torch::jit::toIValue(other.output()).value_or(c10::IValue()));
        std::vector<const TracedValue*> arguments;
        bool depends = false;
        for (const JitValue* input : node.inputs()) {
            arguments.push_back(&m_values.at(input));
            depends = depends || arguments.back()->dependsOnInput();
        }
        if (node.kind() == c10::prim::ListConstruct || node.kind() == c10::prim::TupleConstruct) {
            TracedValue& made = m_values[node.output()];
            made.isList = true;
            for (const TracedValue* argument : arguments)
                made.list.push_back(*argument);
        } else if (node.kind() == c10::prim::ListUnpack || node.kind() == c10::prim::TupleUnpack) {
            for (size_t i = 0; i < node.outputs().size(); ++i)
                m_values[node.outputs()[i]] = arguments.front()->list.at(i);
        } else if (depends) {
            emit(node, other, std::move(arguments));
        } else {
            compute(node, arguments);
        }
    }

    void setConstant(const JitValue& value, c10::IValue two, c10::IValue three)
    {
        TracedValue& constant = m_values[&value];
        constant.constant = std::move(two);
        constant.other = std::move(three);
    }

    /// A list of constants as one value.
    static c10::IValue whole(const TracedValue& value, const c10::TypePtr& type, bool other)
    {
        if (!value.isList)
            return other ? value.other : value.constant;
        auto list = c10::impl::GenericList(type->expectRef<c10::ListType>().getElementType());
        for (const TracedValue& part : value.list)
            list.push_back(other ? part.other : part.constant);
        return list;
    }

    /// An operator of constants is computed, in both traces.
    void compute(Node& node, const std::vector<const TracedValue*>& arguments)
    {
        std::vector<std::vector<c10::IValue>> results;
        for (const bool other : {false, true}) {
            torch::jit::Stack stack;
            for (size_t i = 0; i < arguments.size(); ++i)
                stack.push_back(whole(*arguments[i], node.inputs()[i]->type(), other));
            node.getOperation()(stack);
            results.push_back(std::move(stack));
        }
        for (size_t i = 0; i < node.outputs().size(); ++i) {
            TracedValue& value = m_values[node.outputs()[i]];
            value.constant = results[0].at(i), value.other = results[1].at(i);
            if (!value.constant.isList() || value.constant.isIntList() || value.constant.isDoubleList()
                || value.constant.isBoolList())
                continue;
            value.isList = true;
            const auto two = value.constant.toListRef(), three = value.other.toListRef();
            for (size_t j = 0; j < two.size(); ++j)
                value.list.push_back({.tensor = {},
                                      .constant = two[j],
                                      .other = three[j],
                                      .isList = false,
                                      .list = {},
                                      .isView = false});
        }
    }

    /// What a list of tensors is unpacked to says how many there are, and of what sizes.
    static std::vector<onnx::GraphBuilder::Output> outputsOf(Node& node, Node& other)
    {
        const auto* from = &node;
        const auto* otherFrom = &other;
        if (node.outputs().size() == 1 && node.output()->type()->kind() == c10::TypeKind::ListType) {
            if (node.output()->uses().size() != 1
                || node.output()->uses().front().user->kind() != c10::prim::ListUnpack)
                throw std::logic_error("a traced list of tensors is not unpacked");
            from = node.output()->uses().front().user;
            otherFrom = other.output()->uses().front().user;
        }
        std::vector<onnx::GraphBuilder::Output> outputs;
        for (size_t i = 0; i < from->outputs().size(); ++i)
            outputs.push_back(outputOf(*from->outputs()[i], *otherFrom->outputs()[i]));
        return outputs;
    }

    void emit(Node& node, Node& other, std::vector<const TracedValue*> arguments)
    {
        const std::string name = node.kind().toQualString();
        OperatorEmitter emitter = findOperator(name);
        const bool inPlace = name.ends_with("_") && !name.ends_with("__");
        if (emitter == nullptr && inPlace)
            emitter = findOperator(name.substr(0, name.size() - 1));
        if (emitter == nullptr)
            throw Unsupported("", "its operator `" + name + "` has no counterpart in ONNX");
        if (inPlace && arguments.front()->isView)
            throw Unsupported("", "its operator `" + name + "` writes into a part of a tensor");
        m_graph.enter(scopeOf(node));
        OperatorCall call(m_graph, name, std::move(arguments), outputsOf(node, other));
        const std::vector<onnx::Value> values = emitter(call);
        const bool isView = viewingOperators().contains(name);
        const bool isList = node.outputs().size() == 1 && node.output()->type()->kind() == c10::TypeKind::ListType;
        for (size_t i = 0; i < (isList ? values.size() : node.outputs().size()); ++i) {
            if (values.at(i).shape != call.shape(i))
                throw std::logic_error("`" + name + "` was exported with another shape than it has");
            TracedValue made{
                .tensor = values[i], .constant = {}, .other = {}, .isList = false, .list = {}, .isView = isView};
            if (isList) {
                m_values[node.output()].isList = true;
                m_values[node.output()].list.push_back(std::move(made));
            } else {
                m_values[node.outputs()[i]] = std::move(made);
            }
        }
    }

    /// Operators and constants that nothing needs: what was only observed.
    void dropUnused()
    {
        std::set<std::string> used;
        for (const onnx::Port& output : m_model.outputs)
            used.insert(output.name);
        std::vector<onnx::Node> kept;
        for (onnx::Node& node : std::views::reverse(m_model.nodes)) {
            if (std::ranges::none_of(node.outputs, [&](const std::string& name) { return used.contains(name); }))
                continue;
            used.insert(node.inputs.begin(), node.inputs.end());
            kept.push_back(std::move(node));
        }
        std::ranges::reverse(kept);
        m_model.nodes = std::move(kept);
        std::erase_if(m_model.initializers,
                      [&](const onnx::Initializer& one) { return !used.contains(one.name); });
    }

    torch::jit::Graph& m_two;
    torch::jit::Graph& m_three;
    onnx::Model& m_model;
    onnx::GraphBuilder m_graph;
    std::unordered_map<const JitValue*, TracedValue> m_values;
};

}

std::string exportedScope(const std::string& scope)
{
    return scope.starts_with("block.") ? "blocks" + scope.substr(5) : scope;
}

void translate(const Trace& two, const Trace& three, const std::string& outputName, onnx::Model& model)
{
    const c10::InferenceMode normal(false);
    const at::NoGradGuard constants;
    Translator(two, three, model).run(outputName);
}

}
