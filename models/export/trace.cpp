#include "models/export/trace.h"

#include <ATen/ops/empty_like_ops.h>
#include <ATen/ops/empty_ops.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/library.h>

#include <optional>
#include <string>

namespace attnscope {

namespace {

using torch::jit::Node;

/// While one lives, memory without content is not recorded: it is filled by pointers, and its content becomes a constant of the graph
/// when an operator takes it.
class WithoutEmptyTensors {
public:
    WithoutEmptyTensors()
        : m_quiet(&m_silence)
        , m_library(torch::Library::IMPL, "aten", c10::DispatchKey::Tracer, __FILE__, __LINE__)
    {
        m_library.impl("empty.memory_format", TORCH_FN(empty));
        m_library.impl("empty_like", TORCH_FN(emptyLike));
    }

private:
    /// LibTorch warns that an operator is replaced.
    struct Silence : c10::WarningHandler {
        void process(const c10::Warning&) override {}
    };

    static at::Tensor empty(c10::SymIntArrayRef sizes, std::optional<at::ScalarType> type,
                            std::optional<at::Layout> layout, std::optional<at::Device> device,
                            std::optional<bool> pinned, std::optional<at::MemoryFormat> format)
    {
        const at::tracer::impl::NoTracerDispatchMode unseen;
        return at::_ops::empty_memory_format::call(sizes, type, layout, device, pinned, format);
    }
    static at::Tensor emptyLike(const at::Tensor& like, std::optional<at::ScalarType> type,
                                std::optional<at::Layout> layout, std::optional<at::Device> device,
                                std::optional<bool> pinned, std::optional<at::MemoryFormat> format)
    {
        const at::tracer::impl::NoTracerDispatchMode unseen;
        return at::_ops::empty_like::call(like, type, layout, device, pinned, format);
    }

    Silence m_silence;
    c10::WarningUtils::WarningHandlerGuard m_quiet;
    torch::Library m_library;
};

/// Gives the operators that were recorded since the last event the name of the part that has just ended.
class ScopeObserver : public ForwardObserver {
public:
    void beforeAttention(int64_t layer) override { close("block." + std::to_string(layer) + ".attn"); }
    void afterAttention(int64_t layer, const AttentionInput&, const at::Tensor&) override
    {
        close("block." + std::to_string(layer) + ".attn/attention");
    }
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor&) override { close(name); }

    void close(const std::string& name)
    {
        const auto& state = torch::jit::tracer::getTracingState();
        if (state == nullptr)
            return;
        Node* const end = state->graph->return_node();
        const auto scope = c10::make_intrusive<torch::jit::Scope>()->push(c10::Symbol::scope(name));
        Node* node = m_last == nullptr ? *state->graph->nodes().begin() : m_last->next();
        for (; node != end; node = node->next()) {
            node->setScope(scope);
            m_last = node;
        }
    }

private:
    Node* m_last = nullptr;
};

}

at::Tensor differentiablePass(const Classifier& network, const PreparedAttention& prepared,
                              const at::Tensor& input, ForwardObserver* observer)
{
    const c10::InferenceMode normal(false);
    const at::AutoGradMode gradients(true);  // by which methods choose LibTorch's operators
    return network.logits(input.detach().clone().requires_grad_(), prepared, observer);
}

Trace traced(const Classifier& network, const PreparedAttention& prepared, const at::Tensor& input)
{
    const c10::InferenceMode normal(false);
    const at::AutoGradMode gradients(true);
    const WithoutEmptyTensors constants;
    const auto pass = [&](torch::jit::Stack inputs) {
        ScopeObserver scopes;
        auto out = network.logits(inputs.front().toTensor(), prepared, &scopes);
        scopes.close("head");
        return torch::jit::Stack{out};
    };
    const auto [state, outputs] = torch::jit::tracer::trace({input.detach().clone().requires_grad_()}, pass,
                                                            [](const at::Tensor&) { return std::string(); }, true,
                                                            false, nullptr, {});
    return {state->graph, input, outputs.front().toTensor().detach()};
}

at::Tensor replayed(const Trace& trace, const at::Tensor& input)
{
    const c10::InferenceMode normal(false);
    const at::NoGradGuard constants;
    torch::jit::Stack stack{input};
    const torch::jit::Code code(trace.graph, "network");
    torch::jit::InterpreterState(code).run(stack);
    return stack.front().toTensor();
}

}
