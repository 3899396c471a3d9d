// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "core/run/observers.h"

#include <ATen/ATen.h>

#include <functional>
#include <stop_token>
#include <string>

/// Shared by the instruments of this folder: an input as one tensor, and observed forward passes.
namespace attnscope {

/// The measured view of an input, as a batch of one. Throws FileError, UsageError.
NetworkInput openMeasuredView(const InputSource& source, const Classifier& classifier);

/// Calls back after every layer's attention.
class LayerVisitor : public StoppableObserver {
public:
    using Visit = std::function<void(std::int64_t layer, const AttentionInput& input, const at::Tensor& output)>;

    LayerVisitor(std::stop_token stop, Visit visit);
    void afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output) override;

private:
    Visit m_visit;
};

}  // namespace attnscope
