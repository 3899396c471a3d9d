#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <memory>

namespace attnscope {

/// How work gets to a device, and its results back. This one is for a processor, which does everything at once.
class DeviceQueue {
public:
    virtual ~DeviceQueue() = default;
    /// Whether the next batch can be queued before the results of one are there.
    virtual bool isAsynchronous() const { return false; }
    /// What `work` copies to the device, or computes there, for passes that are queued later; those before go on meanwhile.
    virtual at::Tensor upload(const std::function<at::Tensor()>& work) { return work(); }
    /// Queues the copy of a result to the CPU. The function that it returns waits for it, and throws what the device has met.
    virtual std::function<at::Tensor()> download(const at::Tensor& result)
    {
        return [host = result.cpu()] { return host; };
    }
};

std::shared_ptr<DeviceQueue> deviceQueue(const at::Device& device);

}
