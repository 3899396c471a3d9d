#pragma once

#include "core/lab/layers/opened_input.h"
#include "core/lab/subject.h"

#include <c10/core/InferenceMode.h>

namespace attnscope {

/// Whether the layers of a file are computed at once, as the batch of a single layer, or one after the other.
enum class TensorLayers { Together, Apart };

/// A subject as a network: tensors are one whose layers' q, k and v are given and that has no output.
struct OpenedSubject {
    std::shared_ptr<const Classifier> network;
    std::vector<InputSource> inputs;
    std::string source;  ///< the model's name, the file, or "random numbers"
    double temperature = 1;
    bool isNetwork = true;

    /// What errors are relative to: exact attention over the network's own keys.
    AttentionSpec exact(uint64_t seed) const;
    RunReport begin(uint64_t seed) const;
    /// Throws UsageError if there are several.
    const InputSource& onlyInput() const;
    /// A report with a model for a network, without one for tensors.
    template <typename Report>
    void describe(Report& report, uint64_t seed) const
    {
        if (isNetwork)
            report.model = begin(seed);
        report.source = source;
        if constexpr (requires { report.temperature; })
            report.temperature = temperature;
    }
};

std::string nameOf(const LabSubject& subject);

/// Throws FileError for a file without q, k and v or whose grid does not fit its tokens, UsageError for sizes that cannot be created.
OpenedSubject openSubject(const LabSubject& subject, TensorLayers layers);

/// Does `work` on a subject; what LibTorch throws becomes Unsupported about it.
template <typename Work>
auto onSubject(const LabSubject& subject, const Work& work)
{
    const c10::InferenceMode guard;
    return guardTorch(nameOf(subject), work);
}

}
