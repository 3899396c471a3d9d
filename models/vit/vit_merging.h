#pragma once

#include "core/attention/training_free/token_merging.h"
#include "core/run/classifier.h"
#include "models/vit/vit_description.h"

#include <string>

/// Token merging in a plain vision transformer.
namespace attnscope {

/// Throws UsageError if tokens are to merge that can't, and notes how many are left.
void checkMerging(const VitDescription& description, PreparedAttention& prepared);

/// Shows another observer a pass in which tokens merge: activations with one row for each of the first tokens.
class UnmergingObserver : public ForwardObserver {
public:
    /// `seen` may be null as long as nothing is observed.
    UnmergingObserver(ForwardObserver* seen, const TokenMerger& merger)
        : m_seen(seen)
        , m_merger(merger)
    {}

    void beforeAttention(int64_t layer) override { m_seen->beforeAttention(layer); }
    void afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor& output) override
    {
        m_seen->afterAttention(layer, input, output);
    }
    bool seesActivations() const override { return m_seen->seesActivations(); }
    void onActivation(const std::string& name, const at::Tensor& value) override
    {
        m_seen->onActivation(name, m_merger.unmerged(value));
    }
    void onMerging(int64_t layer, const TokenMerger& merger) override { m_seen->onMerging(layer, merger); }

private:
    ForwardObserver* m_seen;
    const TokenMerger& m_merger;
};

}
