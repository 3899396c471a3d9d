#include "core/run/observers.h"

#include <algorithm>
#include <cctype>

namespace attnscope {

bool isBlockOutput(const std::string& name)
{
    constexpr std::string_view prefix = "block";
    const size_t dot = name.find('.');
    const auto digits = [&](size_t begin, size_t end) {
        return std::all_of(name.begin() + ptrdiff_t(begin), name.begin() + ptrdiff_t(end),
                           [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    return name.starts_with(prefix) && dot != std::string::npos && dot + 1 < name.size()
           && digits(prefix.size(), dot) && digits(dot + 1, name.size());
}

double relativeDrift(const at::Tensor& value, const at::Tensor& reference)
{
    const auto wide = reference.to(at::kDouble);
    const auto size = wide.norm().item<double>();
    const auto difference = (value.to(at::kDouble) - wide).norm().item<double>();
    return difference == 0 ? 0 : difference / size;
}

LayerVisitor::LayerVisitor(std::stop_token stop, Visit after, std::function<void(int64_t layer)> before)
    : StoppableObserver(std::move(stop))
    , m_after(std::move(after))
    , m_before(std::move(before))
{}

void LayerVisitor::beforeAttention(int64_t layer)
{
    StoppableObserver::beforeAttention(layer);
    if (m_before)
        m_before(layer);
}

void LayerVisitor::afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor& output)
{
    m_after(layer, input, output);
}

void LayerVisitor::onMerging(int64_t layer, const TokenMerger& merger)
{
    if (m_merged)
        m_merged(layer, merger);
}

void take(const TokenMerger& merger, MergedTokens& merged)
{
    const TokenLayout& layout = merger.firstLayout();
    merged.prefix = layout.prefix, merged.frames = layout.frames, merged.rows = layout.rows,
    merged.columns = layout.columns;
    const at::Tensor places = merger.hasMerged() ? merger.places()[0] : at::arange(layout.count());
    const at::Tensor numbers = places.to(at::kCPU, at::kInt).contiguous();
    merged.layers.emplace_back(numbers.const_data_ptr<int32_t>(),
                               numbers.const_data_ptr<int32_t>() + numbers.numel());
}

BlockObserver::BlockObserver(std::stop_token stop, const std::vector<at::Tensor>* reference)
    : StoppableObserver(std::move(stop))
    , m_reference(reference)
{}

void BlockObserver::onActivation(const std::string& name, const at::Tensor& value)
{
    if (!isBlockOutput(name))
        return;
    if (m_reference == nullptr)
        m_blocks.push_back(value);
    else if (m_drift.size() < m_reference->size())
        m_drift.push_back(relativeDrift(value, (*m_reference)[m_drift.size()]));
}

ExitObserver::ExitObserver(std::stop_token stop, const Classifier& classifier)
    : StoppableObserver(std::move(stop))
    , m_classifier(classifier)
    , m_blocks(classifier.readableBlocks())
{}

void ExitObserver::onActivation(const std::string& name, const at::Tensor& value)
{
    if (const size_t next = m_logits.size(); next < m_blocks.size() && name == m_blocks[next])
        m_logits.push_back(m_classifier.exitLogits(next, value));
}

}
