// SPDX-License-Identifier: Apache-2.0
#include "models/class_embeddings.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "models/wrapped_classifier.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>
#include <utility>

namespace attnscope {

namespace {

constexpr const char* embeddingsForm = "give a safetensors file with one tensor (classes, width) and their names under `classes` in its header "
                                       "(docs/features.md)";

/// The names in a header: a JSON list of texts.
std::vector<std::string> classesIn(const Json& metadata, const std::string& file)
{
    const auto text = metadata.find("classes");
    if (text == metadata.end())
        throw FileError(file, "its header does not name the classes", embeddingsForm);
    const Json list = text->is_string() ? Json::parse(text->get<std::string>(), nullptr, false) : Json();
    if (!list.is_array() || !std::ranges::all_of(list, [](const Json& name) { return name.is_string(); }))
        throw FileError(file, "`classes` in its header is not a JSON list of names", embeddingsForm);
    std::vector<std::string> names;
    for (const Json& name : list)
        names.push_back(printable(name.get<std::string>()));
    return names;
}

double scaleIn(const Json& metadata, const std::string& file, double usual)
{
    const auto text = metadata.find("logit_scale");
    if (text == metadata.end())
        return usual;
    const auto scale = text->is_string() ? parseNumber<double>(text->get<std::string>()) : std::nullopt;
    if (!scale || !(*scale > 0) || !std::isfinite(*scale))
        throw FileError(file, "`logit_scale` in its header is not a positive number", "give what cosines are multiplied by, usually 100");
    return *scale;
}

void checkRows(const ClassEmbeddings& embeddings)
{
    for (std::size_t row = 0; row < embeddings.classes.size(); ++row) {
        const std::span<const float> values(embeddings.values.data() + row * static_cast<std::size_t>(embeddings.width),
                                            static_cast<std::size_t>(embeddings.width));
        const std::string& name = embeddings.classes[row];
        if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
            throw FileError(embeddings.file, "the embedding of class `" + name + "` is not finite", "write the file again");
        if (std::ranges::all_of(values, [](float value) { return value == 0; }))
            throw FileError(embeddings.file, "the embedding of class `" + name + "` has length 0, and no direction", "write the file again");
    }
}

/// Classifies by cosines.
class ZeroShotClassifier : public WrappedClassifier {
public:
    ZeroShotClassifier(std::shared_ptr<const Classifier> network, const ClassEmbeddings& embeddings)
        : WrappedClassifier(std::move(network))
        , m_classes(embeddings.classes)
        , m_hasHead(m_summary.classes > 0)
        , m_scale(embeddings.scale)
    {
        const at::Tensor rows = at::tensor(embeddings.values, at::kFloat).reshape({std::ssize(m_classes), embeddings.width});
        m_embeddings = unit(rows).to(m_network->device());
        m_summary.classes = std::ssize(m_classes);
        m_summary.macs += cost();
        std::ostringstream note;
        note << "its " << m_summary.classes << " classes are those of " << printable(embeddings.file) << ": the cosine of its "
             << (m_hasHead ? "output" : "features") << " with their embeddings, times " << m_scale;
        m_summary.load.notes.push_back(note.str());
    }

    [[nodiscard]] std::vector<std::string> labels() const override { return m_classes; }
    [[nodiscard]] std::int64_t weightBytes(const PreparedAttention& attention) const override
    {
        return m_network->weightBytes(attention) + static_cast<std::int64_t>(m_embeddings.nbytes());
    }
    [[nodiscard]]
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer = nullptr) const override
    {
        return classified(m_network->logits(input, attention, observer));
    }
    [[nodiscard]] double multiplyAdds(const PreparedAttention& attention) const override { return m_network->multiplyAdds(attention) + cost(); }
    [[nodiscard]] Readout readOut(const at::Tensor& tokens) const override
    {
        const Readout read = m_network->readOut(tokens);
        return {read.features, classified(m_hasHead ? read.logits : read.features)};
    }
    /// Heads that were trained for exits predict other classes.
    [[nodiscard]] bool hasExitHeads() const override { return false; }
    [[nodiscard]] at::Tensor exitLogits(std::size_t, const at::Tensor& tokens) const override { return readOut(tokens).logits; }
    [[nodiscard]] ExitCost exitCost(const PreparedAttention& attention) const override
    {
        ExitCost exits = m_network->exitCost(attention);
        exits.head += cost();
        return exits;
    }

private:
    /// torch.nn.functional.normalize.
    static at::Tensor unit(const at::Tensor& rows) { return rows / rows.norm(2, -1, true).clamp_min(1e-12); }
    /// (B,D) → (B,K).
    [[nodiscard]] at::Tensor classified(const at::Tensor& output) const
    {
        return at::matmul(unit(output), m_embeddings.to(output.scalar_type()).t()) * m_scale;
    }
    [[nodiscard]] double cost() const { return static_cast<double>(m_embeddings.numel()); }

    std::vector<std::string> m_classes;
    bool m_hasHead;
    double m_scale;
    at::Tensor m_embeddings;  // (K,D), rows of length 1
};

}  // namespace

ClassEmbeddings readClassEmbeddings(const std::filesystem::path& file, const Limits& limits)
{
    const StateDict state = readSafetensors(openFile(file), limits);
    ClassEmbeddings embeddings{.file = file.string()};
    if (state.tensors.size() != 1)
        throw FileError(embeddings.file, "it has " + counted(std::ssize(state.tensors), "tensor") + " instead of one", embeddingsForm);
    const StoredTensor& tensor = state.tensors.begin()->second;
    if (tensor.shape.size() != 2 || tensor.elements() == 0)
        throw FileError(embeddings.file, "its tensor is not a table of classes and numbers", embeddingsForm);
    embeddings.classes = classesIn(state.metadata, embeddings.file);
    if (std::ssize(embeddings.classes) != tensor.shape[0])
        throw FileError(embeddings.file, "its header has " + counted(std::ssize(embeddings.classes), "name") + " for "
                                                     + counted(tensor.shape[0], "row") + " of embeddings",
                        "give one name for each row");
    embeddings.scale = scaleIn(state.metadata, embeddings.file, embeddings.scale);
    embeddings.width = tensor.shape[1];
    embeddings.values = tensor.readFloat();
    checkRows(embeddings);
    return embeddings;
}

std::shared_ptr<const Classifier> withClassEmbeddings(std::shared_ptr<const Classifier> network, const ClassEmbeddings& embeddings)
{
    const ModelSummary& model = network->describe();
    if (!model.classifierHeads.empty())
        throw Unsupported(model.name, "it has two heads, and class embeddings need one output", "choose a model with one head, or without");
    const bool hasHead = model.classes > 0;
    const std::int64_t width = hasHead ? model.classes : model.features;
    if (embeddings.width != width)
        throw UsageError(embeddings.file, "its embeddings have " + counted(embeddings.width, "number") + ", but "
                                              + (hasHead ? "the head of " + model.name + " returns " : "the features of " + model.name + " have ")
                                              + std::to_string(width),
                         "make them with the text encoder that was trained with this network");
    return std::make_shared<ZeroShotClassifier>(std::move(network), embeddings);
}

}  // namespace attnscope
