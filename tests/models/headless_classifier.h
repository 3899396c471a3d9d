#pragma once

#include "core/run/classifier.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attnscope::test {

/// A network without its head: its output are the features that the head reads. Like BrokenClassifier it shows what others see of such a
/// network, whatever the family.
class HeadlessClassifier : public Classifier {
public:
    explicit HeadlessClassifier(std::shared_ptr<const Classifier> whole)
        : m_whole(std::move(whole))
        , m_summary(m_whole->describe())
    {
        m_summary.classes = 0;
        m_summary.classifierHeads.clear();
    }

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override { return m_whole->transform(); }
    at::Device device() const override { return m_whole->device(); }
    at::ScalarType dtype() const override { return m_whole->dtype(); }
    int64_t weightBytes(const PreparedAttention& attention) const override
    {
        return m_whole->weightBytes(attention);
    }
    bool takesPixels() const override { return m_whole->takesPixels(); }
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        return m_whole->prepare(spec, seed);
    }
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                      ForwardObserver* observer) const override
    {
        LastBlock last(m_whole->readableBlocks().back(), observer);
        m_whole->logits(input, attention, &last);
        return m_whole->readOut(last.tokens).features.to(at::kFloat);
    }
    double multiplyAdds(const PreparedAttention& attention) const override
    {
        return m_whole->multiplyAdds(attention);
    }
    AttentionShape attentionShape(int64_t layer) const override { return m_whole->attentionShape(layer); }
    void checkInput(const std::vector<int64_t>& shape) const override { m_whole->checkInput(shape); }
    std::vector<std::string> readableBlocks() const override { return m_whole->readableBlocks(); }
    Readout readOut(const at::Tensor& tokens) const override { return {m_whole->readOut(tokens).features, {}}; }
    std::optional<OutputTokens> outputTokens(const std::vector<int64_t>& shape) const override
    {
        return m_whole->outputTokens(shape);
    }

private:
    /// Keeps the tokens behind a block, and reports everything to another observer.
    class LastBlock : public ForwardObserver {
    public:
        LastBlock(std::string block, ForwardObserver* other)
            : m_block(std::move(block))
            , m_other(other)
        {}
        void beforeAttention(int64_t layer) override
        {
            if (m_other != nullptr)
                m_other->beforeAttention(layer);
        }
        void afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor& output) override
        {
            if (m_other != nullptr)
                m_other->afterAttention(layer, input, output);
        }
        bool seesActivations() const override { return true; }
        void onActivation(const std::string& name, const at::Tensor& value) override
        {
            if (name == m_block)
                tokens = value;
            if (m_other != nullptr)
                m_other->onActivation(name, value);
        }
        at::Tensor tokens;

    private:
        std::string m_block;
        ForwardObserver* m_other;
    };

    std::shared_ptr<const Classifier> m_whole;
    ModelSummary m_summary;
};

}
