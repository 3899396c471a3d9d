// SPDX-License-Identifier: Apache-2.0
// Passes as CUDA graphs. Without torch's CUDA libraries there is no recorder.
#include "core/run/cuda_graph_pass.h"

#ifdef ATTNSCOPE_CUDA

#    include "core/base/error.h"
#    include "core/run/observers.h"

#    include <ATen/cuda/CUDAGraph.h>
#    include <c10/cuda/CUDAException.h>
#    include <c10/cuda/CUDAGuard.h>
#    include <c10/cuda/CUDAStream.h>
#    include <cuda_runtime_api.h>

#    include <deque>
#    include <utility>

namespace attnscope {

namespace {

using c10::cuda::CUDAStream;

/// A moment on a stream. Inside a graph it is recorded anew by each launch.
class Moment {
public:
    Moment() { C10_CUDA_CHECK(cudaEventCreate(&m_event)); }
    ~Moment() { C10_CUDA_CHECK_WARN(cudaEventDestroy(m_event)); }
    Moment(const Moment&) = delete;
    Moment& operator=(const Moment&) = delete;

    void record(const CUDAStream& stream) { C10_CUDA_CHECK(cudaEventRecord(m_event, stream)); }
    /// While `stream` is recorded: the host may look at it.
    void recordInGraph(const CUDAStream& stream) { C10_CUDA_CHECK(cudaEventRecordWithFlags(m_event, stream, cudaEventRecordExternal)); }
    double millisecondsUntil(const Moment& later) const
    {
        float milliseconds = 0;
        C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, m_event, later.m_event));
        return static_cast<double>(milliseconds);
    }

private:
    cudaEvent_t m_event = nullptr;
};

/// Puts a moment before and behind the attention of each layer.
class AttentionMoments : public StoppableObserver {
public:
    AttentionMoments(std::stop_token stop, const CUDAStream& stream, std::deque<Moment>& moments)
        : StoppableObserver(std::move(stop))
        , m_stream(stream)
        , m_moments(moments)
    {}
    void beforeAttention(std::int64_t layer) override
    {
        StoppableObserver::beforeAttention(layer);
        m_moments.emplace_back().recordInGraph(m_stream);
    }
    void afterAttention(std::int64_t, const AttentionInput&, const at::Tensor&) override
    {
        m_moments.emplace_back().recordInGraph(m_stream);
    }

private:
    CUDAStream m_stream;
    std::deque<Moment>& m_moments;
};

class CapturedPass : public CudaGraphPass {
public:
    CapturedPass(const Classifier& classifier, const PreparedAttention& attention, const at::Tensor& input, const std::stop_token& stop)
        : m_stream(c10::cuda::getStreamFromPool(false, input.device().index()))
        , m_input(input)
    {
        // What other streams wrote must be there; what this one allocates is its own.
        C10_CUDA_CHECK(cudaDeviceSynchronize());
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        warmUp(classifier, attention, stop);
        record(classifier, attention, stop);
    }

    Lap run() override
    {
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        m_begin.record(m_stream);
        m_graph.replay();
        m_end.record(m_stream);
        m_stream.synchronize();
        Lap lap{m_begin.millisecondsUntil(m_end), 0};
        for (std::size_t i = 0; i + 1 < m_moments.size(); i += 2)
            lap.attentionMs += m_moments[i].millisecondsUntil(m_moments[i + 1]);
        return lap;
    }

    at::Tensor logits() const override { return m_logits; }

private:
    /// What is made once a stream (cuBLAS's workspace, drawn features, resized positions) is made outside of the graph.
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
            AttentionMoments observer(stop, m_stream, m_moments);
            m_logits = classifier.logits(m_input, attention, &observer);
        } catch (...) {
            endBroken();
            throw;
        }
        m_graph.capture_end();
    }

    /// The stream must not stay in recording; what that says of the broken graph is no news.
    void endBroken()
    {
        try {
            m_graph.capture_end();
        } catch (const c10::Error&) {
            (void)cudaGetLastError();  // forgets it
        }
    }

    CUDAStream m_stream;
    at::Tensor m_input, m_logits;
    std::deque<Moment> m_moments;  // of the attentions in the graph: begin, end, begin, end …
    Moment m_begin, m_end;
    at::cuda::CUDAGraph m_graph;
};

}  // namespace

PassRecorder passRecorder(const at::Device& device)
{
    if (!device.is_cuda())
        return {};
    return [](const Classifier& classifier, const PreparedAttention& attention, const at::Tensor& input, const std::stop_token& stop) {
        return std::make_unique<CapturedPass>(classifier, attention, input, stop);
    };
}

}  // namespace attnscope

#else

namespace attnscope {

PassRecorder passRecorder(const at::Device&)
{
    return {};
}

}  // namespace attnscope

#endif
