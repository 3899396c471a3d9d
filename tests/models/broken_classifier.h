#pragma once

#include "core/run/classifier.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

namespace attnscope::test {

/// A network whose logits hold a NaN wherever a layer has the attention of this name, which is also the faster one: every other pass
/// takes 3 ms longer.
class BrokenClassifier : public Classifier {
public:
    BrokenClassifier(std::shared_ptr<const Classifier> sound, std::string broken)
        : m_sound(std::move(sound))
        , m_broken(std::move(broken))
    {}

    const ModelSummary& describe() const override { return m_sound->describe(); }
    Transform transform() const override { return m_sound->transform(); }
    at::Device device() const override { return m_sound->device(); }
    at::ScalarType dtype() const override { return m_sound->dtype(); }
    int64_t weightBytes(const PreparedAttention& attention) const override
    {
        return m_sound->weightBytes(attention);
    }
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        return m_sound->prepare(spec, seed);
    }
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                      ForwardObserver* observer) const override
    {
        at::Tensor logits = m_sound->logits(input, attention, observer).clone();
        bool broken = false;
        for (const auto& layer : attention.layers)
            broken = broken || layer->spec().backend() == m_broken;
        if (broken)
            logits.select(1, 0).fill_(std::nan(""));
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        return logits;
    }
    double multiplyAdds(const PreparedAttention& attention) const override
    {
        return m_sound->multiplyAdds(attention);
    }
    AttentionShape attentionShape(int64_t layer) const override { return m_sound->attentionShape(layer); }
    void checkInput(const std::vector<int64_t>& shape) const override { m_sound->checkInput(shape); }

private:
    std::shared_ptr<const Classifier> m_sound;
    std::string m_broken;
};

}
