#include "core/run/predictions.h"

#include "core/base/error.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

/// Applies one function to each head's part of the last axis.
template <typename Function>
void forEachHead(const std::vector<int64_t>& heads, Function function)
{
    int64_t begin = 0;
    for (const int64_t classes : heads) {
        function(begin, begin + classes);
        begin += classes;
    }
}

}

std::vector<float> floatsOf(const at::Tensor& values)
{
    const auto flat = values.to(at::kCPU, at::kFloat).contiguous();
    return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

bool isFinite(const at::Tensor& logits)
{
    return logits.isfinite().all().item<bool>();
}

std::vector<int64_t> headsOf(const ModelSummary& model)
{
    if (model.classes == 0)
        return {};
    return model.classifierHeads.size() > 1 ? model.classifierHeads : std::vector{model.classes};
}

void requireClasses(const ModelSummary& model)
{
    if (model.classes == 0)
        throw Unsupported(model.name, "it has no head and so no classes",
                          "give class embeddings, or choose a model with a head");
}

at::Tensor probabilitiesOf(const at::Tensor& logits, const std::vector<int64_t>& heads)
{
    const auto wide = logits.to(at::kDouble);
    if (heads.size() == 1)
        return wide.softmax(-1);
    std::vector<at::Tensor> parts;
    forEachHead(heads,
                [&](int64_t begin, int64_t end) { parts.push_back(wide.slice(-1, begin, end).softmax(-1)); });
    return at::cat(parts, -1);
}

std::vector<Prediction> topClasses(const at::Tensor& probabilities, int64_t count,
                                   const std::vector<int64_t>& heads, const std::vector<std::string>& labels)
{
    std::vector<Prediction> top;
    forEachHead(heads, [&](int64_t begin, int64_t end) {
        const auto [values, indices] = probabilities.slice(-1, begin, end).topk(std::min(count, end - begin), -1);
        for (int64_t i = 0; i < values.size(-1); ++i) {
            Prediction prediction;
            prediction.index = begin + indices[i].item<int64_t>();
            prediction.probability = values[i].item<double>();
            if (size_t(prediction.index) < labels.size())
                prediction.label = labels[size_t(prediction.index)];
            top.push_back(std::move(prediction));
        }
    });
    return top;
}

std::vector<int64_t> firstClasses(const at::Tensor& logits, const std::vector<int64_t>& heads)
{
    std::vector<int64_t> first;
    forEachHead(heads, [&](int64_t begin, int64_t end) {
        const auto own = logits.slice(-1, begin, end);
        first.push_back(isFinite(own) ? begin + own.argmax(-1).item<int64_t>() : noClass);
    });
    return first;
}

bool sameFirstClasses(const at::Tensor& a, const at::Tensor& b, const std::vector<int64_t>& heads)
{
    const auto first = firstClasses(a, heads);
    return !first.empty() && std::ranges::find(first, noClass) == first.end() && first == firstClasses(b, heads);
}

double divergence(const at::Tensor& p, const at::Tensor& q, const std::vector<int64_t>& heads)
{
    if (heads.empty() || !isFinite(p) || !isFinite(q))
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    forEachHead(heads, [&](int64_t begin, int64_t end) {
        const auto logP = p.slice(-1, begin, end).to(at::kDouble).log_softmax(-1);
        const auto logQ = q.slice(-1, begin, end).to(at::kDouble).log_softmax(-1);
        sum += std::max(0.0, (logP.exp() * (logP - logQ)).sum().item<double>());
    });
    return sum;
}

ComparedClasses::ComparedClasses(std::vector<int64_t> heads, const std::vector<int64_t>& same)
    : m_heads(std::move(heads))
    , m_isOfOther(true)
{
    std::vector<int64_t> first, own;
    for (int64_t c = 0; c < std::ssize(same); ++c)
        if (same[size_t(c)] >= 0) {
            first.push_back(c);
            own.push_back(same[size_t(c)]);
        }
    m_ofFirst = at::tensor(first, at::kLong);
    m_same = at::tensor(own, at::kLong);
    if (m_heads.size() != 1 && first != own)
        m_ofFirst = m_same = at::empty({0}, at::kLong);  // heads are compared with their equals
}

double ComparedClasses::divergence(const at::Tensor& first, const at::Tensor& own) const
{
    if (!m_isOfOther)
        return attnscope::divergence(first, own, m_heads);
    if (count() == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return attnscope::divergence(first.cpu().index_select(-1, m_ofFirst), own.cpu().index_select(-1, m_same),
                                 m_heads.size() == 1 ? std::vector{count()} : m_heads);
}

bool ComparedClasses::agree(const at::Tensor& first, const at::Tensor& own) const
{
    if (!m_isOfOther)
        return sameFirstClasses(own, first, m_heads);
    if (count() == 0)
        return false;
    const auto heads = [this](const at::Tensor& logits) {
        return m_heads.size() == 1 ? std::vector{logits.size(-1)} : m_heads;
    };
    const auto theirs = firstClasses(first, heads(first)), ours = firstClasses(own, heads(own));
    for (size_t head = 0; head < theirs.size(); ++head) {
        const at::Tensor at = (m_ofFirst == theirs[head]).nonzero();
        if (ours[head] == noClass || at.numel() == 0 || m_same[at.item<int64_t>()].item<int64_t>() != ours[head])
            return false;
    }
    return true;
}

void ViewMean::add(const at::Tensor& probabilities)
{
    m_sum = m_counted == 0 ? probabilities.clone() : m_sum + probabilities;
    ++m_counted;
}

}
