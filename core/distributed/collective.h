#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace attnscope {

/// Several processes that divide their work. May also be a single process.
class Collective {
public:
    virtual ~Collective() = default;
    virtual int64_t rank() const { return 0; }
    virtual int64_t size() const { return 1; }
    /// Adds up each of these over all processes, in place. They must have the same sizes everywhere. Throws Error.
    virtual void sum(std::vector<at::Tensor>& tensors) { (void)tensors; }
    /// Copies the first process's values to all.
    virtual void broadcast(std::vector<at::Tensor>& tensors) { (void)tensors; }
    /// Adds up numbers over all processes.
    void sum(std::vector<double>& numbers);

    /// Numbers that one process sent to another.
    struct Message {
        int64_t from = 0;
        std::vector<double> numbers;
    };
    /// Begins to send numbers to one process, which receives what this one sends in order. Throws Error.
    virtual void send(int64_t to, const std::vector<double>& numbers) { (void)to, (void)numbers; }
    /// The next message that has arrived, from any process; does not wait for one. Throws Error.
    virtual std::optional<Message> receive() { return std::nullopt; }

    /// True everywhere if it is true in any process.
    bool any(bool here);
    /// This process can't continue: the others are terminated when it exits. To be called before its exception is reported; in the first
    /// process immediately, in another only after the first has had time to report.
    virtual void fail() {}
    /// Other processes are lost: when this one ends, it ends the rest instead of waiting for all.
    virtual void abandon() {}

    bool isFirst() const { return rank() == 0; }
};

/// Exchanges tensors through one contiguous buffer on this device, of float64 if the first has that type, else of float32: one message
/// instead of hundreds, wherever they are. Copies them in, calls `exchange` with it, and copies the result back.
void throughOneBuffer(std::vector<at::Tensor>& tensors, at::Device device,
                      const std::function<void(const at::Tensor& buffer)>& exchange);

}
