// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Python's pickle format read as data. Nothing is imported, called or constructed: a pickle is a program for a
/// stack machine, and this machine knows the operations that build values, an explicit list of names
/// (pickle_globals.h) and nothing else. Objects of unknown classes become records of their fields; a call of an
/// unknown name is refused.
namespace attnscope {

enum class PickleKind : std::uint8_t {
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

/// The number of a value in its graph.
using PickleRef = std::uint32_t;

/// A storage that the pickle speaks of. What it says is checked against the container only when the storage is
/// used.
struct PickleStorage {
    ElementType type = ElementType::UInt8;  ///< UInt8 for untyped storages, whose elements are bytes
    std::string key;
    std::int64_t elements = 0;
    std::int64_t viewOffset = 0;  ///< legacy streams: the view begins at this element
    std::int64_t viewElements = 0;
};

/// A view of a storage, as the pickle claims it: not yet checked against the storage.
struct PickleTensor {
    ElementType type = ElementType::Float32;
    std::uint32_t storage = 0;  ///< index into PickleGraph::storages
    std::int64_t firstElement = 0;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    const char* unreadable = nullptr;  ///< what is odd about it, when it is no plain view: "sparse", "quantized" …
};

/// Everything that a pickle says. Values refer to each other by number, so that neither loops nor depth can
/// hurt whoever copies or destroys a graph; whoever walks it bounds depth and work, since values may be shared
/// or contain themselves.
class PickleGraph {
public:
    PickleKind kind(PickleRef ref) const { return m_nodes[ref].kind; }
    bool is(PickleRef ref, PickleKind kind) const { return m_nodes[ref].kind == kind; }
    /// Of Bool and Int.
    std::int64_t integer(PickleRef ref) const { return m_nodes[ref].payload; }
    double real(PickleRef ref) const { return std::bit_cast<double>(m_nodes[ref].payload); }
    /// Of Text, Bytes and Global ("module.name").
    std::string_view text(PickleRef ref) const
    {
        return std::string_view(m_text).substr(static_cast<std::size_t>(m_nodes[ref].payload),
                                               m_nodes[ref].length);
    }
    /// Of Tuple, List and Set: the elements; of Dict: key, value, key, value …;
    /// of Record: class, arguments, state, then key, value … as of a Dict.
    std::span<const PickleRef> items(PickleRef ref) const
    {
        return m_items[static_cast<std::size_t>(m_nodes[ref].payload)];
    }
    const PickleTensor& tensor(PickleRef ref) const
    {
        return m_tensors[static_cast<std::size_t>(m_nodes[ref].payload)];
    }
    const std::vector<PickleStorage>& storages() const { return m_storages; }

    PickleRef root() const { return m_root; }
    /// Where in the source the pickle ended.
    std::int64_t end() const { return m_end; }

private:
    friend class PickleValues;
    struct Node {
        PickleKind kind = PickleKind::None;
        std::uint16_t depth = 0;   ///< containers below this value, at the time it was built
        std::uint32_t length = 0;  ///< of a text
        std::int64_t payload = 0;  ///< the number itself, or where the text, items, storage or tensor are
    };

    std::vector<Node> m_nodes;
    std::string m_text;
    std::vector<std::vector<PickleRef>> m_items;
    std::vector<PickleStorage> m_storages;
    std::vector<PickleTensor> m_tensors;
    PickleRef m_root = 0;
    std::int64_t m_end = 0;
};

/// Reads one pickle (protocol 2 to 5) that begins at byte `begin` of the source and ends, at the latest, at
/// byte `end`. Throws FileError: for calls of names that are not on the list (naming them), for damage, and
/// beyond the limits.
PickleGraph readPickle(const ByteSource& source, std::int64_t begin, std::int64_t end, const Limits& limits);

}  // namespace attnscope
