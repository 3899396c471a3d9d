// Passes as CUDA graphs. Without torch's CUDA libraries there is no recorder.
#include "core/run/cuda_graph_pass.h"

#ifdef ATTNSCOPE_CUDA

#include "core/attention/numerics/kept_copies.h"
#include "core/base/error.h"
#include "core/run/observers.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <deque>
#include <utility>

namespace attnscope {

namespace {

using c10::cuda::CUDAStream;

/// A CUDA event on a stream. Within a graph it is recorded again by each launch.
class StreamEvent {
public:
    StreamEvent() { C10_CUDA_CHECK(cudaEventCreate(&m_event)); }
    ~StreamEvent() { C10_CUDA_CHECK_WARN(cudaEventDestroy(m_event)); }
    StreamEvent(const StreamEvent&) = delete;
    StreamEvent& operator=(const StreamEvent&) = delete;

    void record(const CUDAStream& stream) { C10_CUDA_CHECK(cudaEventRecord(m_event, stream)); }
    /// Records it while `stream` is captured, such that the host can read it.
    void recordInGraph(const CUDAStream& stream)
    {
        C10_CUDA_CHECK(cudaEventRecordWithFlags(m_event, stream, cudaEventRecordExternal));
    }
    double millisecondsUntil(const StreamEvent& later) const
    {
        float milliseconds = 0;
        C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, m_event, later.m_event));
        return double(milliseconds);
    }

private:
    cudaEvent_t m_event = nullptr;
};

class CapturedPass : public CudaGraphPass {
public:
    CapturedPass(const Classifier& classifier, const PreparedAttention& attention, const at::Tensor& input,
                 const std::stop_token& stop)
        : m_stream(c10::cuda::getStreamFromPool(false, input.device().index()))
        , m_input(input)
    {
        // Waits for work on other streams; what this one allocates is its own.
        C10_CUDA_CHECK(cudaDeviceSynchronize());
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        warmUp(classifier, attention, stop);
        record(classifier, attention, stop);
        m_copies.close();
    }

    PassTiming run() override
    {
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        m_begin.record(m_stream);
        m_graph.replay();
        m_end.record(m_stream);
        m_stream.synchronize();
        PassTiming timing{m_begin.millisecondsUntil(m_end), 0};
        for (size_t i = 0; i + 1 < m_events.size(); i += 2)
            timing.attentionMs += m_events[i].millisecondsUntil(m_events[i + 1]);
        return timing;
    }

    at::Tensor logits() const override { return m_logits; }

private:
    /// What is made once per stream (cuBLAS's workspace, random features, resized position embeddings, copies of the host's tensors) is made
    /// outside the graph.
    void warmUp(const Classifier& classifier, const PreparedAttention& attention, const std::stop_token& stop)
    {
        StoppableObserver observer(stop);
        for (int pass = 0; pass < 2; ++pass)
            classifier.logits(m_input, attention, &observer);
        m_stream.synchronize();
    }

    void record(const Classifier& classifier, const PreparedAttention& attention, const std::stop_token& stop)
    {
        // Other threads of the program may use the GPU meanwhile.
        m_graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
        try {
            const auto mark = [this] { m_events.emplace_back().recordInGraph(m_stream); };
            LayerVisitor observer(
                stop, [&](auto&&...) { mark(); }, [&](int64_t) { mark(); });
            m_logits = classifier.logits(m_input, attention, &observer);
        } catch (...) {
            endBroken();
            throw;
        }
        m_graph.capture_end();
    }

    /// Ends the capture, ignoring errors of the broken graph.
    void endBroken()
    {
        try {
            m_graph.capture_end();
        } catch (const c10::Error&) {
            (void)cudaGetLastError();  // clears the error
        }
    }

    CUDAStream m_stream;
    KeptCopies
        m_copies;  // open from the first pass of the warming up to the end of the capture; the graph reads them
    at::Tensor m_input, m_logits;
    std::deque<StreamEvent> m_events;  // of the attentions in the graph: begin, end, begin, end …
    StreamEvent m_begin, m_end;
    at::cuda::CUDAGraph m_graph;
};

}

PassRecorder passRecorder(const at::Device& device)
{
    if (!device.is_cuda())
        return {};
    return [](const Classifier& classifier, const PreparedAttention& attention, const at::Tensor& input,
              const std::stop_token& stop) {
        return std::make_unique<CapturedPass>(classifier, attention, input, stop);
    };
}

}

#else

namespace attnscope {

PassRecorder passRecorder(const at::Device&)
{
    return {};
}

}

#endif
