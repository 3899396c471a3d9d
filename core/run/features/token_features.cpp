#include "core/run/features/token_features.h"

#include "core/base/error.h"
#include "core/measure/feature_similarity.h"

namespace attnscope {

namespace {

at::Tensor atLeastFloat(const at::Tensor& values)
{
    return values.scalar_type() == at::kDouble ? values : values.to(at::kFloat);
}

/// (C,H,W) or (C,T,H,W) of a batch, which may be one of pixels (B,H,W,3).
std::vector<int64_t> elementShape(const at::Tensor& input)
{
    if (input.scalar_type() == at::kByte)
        return {input.size(3), input.size(1), input.size(2)};
    return input.sizes().slice(1).vec();
}

bool readsToken(FeatureKind kind)
{
    return kind == FeatureKind::Token || kind == FeatureKind::TokenAvg;
}

Unsupported withoutToken(const std::string& model)
{
    return {model, "it has no class token", "use the features avg or pooled"};
}

Unsupported withoutPatches(const std::string& model)
{
    return {model, "its patches are not known", "use the features pooled"};
}

/// A reference without blocks: nothing is compared.
const std::vector<at::Tensor> noBlocks;

}

at::Tensor TokenFeatures::of(FeatureKind kind) const
{
    if (kind == FeatureKind::Pooled)
        return pooled;
    if (readsToken(kind) && !token.defined())
        throw withoutToken({});
    if (kind == FeatureKind::Token)
        return token;
    if (!patches.defined())
        throw withoutPatches({});
    const at::Tensor avg = patches.mean(1);
    return kind == FeatureKind::Avg ? avg : at::cat({token, avg}, 1);
}

void requireFeatures(const Classifier& classifier, FeatureKind kind)
{
    const ModelSummary& model = classifier.describe();
    if (kind == FeatureKind::Pooled) {
        if (model.classes > 0 && classifier.readableBlocks().empty())
            throw Unsupported(model.name, "its features in front of the head are not known",
                              "choose a model of another family");
        return;
    }
    const auto tokens = classifier.outputTokens(model.input);
    if (!tokens)
        throw withoutPatches(model.name);
    if (readsToken(kind) && !tokens->classToken)
        throw withoutToken(model.name);
}

FeatureObserver::FeatureObserver(std::stop_token stop, const std::vector<at::Tensor>* reference,
                                 const std::vector<at::Tensor>* tokens)
    : BlockObserver(std::move(stop), reference)
    , m_tokens(tokens)
{}

FeatureObserver::FeatureObserver(std::stop_token stop)
    : FeatureObserver(std::move(stop), &noBlocks)
{}

void FeatureObserver::onActivation(const std::string& name, const at::Tensor& value)
{
    BlockObserver::onActivation(name, value);
    if (isBlockOutput(name)) {
        m_block = m_normed = value;
        if (m_tokens != nullptr && m_cosines.size() < m_tokens->size())
            m_cosines.push_back(doublesOf(cosines(value[0], (*m_tokens)[m_cosines.size()][0])));
    } else if (name.starts_with("norm") && m_block.defined()) {
        m_normed = value;
    }
}

TokenFeatures FeatureObserver::features(const Classifier& classifier, const at::Tensor& input,
                                        const at::Tensor& output) const
{
    TokenFeatures features;
    features.pooled = atLeastFloat(classifier.describe().classes == 0 ? output
                                                                      : classifier.readOut(m_block).features);
    const auto rows = classifier.outputTokens(elementShape(input));
    if (!rows || !m_normed.defined() || m_normed.size(1) != rows->layout.count())
        return features;
    features.layout = rows->layout;
    features.patches = atLeastFloat(m_normed.slice(1, rows->layout.prefix));
    if (rows->classToken)
        features.token = atLeastFloat(m_normed.select(1, 0));
    return features;
}

TokenFeatures readFeatures(const Classifier& classifier, const PreparedAttention& attention,
                           const at::Tensor& input, const std::stop_token& stop)
{
    FeatureObserver observer(stop);
    const at::Tensor output = classifier.logits(input, attention, &observer);
    return observer.features(classifier, input, output);
}

}
