// libattnscope-cuda.so: the only source of host code that knows CUDA.
#include "core/device/cuda/cuda_library.h"

#include "core/base/version.h"
#include "core/kernels/cuda/kernel_table.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <deque>

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

class CapturedGraph : public DeviceGraph {
public:
    explicit CapturedGraph(int gpu)
        : m_stream(c10::cuda::getStreamFromPool(false, c10::DeviceIndex(gpu)))
    {
        const c10::cuda::CUDAGuard guard(m_stream.device_index());
        C10_CUDA_CHECK(cudaDeviceSynchronize());
    }

    void run(const std::function<void()>& work) override
    {
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        work();
        m_stream.synchronize();
    }

    void record(const std::function<void()>& work) override
    {
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        m_graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
        try {
            work();
        } catch (...) {
            endBroken();
            throw;
        }
        m_graph.capture_end();
    }

    void mark() override { m_marks.emplace_back().recordInGraph(m_stream); }

    Timing launch() override
    {
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        m_begin.record(m_stream);
        m_graph.replay();
        m_end.record(m_stream);
        m_stream.synchronize();
        Timing timing{m_begin.millisecondsUntil(m_end), {}};
        for (size_t i = 0; i + 1 < m_marks.size(); i += 2)
            timing.betweenMarksMs.push_back(m_marks[i].millisecondsUntil(m_marks[i + 1]));
        return timing;
    }

private:
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
    std::deque<StreamEvent> m_marks;
    StreamEvent m_begin, m_end;
    at::cuda::CUDAGraph m_graph;
};

void* currentStreamOf(int gpu)
{
    return c10::cuda::getCurrentCUDAStream(c10::DeviceIndex(gpu)).stream();
}

std::unique_ptr<DeviceGraph> newGraph(int gpu)
{
    return std::make_unique<CapturedGraph>(gpu);
}

#ifdef ATTNSCOPE_CUDA_KERNELS
constexpr kernels::cuda::KernelTable kernelTable{
    &kernels::cuda::fits, &kernels::cuda::scratchSize, &kernels::cuda::run,      &kernels::cuda::run,
    &kernels::cuda::run,  &kernels::cuda::run,         &kernels::cuda::errorText};
constexpr const kernels::cuda::KernelTable* ownKernels = &kernelTable;
#else
constexpr const kernels::cuda::KernelTable* ownKernels = nullptr;
#endif

}

}

extern "C" __attribute__((visibility("default"))) const attnscope::CudaLibrary* attnscopeCudaLibrary()
{
    static const attnscope::CudaLibrary library{attnscope::version, attnscope::currentStreamOf,
                                                attnscope::newGraph, attnscope::ownKernels};
    return &library;
}
