#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnscope {

/// A value in Apache Thrift's compact protocol. Which kind a field has is for its reader to know: text where a number is expected is 0.
struct ThriftValue {
    int64_t id = 0;                    ///< of the field in its structure
    int64_t number = 0;                ///< whole numbers and booleans
    std::string_view text;             ///< within the bytes that were read
    std::vector<ThriftValue> members;  ///< the fields of a structure, or the elements of a list

    bool has(int64_t field) const { return find(field) != nullptr; }
    /// A field of a structure; an empty value where there is none.
    const ThriftValue& operator[](int64_t field) const;

private:
    const ThriftValue* find(int64_t field) const;
};

/// The structure at the beginning of `bytes`, which is removed from them. Empty if they are damaged or end before it does, or if it
/// contains more than a million values or is nested more than 16 deep.
std::optional<ThriftValue> readThrift(std::span<const uint8_t>& bytes);

/// The number at the beginning of `bytes`, seven bits a byte, least significant first, which is removed from them. Empty if it does not end.
std::optional<uint64_t> readVarint(std::span<const uint8_t>& bytes);

}
