// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace attnscope {

/// Several processes that work on one thing, each on its share. A single process is one too.
class Collective {
public:
    virtual ~Collective() = default;
    virtual std::int64_t rank() const { return 0; }
    virtual std::int64_t size() const { return 1; }
    /// Adds up each of these over all processes, in place. They have the same number of elements everywhere. Throws Error.
    virtual void sum(std::vector<at::Tensor>& tensors) { (void)tensors; }
    /// Gives all processes what the first has.
    virtual void broadcast(std::vector<at::Tensor>& tensors) { (void)tensors; }
    /// Adds up numbers over all processes.
    void sum(std::vector<double>& numbers);

    /// True everywhere as soon as it is true somewhere.
    bool any(bool here);
    /// This process cannot go on: the others are ended when it exits. To be called before its exception is reported; in the first
    /// process at once, in another only when the first has had the time to report.
    virtual void fail() {}

    bool isFirst() const { return rank() == 0; }
};

}  // namespace attnscope
