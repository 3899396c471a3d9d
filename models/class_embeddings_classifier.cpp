#include "models/class_embeddings.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "models/wrapped_classifier.h"

#include <cmath>
#include <sstream>
#include <utility>

namespace attnscope {

namespace {

/// Classifies by cosines.
class ZeroShotClassifier : public WrappedClassifier {
public:
    ZeroShotClassifier(std::shared_ptr<const Classifier> network, const ClassEmbeddings& embeddings)
        : WrappedClassifier(std::move(network))
        , m_classes(embeddings.classes)
        , m_hasHead(m_summary.classes > 0)
        , m_scale(embeddings.scale)
    {
        const at::Tensor rows =
            at::tensor(embeddings.values, at::kFloat).reshape({std::ssize(m_classes), embeddings.width});
        m_embeddings = unit(rows).to(m_network->device());
        m_summary.classes = std::ssize(m_classes);
        m_summary.macs += cost();
        std::ostringstream note;
        note << "its " << m_summary.classes << " classes are those of " << printable(embeddings.file)
             << ": the cosine of its " << (m_hasHead ? "output" : "features") << " with their embeddings, times "
             << m_scale;
        m_summary.load.notes.push_back(note.str());
    }

    std::vector<std::string> labels() const override { return m_classes; }
    int64_t weightBytes(const PreparedAttention& attention) const override
    {
        return m_network->weightBytes(attention) + int64_t(m_embeddings.nbytes());
    }
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                      ForwardObserver* observer = nullptr) const override
    {
        return classified(m_network->logits(input, attention, observer));
    }
    double multiplyAdds(const PreparedAttention& attention) const override
    {
        return m_network->multiplyAdds(attention) + cost();
    }
    Readout readOut(const at::Tensor& tokens) const override
    {
        const Readout read = m_network->readOut(tokens);
        return {read.features, classified(m_hasHead ? read.logits : read.features)};
    }
    /// Heads that were trained for exits predict other classes.
    bool hasExitHeads() const override { return false; }
    at::Tensor exitLogits(size_t, const at::Tensor& tokens) const override { return readOut(tokens).logits; }
    ExitCost exitCost(const PreparedAttention& attention) const override
    {
        ExitCost exits = m_network->exitCost(attention);
        exits.head += cost();
        return exits;
    }

private:
    /// torch.nn.functional.normalize.
    static at::Tensor unit(const at::Tensor& rows) { return rows / rows.norm(2, -1, true).clamp_min(1e-12); }
    /// (B,D) → (B,K).
    at::Tensor classified(const at::Tensor& output) const
    {
        return at::matmul(unit(output), m_embeddings.to(output.scalar_type()).t()) * m_scale;
    }
    double cost() const { return double(m_embeddings.numel()); }

    std::vector<std::string> m_classes;
    bool m_hasHead;
    double m_scale;
    at::Tensor m_embeddings;  // (K,D), rows of length 1
};

}

std::shared_ptr<const Classifier> withClassEmbeddings(std::shared_ptr<const Classifier> network,
                                                      const ClassEmbeddings& embeddings)
{
    const ModelSummary& model = network->describe();
    if (!model.classifierHeads.empty())
        throw Unsupported(model.name, "it has two heads, and class embeddings need one output",
                          "choose a model with one head, or without");
    const bool hasHead = model.classes > 0;
    const int64_t width = hasHead ? model.classes : model.features;
    if (embeddings.width != width)
        throw UsageError(embeddings.file,
                         "its embeddings have " + counted(embeddings.width, "number") + ", but "
                             + (hasHead ? "the head of " + model.name + " returns "
                                        : "the features of " + model.name + " have ")
                             + std::to_string(width),
                         "make them with the text encoder that was trained with this network");
    return std::make_shared<ZeroShotClassifier>(std::move(network), embeddings);
}

}
