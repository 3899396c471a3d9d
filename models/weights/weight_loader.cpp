// SPDX-License-Identifier: Apache-2.0
#include "models/weights/weight_loader.h"

#include "core/attention/backend_info.h"
#include "core/attention/shapes.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Counters that batch norms and the like store in checkpoints.
bool countsSteps(const std::string& name)
{
    return name.ends_with("num_batches_tracked");
}

}  // namespace

WeightLoader::WeightLoader(NamedTensors tensors, LoadReport report)
    : m_tensors(std::move(tensors))
    , m_report(std::move(report))
{
}

at::Tensor WeightLoader::read(const std::string& name)
{
    const NamedTensor& stored = m_tensors.at(name);
    m_used.insert(name);
    if (!stored.joins()) {
        m_report.mismatching.push_back(name + " is split into parts that do not match");
        return at::zeros(stored.shape());
    }
    m_taken.insert(name);
    ++m_report.used;
    if (m_shapesOnly)
        return at::empty(stored.shape(), at::kFloat);
    const std::vector<float> values = stored.readFloat();
    const auto bad = std::count_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
    if (bad > 0)
        m_report.notFinite.push_back(name + " (" + std::to_string(bad) + " of " + counted(std::ssize(values), "value") + ")");
    at::Tensor tensor = at::empty(stored.shape(), at::kFloat);
    std::ranges::copy(values, tensor.data_ptr<float>());
    return tensor;
}

at::Tensor WeightLoader::take(const std::string& name, const std::vector<std::int64_t>& shape)
{
    if (!has(name)) {
        m_report.missing.push_back(name);
        return at::zeros(shape);
    }
    if (this->shape(name) == shape)
        return read(name);
    m_used.insert(name);
    m_report.mismatching.push_back(name + " is " + describeShape(this->shape(name)) + " instead of " + describeShape(shape));
    return at::zeros(shape);
}

at::Tensor WeightLoader::takeAny(const std::string& name)
{
    if (has(name))
        return read(name);
    m_report.missing.push_back(name);
    return at::zeros({1});
}

void WeightLoader::ignore(const std::string& name)
{
    if (has(name) && m_used.insert(name).second)
        m_report.ignored.push_back(name);
}

std::vector<std::string> WeightLoader::unused() const
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : m_tensors)
        if (m_used.count(name) == 0 && !countsSteps(name))
            names.push_back(name);
    return names;
}

std::map<std::string, at::Tensor> WeightLoader::takeLearned(const std::string& prefix)
{
    std::map<std::string, at::Tensor> learned;
    for (const std::string& name : unused())
        if (name.starts_with(prefix) && isLearnedParameter(std::string_view(name).substr(prefix.size())))
            learned[name.substr(prefix.size())] = takeAny(name);
    return learned;
}

LoadReport WeightLoader::report() const
{
    LoadReport report = m_report;
    report.unexpected = unused();
    for (const auto& [name, tensor] : m_tensors)
        if (countsSteps(name) && m_used.count(name) == 0)
            report.ignored.push_back(name);
    return report;
}

LoadReport WeightLoader::finish(const std::string& modelName, const std::string& advice) const
{
    LoadReport full = report();
    full.model = modelName;
    if (!full.fits())
        throw CheckpointMismatch(std::move(full), advice);
    return full;
}

}  // namespace attnscope
