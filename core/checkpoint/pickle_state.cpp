// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/pickle_state.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

namespace {

using Kind = PickleValue::Kind;

bool holdsTensors(const PickleValue& value)
{
    return value.kind == Kind::Dict
           && std::any_of(value.pairs.begin(), value.pairs.end(), [](const auto& pair) { return pair.second->kind == Kind::Tensor; });
}

const PickleValue* find(const PickleValue& dict, std::string_view key)
{
    const PickleValue* found = nullptr;
    for (const auto& [name, value] : dict.pairs)
        if (name->kind == Kind::Text && name->text == key)
            found = value.get();
    return found;
}

void stripPrefix(StateDict& state)
{
    constexpr std::string_view prefix = "module.";
    const bool all = std::all_of(state.tensors.begin(), state.tensors.end(),
                                 [&](const auto& pair) { return pair.first.compare(0, prefix.size(), prefix) == 0; });
    if (!all || state.tensors.empty())
        return;
    std::map<std::string, StoredTensor> stripped;
    for (auto& [name, tensor] : state.tensors)
        stripped.emplace(name.substr(prefix.size()), std::move(tensor));
    state.tensors = std::move(stripped);
    state.notes.emplace_back("the prefix `module.` was taken off its names");
}

void takeTensors(const PickleValue& dict, StateDict& state, const std::string& file, const Limits& limits)
{
    for (const auto& [key, value] : dict.pairs) {
        if (value->kind != Kind::Tensor)
            continue;
        if (key->kind != Kind::Text)
            throw FileError(file, "a tensor in it has a name that is no text", "save the weights as a state_dict");
        state.tensors[key->text] = value->tensor;
        if (static_cast<std::int64_t>(state.tensors.size()) > limits.tensors)
            throw FileError(file, "it holds more than " + std::to_string(limits.tensors) + " tensors", "save the weights alone");
    }
    stripPrefix(state);
}

void takeMetadata(const PickleValue& top, StateDict& state)
{
    for (const auto& [key, value] : top.pairs) {
        if (key->kind != Kind::Text)
            continue;
        const bool averaged = key->text == "model_ema" || key->text == "state_dict_ema";
        if (averaged && value->kind == Kind::Dict)
            state.notes.push_back("its averaged copy `" + key->text + "` was not used");
        const bool plain = value->kind == Kind::Bool || value->kind == Kind::Integer || value->kind == Kind::Real
                           || value->kind == Kind::Text || value->kind == Kind::Record;
        if (plain)
            state.metadata[printable(key->text)] = toJson(*value);
    }
}

}  // namespace

StateDict stateFromPickle(const PickleValue& value, const std::string& name, const Limits& limits)
{
    StateDict state;
    if (value.kind == Kind::Record)
        throw FileError(name, "it holds an object of class `" + printable(value.text) + "` and not a dictionary of tensors",
                        "save only its state_dict");
    if (holdsTensors(value)) {
        takeTensors(value, state, name, limits);
        return state;
    }
    for (const char* key : {"model", "state_dict", "model_state"}) {
        const PickleValue* nested = value.kind == Kind::Dict ? find(value, key) : nullptr;
        if (nested == nullptr || !holdsTensors(*nested))
            continue;
        state.nesting = key;
        takeTensors(*nested, state, name, limits);
        takeMetadata(value, state);
        return state;
    }
    throw FileError(name, "there are no weights in it, neither at the top nor under model, state_dict or model_state",
                    "save a dictionary of tensors");
}

}  // namespace attnscope
