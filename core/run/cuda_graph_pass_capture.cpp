// Passes as CUDA graphs.
#include "core/attention/numerics/kept_copies.h"
#include "core/device/cuda/cuda_support.h"
#include "core/run/cuda_graph_pass.h"
#include "core/run/observers.h"

#include <numeric>

namespace attnscope {

namespace {

class CapturedPass : public CudaGraphPass {
public:
    CapturedPass(std::unique_ptr<DeviceGraph> graph, const Classifier& classifier,
                 const PreparedAttention& attention, const at::Tensor& input, const std::stop_token& stop)
        : m_input(input)
        , m_graph(std::move(graph))
    {
        // What is made once per stream (cuBLAS's workspace, random features, resized position embeddings, copies of the host's tensors) is
        // made outside the graph.
        m_graph->run([&] {
            StoppableObserver observer(stop);
            for (int pass = 0; pass < 2; ++pass)
                classifier.logits(m_input, attention, &observer);
        });
        m_graph->record([&] {
            LayerVisitor observer(
                stop, [this](auto&&...) { m_graph->mark(); }, [this](int64_t) { m_graph->mark(); });
            m_logits = classifier.logits(m_input, attention, &observer);
        });
        m_copies.close();
    }

    PassTiming run() override
    {
        const DeviceGraph::Timing timing = m_graph->launch();
        return {timing.totalMs, std::accumulate(timing.betweenMarksMs.begin(), timing.betweenMarksMs.end(), 0.0)};
    }

    at::Tensor logits() const override { return m_logits; }

private:
    /// Open from the first pass of the warming up to the end of the capture; the graph reads them.
    KeptCopies m_copies;
    at::Tensor m_input, m_logits;
    std::unique_ptr<DeviceGraph> m_graph;
};

}

PassRecorder passRecorder(const at::Device& device)
{
    if (!device.is_cuda() || cudaSupport().library == nullptr)
        return {};
    return [gpu = device.index(), newGraph = cudaSupport().library->newGraph](
               const Classifier& classifier, const PreparedAttention& attention, const at::Tensor& input,
               const std::stop_token& stop) {
        return std::make_unique<CapturedPass>(newGraph(gpu), classifier, attention, input, stop);
    };
}

}
