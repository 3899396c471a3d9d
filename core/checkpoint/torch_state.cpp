// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/torch_state.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle_globals.h"
#include "core/checkpoint/pickle_json.h"

#include <algorithm>
#include <optional>

namespace attnscope {

namespace {

/// Keys under which training codes keep the weights, the preferred first; averaged weights only when there are
/// no others.
constexpr std::string_view nestings[] = {"model", "state_dict", "model_state", "model_ema", "state_dict_ema"};

constexpr std::size_t mostMetadata = 256;

class WeightFinder {
public:
    WeightFinder(const PickleGraph& graph, const TorchContainer& container, const Limits& limits)
        : m_graph(graph)
        , m_container(container)
        , m_limits(limits)
    {
        m_state.container = container.name;
    }

    StateDict find()
    {
        const PickleRef root = m_graph.root();
        if (!m_graph.is(root, PickleKind::Dict))
            refuseRoot(root);
        const auto chosen = chooseNested(root);
        if (!chosen && !holdsTensor(root))
            refuse("it holds no weights",
                   "give a file with a state_dict, flat or under `model`, `state_dict` or `model_state`");
        if (chosen)
            readBeside(root, *chosen);
        readTensors(chosen.value_or(root));
        return std::move(m_state);
    }

private:
    [[noreturn]] void refuse(const std::string& problem,
                             const std::string& remedy = "it is damaged; copy or download it again") const
    {
        throw FileError(m_container.source->name(), problem, remedy);
    }

    [[noreturn]] void refuseRoot(PickleRef root) const
    {
        if (m_graph.is(root, PickleKind::Record))
            refuse("it holds an object of class `" + familiarName(m_graph.text(m_graph.items(root)[0]))
                       + "` and not only weights",
                   "save the weights as safetensors, or only their state_dict");
        refuse("it holds no dictionary of weights", "give a file with a state_dict");
    }

    bool holdsTensor(PickleRef dict) const
    {
        const auto items = m_graph.items(dict);
        for (std::size_t i = 1; i < items.size(); i += 2)
            if (m_graph.is(items[i], PickleKind::Tensor))
                return true;
        return false;
    }

    std::optional<PickleRef> entry(PickleRef dict, std::string_view key) const
    {
        std::optional<PickleRef> found;
        const auto items = m_graph.items(dict);
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
            if (!m_graph.is(items[i], PickleKind::Text) || m_graph.text(items[i]) != key)
                continue;
            if (found)
                refuse("it has two entries called `" + std::string(key) + "`");
            found = items[i + 1];
        }
        return found;
    }

    /// Weights under a known key. Others of the kind are named, so that nobody takes them for what was read.
    std::optional<PickleRef> chooseNested(PickleRef root)
    {
        std::optional<PickleRef> chosen;
        for (const std::string_view key : nestings) {
            const auto value = entry(root, key);
            if (value && m_graph.is(*value, PickleKind::Record))
                refuse("its `" + std::string(key) + "` is an object of class `"
                           + familiarName(m_graph.text(m_graph.items(*value)[0])) + "` and not only weights",
                       "save the weights as safetensors, or only their state_dict");
            if (!value || !m_graph.is(*value, PickleKind::Dict) || !holdsTensor(*value))
                continue;
            if (chosen) {
                m_state.notes.push_back("the weights under `" + m_state.nesting + "` were read, those under `"
                                        + std::string(key) + "` were not");
                continue;
            }
            chosen = value;
            m_state.nesting = key;
        }
        return chosen;
    }

    /// Keeps the small values beside the weights, and says what was passed over.
    void readBeside(PickleRef root, PickleRef chosen)
    {
        std::vector<std::string> passed;
        std::size_t tried = 0;
        const auto items = m_graph.items(root);
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
            const bool weights = items[i + 1] == chosen
                                 || std::find(std::begin(nestings), std::end(nestings), keyText(items[i]))
                                        != std::end(nestings);
            if (weights || !m_graph.is(items[i], PickleKind::Text))
                continue;
            const std::string key = printable(keyText(items[i]).substr(0, 256));
            // What fails to become JSON counts as well: each attempt may walk over thousands of shared values.
            const bool wanted = !key.starts_with("optimizer") && tried++ < mostMetadata;
            auto value = wanted ? toJson(m_graph, items[i + 1]) : std::nullopt;
            if (value)
                m_state.metadata[key] = std::move(*value);
            else if (passed.size() < 8)
                passed.push_back("`" + key + "`");
        }
        if (!passed.empty())
            m_state.notes.push_back(joinWords(passed, "and") + (passed.size() == 1 ? " was" : " were")
                                    + " passed over");
    }

    std::string_view keyText(PickleRef ref) const
    {
        return m_graph.is(ref, PickleKind::Text) ? m_graph.text(ref) : std::string_view();
    }

    void readTensors(PickleRef dict)
    {
        std::int64_t others = 0;
        const auto items = m_graph.items(dict);
        for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
            if (!m_graph.is(items[i], PickleKind::Text) || !m_graph.is(items[i + 1], PickleKind::Tensor)) {
                ++others;
                continue;
            }
            const std::string name(m_graph.text(items[i]));
            if (static_cast<std::int64_t>(m_state.tensors.size()) == m_limits.tensors)
                refuse("it holds more than " + std::to_string(m_limits.tensors) + " tensors");
            if (!m_state.tensors.emplace(name, view(printable(name), m_graph.tensor(items[i + 1]))).second)
                refuse("it has two tensors called `" + printable(name) + "`");
        }
        if (others > 0)
            m_state.notes.push_back(std::to_string(others) + (others == 1 ? " value" : " values")
                                    + " among the weights, no tensors, were passed over");
    }

    StoredTensor view(const std::string& name, const PickleTensor& claimed) const
    {
        const PickleStorage& storage = m_graph.storages()[claimed.storage];
        const ByteRange range = m_container.find(storage);
        const auto bytes = checkedMultiply(storage.elements, static_cast<std::int64_t>(elementSize(storage.type)));
        if (!bytes || *bytes != range.bytes)
            refuse("the storage of `" + name + "` has " + std::to_string(range.bytes)
                   + " bytes, not what the pickle says");
        StoredTensor tensor;
        tensor.type = claimed.type;
        tensor.shape = claimed.shape;
        tensor.strides = claimed.strides;
        const auto unit = static_cast<std::int64_t>(elementSize(storage.type));
        tensor.storageOffset = range.offset + storage.viewOffset * unit;
        tensor.storageBytes = storage.viewElements * unit;
        tensor.firstElement = claimed.firstElement;
        tensor.bigEndian = m_container.bigEndian;
        tensor.source = m_container.source;
        check(name, tensor);
        return tensor;
    }

    /// The view lies within its storage, and has no more elements than that: reading never takes more memory
    /// than the file.
    void check(const std::string& name, const StoredTensor& tensor) const
    {
        const std::int64_t available = tensor.storageBytes / static_cast<std::int64_t>(elementSize(tensor.type));
        const auto elements = checkedProduct(tensor.shape);
        if (!elements || tensor.shape.size() != tensor.strides.size() || tensor.firstElement < 0)
            refuse("`" + name + "` has an impossible shape");
        if (std::any_of(tensor.strides.begin(), tensor.strides.end(),
                        [](std::int64_t stride) { return stride < 0; }))
            refuse("`" + name + "` has a negative stride");
        if (*elements == 0)
            return;
        std::optional<std::int64_t> last = tensor.firstElement;
        for (std::size_t d = 0; d < tensor.shape.size() && last; ++d) {
            const auto step = checkedMultiply(tensor.shape[d] - 1, tensor.strides[d]);
            last = step ? checkedAdd(*last, *step) : std::nullopt;
        }
        if (!last || *last >= available)
            refuse("`" + name + "` reaches outside its storage");
        if (*elements > available)
            refuse("`" + name + "` repeats its values over its shape", "save it with contiguous()");
    }

    const PickleGraph& m_graph;
    const TorchContainer& m_container;
    const Limits& m_limits;
    StateDict m_state;
};

}  // namespace

StateDict weightsOf(const PickleGraph& graph, const TorchContainer& container, const Limits& limits)
{
    return WeightFinder(graph, container, limits).find();
}

}  // namespace attnscope
