#include "models/weights/weight_loader.h"

#include "core/attention/backend_info.h"
#include "core/attention/shapes.h"
#include "core/base/text.h"
#include "models/weights/leftovers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

bool isInteger(ElementType type)
{
    constexpr std::array integers{ElementType::Int64,  ElementType::Int32,  ElementType::Int16,
                                  ElementType::Int8,   ElementType::UInt8,  ElementType::UInt16,
                                  ElementType::UInt32, ElementType::UInt64, ElementType::Bool};
    return std::ranges::find(integers, type) != integers.end();
}

}

WeightLoader::WeightLoader(NamedTensors tensors, LoadReport report)
    : m_tensors(std::move(tensors))
    , m_report(std::move(report))
{}

at::Tensor WeightLoader::read(const std::string& name)
{
    const NamedTensor& stored = m_tensors.at(name);
    m_used.insert(name);
    if (!stored.joins()) {
        m_report.mismatching.push_back(name + " is split into parts that do not match");
        return at::zeros(stored.shape());
    }
    if (const ElementType type = stored.parts.front().type; isInteger(type) && stored.shape().size() > 1)
        throw Unsupported(m_report.file,
                          "its `" + printable(name) + "` has numbers of type " + toText(type)
                              + ": it is quantised, and its scales are not here",
                          "dequantise the weights and save them as floating-point numbers");
    m_taken.insert(name);
    ++m_report.used;
    if (m_shapesOnly)
        return at::empty(stored.shape(), at::kFloat);
    const std::vector<float> values = stored.readFloat();
    const auto bad = std::count_if(values.begin(), values.end(),
                                   [](float value) { return !std::isfinite(value); });
    if (bad > 0)
        m_report.notFinite.push_back(name + " (" + std::to_string(bad) + " of "
                                     + counted(std::ssize(values), "value") + ")");
    at::Tensor tensor = at::empty(stored.shape(), at::kFloat);
    std::ranges::copy(values, tensor.data_ptr<float>());
    return tensor;
}

at::Tensor WeightLoader::take(const std::string& name, const std::vector<int64_t>& shape)
{
    if (!has(name)) {
        m_report.missing.push_back(name);
        return at::zeros(shape);
    }
    if (this->shape(name) == shape)
        return read(name);
    m_used.insert(name);
    m_report.mismatching.push_back(name + " is " + describeShape(this->shape(name)) + " instead of "
                                   + describeShape(shape));
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

bool WeightLoader::isOfTraining(const std::string& name) const
{
    const NamedTensor& tensor = m_tensors.at(name);
    const std::string part = name.substr(0, name.find('.') + 1);  // "blocks."; empty outside of all parts
    const auto own = m_used.lower_bound(part);
    const bool inside = !part.empty() && own != m_used.end() && own->starts_with(part);
    const bool one = tensor.parts.size() == 1 && tensor.parts.front().elements() == 1;
    return isCounter(name) || (one && (isInteger(tensor.type()) || !inside));
}

std::vector<std::string> WeightLoader::unused() const
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : m_tensors)
        if (m_used.count(name) == 0 && !isOfTraining(name))
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
        if (m_used.count(name) == 0 && isOfTraining(name))
            report.ignored.push_back(name);
    return report;
}

LoadReport WeightLoader::finish(const std::string& modelName, const std::string& advice) const
{
    LoadReport full = report();
    full.model = modelName;
    const std::string told = adviceFor(full.unexpected, full.file);
    if (!full.fits())
        throw CheckpointMismatch(full, !told.empty() ? told : advice);
    return full;
}

}
