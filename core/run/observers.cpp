// SPDX-License-Identifier: Apache-2.0
#include "core/run/observers.h"

#include "core/base/error.h"

#include <algorithm>
#include <cctype>

namespace attnscope {

namespace {

/// "block.7", or "block2.0" in a network with stages, but not "block.7.attn".
bool isBlockOutput(const std::string& name)
{
    constexpr std::string_view prefix = "block";
    const std::size_t dot = name.find('.');
    const auto digits = [&](std::size_t begin, std::size_t end) {
        return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin), name.begin() + static_cast<std::ptrdiff_t>(end),
                           [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    return name.starts_with(prefix) && dot != std::string::npos && dot + 1 < name.size() && digits(prefix.size(), dot)
           && digits(dot + 1, name.size());
}

double relativeDrift(const at::Tensor& value, const at::Tensor& reference)
{
    const auto wide = reference.to(at::kDouble);
    const double size = wide.norm().item<double>();
    const double difference = (value.to(at::kDouble) - wide).norm().item<double>();
    return difference == 0 ? 0 : difference / size;
}

}  // namespace

StoppableObserver::StoppableObserver(std::stop_token stop)
    : m_stop(std::move(stop))
{
}

void StoppableObserver::beforeAttention(std::int64_t)
{
    if (m_stop.stop_requested())
        throw Cancelled();
}

LatencyObserver::LatencyObserver(std::stop_token stop, at::Device device)
    : StoppableObserver(std::move(stop))
    , m_timer(device)
{
}

void LatencyObserver::beforeAttention(std::int64_t layer)
{
    StoppableObserver::beforeAttention(layer);
    m_timer.begin();
}

void LatencyObserver::afterAttention(std::int64_t, const AttentionInput&, const at::Tensor&)
{
    m_timer.end();
}

CancellationObserver::CancellationObserver(std::stop_token stop, const PreparedAttention& attention, Cancellation& total)
    : StoppableObserver(std::move(stop))
    , m_attention(attention)
    , m_total(total)
{
}

void CancellationObserver::afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor&)
{
    const auto index = static_cast<std::size_t>(layer);
    if (index >= m_attention.layers.size())
        return;
    const Cancellation own = m_attention.layers[index]->cancellation(input, *m_attention.noise[index]);
    m_total.denominators += own.denominators;
    m_total.cancelled += own.cancelled;
}

MemoryObserver::MemoryObserver(std::stop_token stop, AllocationMeter& meter)
    : StoppableObserver(std::move(stop))
    , m_meter(meter)
{
}

void MemoryObserver::beforeAttention(std::int64_t layer)
{
    StoppableObserver::beforeAttention(layer);
    m_meter.beginSection();
}

void MemoryObserver::afterAttention(std::int64_t, const AttentionInput&, const at::Tensor&)
{
    m_peak = std::max(m_peak, m_meter.sectionPeak());
}

TeacherForcedObserver::TeacherForcedObserver(std::stop_token stop, const std::vector<PreparedAttention>& alternatives,
                                             ErrorCollector& errors)
    : StoppableObserver(std::move(stop))
    , m_alternatives(alternatives)
    , m_errors(errors)
{
}

void TeacherForcedObserver::afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor& output)
{
    const auto index = static_cast<std::size_t>(layer);
    m_errors.addBaselines(layer, input.v, output);
    for (std::size_t seed = 0; seed < m_alternatives.size(); ++seed) {
        StoppableObserver::beforeAttention(layer);
        const PreparedAttention& alternative = m_alternatives[seed];
        const auto out = alternative.layers[index]->attend(input, *alternative.noise[index]);
        m_errors.add(layer, static_cast<std::int64_t>(seed), out, output, input.tokens.prefix);
    }
}

BlockObserver::BlockObserver(std::stop_token stop, const std::vector<at::Tensor>* reference)
    : StoppableObserver(std::move(stop))
    , m_reference(reference)
{
}

void BlockObserver::onActivation(const std::string& name, const at::Tensor& value)
{
    if (!isBlockOutput(name))
        return;
    if (m_reference == nullptr)
        m_blocks.push_back(value);
    else if (m_drift.size() < m_reference->size())
        m_drift.push_back(relativeDrift(value, (*m_reference)[m_drift.size()]));
}

}  // namespace attnscope
