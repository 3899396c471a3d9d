#include "core/evaluate/device/device_queue.h"

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace attnscope {

namespace {

/// By LibTorch's interface to streams of any device, which needs no headers of CUDA. Passes are on the current stream.
class GpuQueue : public DeviceQueue {
public:
    explicit GpuQueue(const at::Device& device)
        : m_device(device)
        , m_guard(device.type())
        , m_uploads(m_guard.getStreamFromGlobalPool(device))
    {}

    bool isAsynchronous() const override { return true; }

    at::Tensor upload(const std::function<at::Tensor()>& work) override
    {
        const c10::Stream passes = m_guard.getStream(m_device);
        const c10::StreamGuard guard(m_uploads);
        at::Tensor result = work();
        c10::Event done(m_device.type());
        done.record(m_uploads);
        done.block(passes);
        result.record_stream(passes);  // its memory is not used again before they are through
        return result;
    }

    std::function<at::Tensor()> download(const at::Tensor& result) override
    {
        at::Tensor host = at::empty(result.sizes(), at::TensorOptions(result.scalar_type()).pinned_memory(true));
        host.copy_(result, true);
        const auto done = std::make_shared<c10::Event>(m_device.type());
        done->record(m_guard.getStream(m_device));
        return [host, done] {
            done->synchronize();
            return host;
        };
    }

private:
    at::Device m_device;
    c10::impl::VirtualGuardImpl m_guard;
    c10::Stream m_uploads;
};

}

std::shared_ptr<DeviceQueue> deviceQueue(const at::Device& device)
{
    if (device.is_cuda())
        return std::make_shared<GpuQueue>(device);
    return std::make_shared<DeviceQueue>();
}

}
