// SPDX-License-Identifier: Apache-2.0
#include "models/weight_loader.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

namespace {

std::string listed(const char* what, const std::vector<std::string>& names)
{
    constexpr std::size_t shown = 6;
    if (names.empty())
        return "";
    std::string text = std::to_string(names.size()) + " " + what + " (";
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
        text += (i > 0 ? ", " : "") + printable(names[i]);
    if (names.size() > shown)
        text += " and " + std::to_string(names.size() - shown) + " more";
    return text + ")";
}

bool countsSteps(const std::string& name)
{
    constexpr std::string_view suffix = "num_batches_tracked";
    return name.size() >= suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace

WeightLoader::WeightLoader(const StateDict& state, std::string subject)
    : m_state(state)
    , m_subject(std::move(subject))
{
}

std::vector<std::int64_t> WeightLoader::shape(const std::string& name) const
{
    const auto found = m_state.tensors.find(name);
    return found == m_state.tensors.end() ? std::vector<std::int64_t>{} : found->second.shape;
}

at::Tensor WeightLoader::read(const std::string& name)
{
    m_used.insert(name);
    const StoredTensor& stored = m_state.tensors.at(name);
    std::vector<float> values = stored.readFloat();
    return at::from_blob(values.data(), stored.shape, at::kFloat).clone();
}

at::Tensor WeightLoader::take(const std::string& name, const std::vector<std::int64_t>& shape)
{
    if (!has(name)) {
        m_missing.push_back(name);
        return at::zeros(shape);
    }
    if (this->shape(name) != shape) {
        m_used.insert(name);
        m_mismatching.push_back(name + " is " + describeShape(this->shape(name)) + " instead of " + describeShape(shape));
        return at::zeros(shape);
    }
    return read(name);
}

at::Tensor WeightLoader::takeAny(const std::string& name)
{
    if (has(name))
        return read(name);
    m_missing.push_back(name);
    return at::zeros({1});
}

std::vector<std::string> WeightLoader::unused() const
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : m_state.tensors)
        if (m_used.count(name) == 0 && !countsSteps(name))
            names.push_back(name);
    return names;
}

void WeightLoader::finish(const std::string& modelName, const std::string& advice) const
{
    std::vector<std::string> problems;
    for (const std::string& text : {listed("of another shape", m_mismatching), listed("missing", m_missing), listed("unexpected", unused())})
        if (!text.empty())
            problems.push_back(text);
    if (!problems.empty())
        throw FileError(m_subject, "its tensors do not fit " + modelName + ": " + joinWords(problems, "and"), advice);
}

}  // namespace attnscope
