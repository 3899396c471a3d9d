// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/device/torch_problem.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "core/run/observers.h"

#include <ATen/ATen.h>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

/// Shared by the instruments of this folder: an input as one tensor, and observed forward passes.
namespace attnscope {

/// The measured view of an input, as a batch of one. Throws FileError, UsageError.
NetworkInput openMeasuredView(const InputSource& source, const Classifier& classifier);

/// Hands the measured view of each input to `work`. Inputs for which that goes well are added to `inputs`, the others, with the reason, to
/// `unreadable`.
template <typename Work>
void forEachMeasuredView(const std::vector<InputSource>& sources, const Classifier& classifier, const Work& work,
                         std::vector<InputRecord>& inputs, std::vector<UnreadableInput>& unreadable)
{
    for (const InputSource& source : sources) {
        try {
            guardInput(source.path, [&] { work(openMeasuredView(source, classifier)); });
            inputs.push_back({.path = source.path, .kind = source.kind});
        } catch (const Error& error) {
            unreadable.push_back({source.path, error.reason()});
        }
    }
}

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
