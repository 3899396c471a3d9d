#pragma once

#include "core/checkpoint/state_dict.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Reads Python's pickle format as data. Nothing is imported, called or constructed: a pickle is a program for a stack machine, and this
/// machine only knows the operations that build values, and an explicit list of names (pickle_globals.h). Objects of unknown classes become
/// records of their fields; a call of an unknown name is refused.
namespace attnscope {

enum class PickleKind : uint8_t {
    None,
    Bool,
    Int,
    BigInt,
    Float,
    Text,
    Bytes,
    Tuple,
    List,
    Dict,
    Set,
    Global,
    Record,
    Storage,
    Tensor
};

/// The index of a value in its graph.
using PickleRef = uint32_t;

/// A storage that the pickle refers to. Its claims are checked against the container only when it is used.
struct PickleStorage {
    ElementType type = ElementType::UInt8;  ///< UInt8 for untyped storages, whose elements are bytes
    std::string key;
    int64_t elements = 0;
    int64_t viewOffset = 0;  ///< legacy streams: the view starts at this element
    int64_t viewElements = 0;
};

/// A view of a storage as claimed by the pickle: not yet checked against the storage.
struct PickleTensor {
    ElementType type = ElementType::Float32;
    uint32_t storage = 0;  ///< index into PickleGraph::storages
    int64_t firstElement = 0;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
    const char* unreadable = nullptr;  ///< its kind, if it is not a plain view: "sparse", "quantized" …
};

/// The contents of a pickle. Values refer to each other by index, so that neither cycles nor depth are dangerous when a graph is copied or
/// destroyed; traversals must bound depth and work, since values may be shared or contain themselves.
class PickleGraph {
public:
    PickleKind kind(PickleRef ref) const { return m_nodes[ref].kind; }
    bool is(PickleRef ref, PickleKind kind) const { return m_nodes[ref].kind == kind; }
    /// For Bool and Int.
    int64_t integer(PickleRef ref) const { return m_nodes[ref].payload; }
    double real(PickleRef ref) const { return std::bit_cast<double>(m_nodes[ref].payload); }
    /// For Text, Bytes and Global ("module.name").
    std::string_view text(PickleRef ref) const
    {
        return std::string_view(m_text).substr(size_t(m_nodes[ref].payload), m_nodes[ref].length);
    }
    /// For Tuple, List and Set: the elements; for Dict: key, value, key, value …; for Record: class, arguments, state, then key, value … as
    /// for a Dict.
    std::span<const PickleRef> items(PickleRef ref) const { return m_items[size_t(m_nodes[ref].payload)]; }
    const PickleTensor& tensor(PickleRef ref) const { return m_tensors[size_t(m_nodes[ref].payload)]; }
    const std::vector<PickleStorage>& storages() const { return m_storages; }

    PickleRef root() const { return m_root; }
    /// The position in the source where the pickle ended.
    int64_t end() const { return m_end; }

private:
    friend class PickleValues;
    struct Node {
        PickleKind kind = PickleKind::None;
        uint16_t depth = 0;   ///< nesting of containers below this value, when it was built
        uint32_t length = 0;  ///< of a text
        int64_t payload = 0;  ///< the number itself, or the position of the text, items, storage or tensor
    };

    std::vector<Node> m_nodes;
    std::string m_text;
    std::vector<std::vector<PickleRef>> m_items;
    std::vector<PickleStorage> m_storages;
    std::vector<PickleTensor> m_tensors;
    PickleRef m_root = 0;
    int64_t m_end = 0;
};

/// Reads one pickle (protocol 2 to 5) that starts at byte `begin` of the source and ends at byte `end` at the latest. Throws FileError for
/// calls of names that are not on the list (naming them), for damage, and beyond the limits.
PickleGraph readPickle(const ByteSource& source, int64_t begin, int64_t end, const Limits& limits);

/// A small value of a pickle as JSON: numbers, texts, lists, dictionaries; records as objects with their class as "__class__". Empty for
/// values that contain tensors or bytes, and for those too large or too deep to be a setting.
std::optional<Json> toJson(const PickleGraph& graph, PickleRef ref);

}
