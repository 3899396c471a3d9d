#include "core/checkpoint/torch_state.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/weight_choice.h"

#include <algorithm>
#include <optional>

namespace attnscope {

namespace {

constexpr size_t maxMetadata = 256;

int64_t unitOf(ElementType type)
{
    return int64_t(elementSize(type));
}

/// How often the values of a file may be repeated: layers that use their weights do so up to 24 times. Tiny files count as 64 KiB.
constexpr int64_t repetitions = 32;
constexpr int64_t smallFile = 65'536;

class WeightFinder {
public:
    WeightFinder(const PickleGraph& graph, const TorchContainer& container, const CheckpointOptions& options)
        : m_graph(graph)
        , m_container(container)
        , m_options(options)
    {
        m_state.container = container.name;
    }

    StateDict find()
    {
        WeightChoice choice = chooseWeights(m_graph, m_container.source->name(), m_options.under);
        m_state.nesting = choice.path;
        m_state.alternatives = std::move(choice.alternatives);
        m_state.notes = std::move(choice.notes);
        m_state.prefix = std::move(choice.prefix);
        if (choice.dict != m_graph.root())
            readMetadata(m_graph.root());
        readTensors(choice.dict);
        return std::move(m_state);
    }

private:
    [[noreturn]] void refuse(const std::string& problem,
                             const std::string& remedy = "it is damaged; copy or download it again") const
    {
        throw FileError(m_container.source->name(), problem, remedy);
    }

    /// The weights themselves, whether read or not: this is the first key of their path.
    bool leadsToWeights(std::string_view key) const
    {
        const auto begins = [&](const std::string& path) {
            return path.starts_with(key) && (path.size() == key.size() || path[key.size()] == '.');
        };
        return begins(m_state.nesting) || std::ranges::any_of(m_state.alternatives, begins);
    }

    /// Keeps the small values next to the weights, and notes what was skipped.
    void readMetadata(PickleRef root)
    {
        std::vector<std::string> passed;
        size_t tried = 0;
        const auto items = m_graph.items(root);
        for (size_t i = 0; i + 1 < items.size(); i += 2) {
            if (!m_graph.is(items[i], PickleKind::Text) || leadsToWeights(m_graph.text(items[i])))
                continue;
            const std::string key = printable(m_graph.text(items[i]).substr(0, 256));
            // Values that can't be converted to JSON count as well: each attempt may walk over thousands of shared values.
            const bool wanted = !key.starts_with("optimizer") && tried++ < maxMetadata;
            auto value = wanted ? toJson(m_graph, items[i + 1]) : std::nullopt;
            if (value)
                m_state.metadata[key] = std::move(*value);
            else if (passed.size() < 8)
                passed.push_back("`" + key + "`");
        }
        if (!passed.empty())
            m_state.notes.push_back(joinWords(passed, "and") + (passed.size() == 1 ? " was" : " were")
                                    + " skipped");
    }

    void readTensors(PickleRef dict)
    {
        int64_t others = 0;
        const auto items = m_graph.items(dict);
        for (size_t i = 0; i + 1 < items.size(); i += 2) {
            if (!m_graph.is(items[i], PickleKind::Text) || !m_graph.is(items[i + 1], PickleKind::Tensor)) {
                ++others;
                continue;
            }
            const std::string name(m_graph.text(items[i]));
            if (int64_t(m_state.tensors.size()) == m_options.limits.tensors)
                refuse("it holds more than " + std::to_string(m_options.limits.tensors) + " tensors");
            if (!m_state.tensors.emplace(name, view(printable(name), m_graph.tensor(items[i + 1]))).second)
                refuse("it has two tensors called `" + printable(name) + "`");
        }
        if (others > 0)
            m_state.notes.push_back(counted(others, "value")
                                    + " among the weights that are not tensors were skipped");
    }

    StoredTensor view(const std::string& name, const PickleTensor& claimed)
    {
        if (claimed.unreadable != nullptr)
            refuse("its tensor `" + name + "` is " + claimed.unreadable + ", which is not supported",
                   "save plain tensors (dequantize(), to_dense(), resolve_conj(), contiguous())");
        const PickleStorage& storage = m_graph.storages()[claimed.storage];
        const ByteRange range = m_container.find(storage);
        const int64_t unit = unitOf(storage.type);
        const auto bytes = checkedMultiply(storage.elements, unit);
        if (!bytes || *bytes != range.bytes)
            refuse("the storage of `" + name + "` has " + std::to_string(range.bytes)
                   + " bytes, which does not match the pickle");
        StoredTensor tensor;
        tensor.type = claimed.type;
        tensor.shape = claimed.shape;
        tensor.strides = claimed.strides;
        tensor.storageOffset = range.offset + storage.viewOffset * unit;
        tensor.storageBytes = storage.viewElements * unit;
        tensor.firstElement = claimed.firstElement;
        tensor.bigEndian = m_container.bigEndian;
        tensor.source = m_container.source;
        check(name, tensor);
        charge(name, tensor);
        return tensor;
    }

    /// Checks that the view is within its storage.
    void check(const std::string& name, const StoredTensor& tensor) const
    {
        const int64_t available = tensor.storageBytes / unitOf(tensor.type);
        const auto elements = checkedProduct(tensor.shape);
        if (!elements || tensor.shape.size() != tensor.strides.size() || tensor.firstElement < 0)
            refuse("`" + name + "` has an impossible shape");
        if (std::ranges::any_of(tensor.strides, [](int64_t stride) { return stride < 0; }))
            refuse("`" + name + "` has a negative stride");
        if (*elements == 0)
            return;
        std::optional<int64_t> last = tensor.firstElement;
        for (size_t d = 0; d < tensor.shape.size() && last; ++d) {
            const auto step = checkedMultiply(tensor.shape[d] - 1, tensor.strides[d]);
            last = step ? checkedAdd(*last, *step) : std::nullopt;
        }
        if (!last || *last >= available)
            refuse("`" + name + "` reaches outside its storage");
    }

    /// Expanded tensors repeat their values, tied ones share them: both are read, but all tensors together take no more memory than a
    /// multiple of the file.
    void charge(const std::string& name, const StoredTensor& tensor)
    {
        const auto bytes = checkedMultiply(tensor.elements(), unitOf(tensor.type));
        const auto total = bytes ? checkedAdd(m_bytes, *bytes) : std::nullopt;
        const int64_t file = m_container.source->size();
        if (!total || *total / repetitions > file + smallFile)
            refuse("`" + name + "` repeats its values until they take more than " + std::to_string(repetitions)
                       + " times the file",
                   "save it as it was before expand()");
        m_bytes = *total;
    }

    const PickleGraph& m_graph;
    const TorchContainer& m_container;
    const CheckpointOptions& m_options;
    StateDict m_state;
    int64_t m_bytes = 0;  ///< of all tensors, once read
};

}

StateDict weightsOf(const PickleGraph& graph, const TorchContainer& container, const CheckpointOptions& options)
{
    return WeightFinder(graph, container, options).find();
}

}
