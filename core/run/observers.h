#pragma once

#include "core/base/error.h"
#include "core/run/classifier.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

inline void checkStop(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw Cancelled();
}

/// Aborts a forward pass at the next layer when the user requests a stop.
class StoppableObserver : public ForwardObserver {
public:
    explicit StoppableObserver(std::stop_token stop)
        : m_stop(std::move(stop))
    {}
    void beforeAttention(int64_t) override { checkStop(m_stop); }

private:
    std::stop_token m_stop;
};

/// Calls back around every layer's attention: what measures, or passes q, k, v to other backends ("teacher-forced").
class LayerVisitor : public StoppableObserver {
public:
    using Visit = std::function<void(int64_t layer, const AttentionInput& input, const at::Tensor& output)>;

    /// `after` and, unless it is empty, `before` the attention.
    LayerVisitor(std::stop_token stop, Visit after, std::function<void(int64_t layer)> before = {});
    void beforeAttention(int64_t layer) override;
    void afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor& output) override;
    void onMerging(int64_t layer, const TokenMerger& merger) override;

    /// Also call back where tokens have merged.
    void whenMerged(std::function<void(int64_t layer, const TokenMerger& merger)> visit)
    {
        m_merged = std::move(visit);
    }

private:
    std::function<void(int64_t layer, const TokenMerger& merger)> m_merged;
    Visit m_after;
    std::function<void(int64_t layer)> m_before;
};

/// Adds what has merged so far, of the batch's first element.
void take(const TokenMerger& merger, MergedTokens& merged);

/// Whether an activation is the output of a block: "block.7", or "block2.0" in a network with stages, but not "block.7.attn".
bool isBlockOutput(const std::string& name);

/// ‖x − reference‖_F / ‖reference‖_F.
double relativeDrift(const at::Tensor& value, const at::Tensor& reference);

/// Stores the output of every block, or compares it with that of another pass.
class BlockObserver : public StoppableObserver {
public:
    BlockObserver(std::stop_token stop, const std::vector<at::Tensor>* reference);
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override;

    const std::vector<at::Tensor>& blocks() const { return m_blocks; }
    /// ‖x − reference‖_F / ‖reference‖_F of each block's output.
    const std::vector<double>& drift() const { return m_drift; }

private:
    const std::vector<at::Tensor>* m_reference;
    std::vector<at::Tensor> m_blocks;
    std::vector<double> m_drift;
};

/// Collects the logits (B,classes) of the exit behind each readable block. The tokens themselves are not kept.
class ExitObserver : public StoppableObserver {
public:
    ExitObserver(std::stop_token stop, const Classifier& classifier);
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override;

    const std::vector<at::Tensor>& logits() const { return m_logits; }

private:
    const Classifier& m_classifier;
    std::vector<std::string> m_blocks;
    std::vector<at::Tensor> m_logits;
};

}
