#pragma once

#include "core/base/error.h"
#include "core/base/fast_checksum.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Plain structs as bytes, and back, without a list of their members: numbers, enumerations, text, paths, standard containers, variants
/// and structs of those, and what has a text form (`TextForm`). For what one build of the program keeps for itself: another layout of the structs is
/// recognised and refused. What others read is JSON (core/base/json.h).
namespace attnscope {

/// How a class with invariants is kept: as text, from which `parse` makes it again. Specialised for those that have no such functions of
/// their own.
template <typename Value>
struct TextForm;
template <typename Value>
requires requires(const std::string& text)
{
    {
        Value::parse(text)
        } -> std::same_as<Value>;
} &&(
    requires(const Value& value) { value.canonical(); }
    || requires(const Value& value) { value.text(); }) struct TextForm<Value> {
    static std::string text(const Value& value)
    {
        if constexpr (requires { value.canonical(); })
            return value.canonical();
        else
            return value.text();
    }
    static Value parse(const std::string& text) { return Value::parse(text); }
};

namespace archive {

template <typename>
inline constexpr bool isArray = false;
template <typename Value, size_t size>
inline constexpr bool isArray<std::array<Value, size>> = true;
template <typename>
inline constexpr bool isVector = false;
template <typename Value>
inline constexpr bool isVector<std::vector<Value>> = true;
template <typename>
inline constexpr bool isOptional = false;
template <typename Value>
inline constexpr bool isOptional<std::optional<Value>> = true;
template <typename>
inline constexpr bool isMap = false;
template <typename Key, typename Value>
inline constexpr bool isMap<std::map<Key, Value>> = true;
template <typename>
inline constexpr bool isShared = false;
template <typename Value>
inline constexpr bool isShared<std::shared_ptr<const Value>> = true;
template <typename>
inline constexpr bool isVariant = false;
template <typename... Values>
inline constexpr bool isVariant<std::variant<Values...>> = true;
/// Kept as it lies in memory, which not every byte is for a bool.
template <typename Value>
inline constexpr bool isNumber =
    (std::is_arithmetic_v<Value> || std::is_enum_v<Value>)&&!std::is_same_v<Value, bool>;
template <typename Value>
inline constexpr bool isText = std::is_same_v<Value, std::string> || std::is_same_v<Value, std::filesystem::path>;

/// Initialises a member of any type, in an expression that is never evaluated.
struct AnyMember {
    size_t index;
    template <typename Value>
    operator Value&() const&& noexcept
    {
        std::abort();
    }
    template <typename Value>
    operator Value&() const& noexcept
    {
        std::abort();
    }
};

template <typename Value, size_t... index>
constexpr bool takesMembers(std::index_sequence<index...>)
{
    return requires
    {
        Value{AnyMember{index}...};
    };
}

inline constexpr size_t maximumMembers = 20;

template <typename Value, size_t count = maximumMembers + 1>
constexpr size_t memberCount()
{
    if constexpr (count == 0 || takesMembers<Value>(std::make_index_sequence<count>{}))
        return count;
    else
        return memberCount<Value, count - 1>();
}

/// References to the members, in order.
template <typename Value>
auto membersOf(Value& value)
{
    constexpr size_t count = memberCount<std::remove_const_t<Value>>();
    static_assert(std::is_aggregate_v<Value> && count > 0 && count <= maximumMembers,
                  "neither a plain struct nor one of the known types");
    // clang-format off
    if constexpr (count == 1) { auto& [a] = value; return std::tie(a); }
    else if constexpr (count == 2) { auto& [a, b] = value; return std::tie(a, b); }
    else if constexpr (count == 3) { auto& [a, b, c] = value; return std::tie(a, b, c); }
    else if constexpr (count == 4) { auto& [a, b, c, d] = value; return std::tie(a, b, c, d); }
    else if constexpr (count == 5) { auto& [a, b, c, d, e] = value; return std::tie(a, b, c, d, e); }
    else if constexpr (count == 6) { auto& [a, b, c, d, e, f] = value; return std::tie(a, b, c, d, e, f); }
    else if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = value; return std::tie(a, b, c, d, e, f, g); }
    else if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = value; return std::tie(a, b, c, d, e, f, g, h); }
    else if constexpr (count == 9) { auto& [a, b, c, d, e, f, g, h, i] = value; return std::tie(a, b, c, d, e, f, g, h, i); }
    else if constexpr (count == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = value; return std::tie(a, b, c, d, e, f, g, h, i, j); }
    else if constexpr (count == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
    else if constexpr (count == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
    else if constexpr (count == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
    else if constexpr (count == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
    else if constexpr (count == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
    else if constexpr (count == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
    else if constexpr (count == 17) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q); }
    else if constexpr (count == 18) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r); }
    else if constexpr (count == 19) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s); }
    else { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t); }
    // clang-format on
}

template <typename Value>
constexpr bool hasTextForm()
{
    return requires(const Value& value)
    {
        TextForm<Value>::text(value);
    };
}

/// A number that changes with the layout of a type: kinds and sizes of all its parts.
template <typename Value>
constexpr uint64_t layout(uint64_t sum = 14'695'981'039'346'656'037U)
{
    const auto mixed = [](uint64_t state, uint64_t part) {
        return (state ^ part) * 1'099'511'628'211U;
    };  // FNV-1a
    if constexpr (isNumber<Value>)
        return mixed(mixed(sum, 1 + std::is_floating_point_v<Value>), sizeof(Value));
    else if constexpr (std::is_same_v<Value, bool>)
        return mixed(sum, 9);
    else if constexpr (isText<Value> || hasTextForm<Value>())
        return mixed(sum, 3);
    else if constexpr (isMap<Value>)
        return layout<typename Value::mapped_type>(layout<typename Value::key_type>(mixed(sum, 4)));
    else if constexpr (isArray<Value>)
        return layout<typename Value::value_type>(mixed(mixed(sum, 5), std::tuple_size_v<Value>));
    else if constexpr (isVector<Value>)
        return layout<typename Value::value_type>(mixed(sum, 6));
    else if constexpr (isOptional<Value>)
        return layout<typename Value::value_type>(mixed(sum, 7));
    else if constexpr (isShared<Value>)
        return layout<std::remove_const_t<typename Value::element_type>>(mixed(sum, 7));
    else if constexpr (isVariant<Value>) {
        [&]<size_t... index>(std::index_sequence<index...>)
        {
            ((sum = layout<std::variant_alternative_t<index, Value>>(mixed(sum, 10))), ...);
        }
        (std::make_index_sequence<std::variant_size_v<Value>>{});
        return sum;
    } else {
        using Members = decltype(membersOf(std::declval<Value&>()));
        sum = mixed(mixed(sum, 8), std::tuple_size_v<Members>);
        [&]<size_t... index>(std::index_sequence<index...>)
        {
            ((sum = layout<std::remove_cvref_t<std::tuple_element_t<index, Members>>>(sum)), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<Members>>{});
        return sum;
    }
}

class Writer {
public:
    template <typename Value>
    void operator()(const Value& value)
    {
        if constexpr (isNumber<Value>) {
            raw(&value, sizeof value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            m_bytes.push_back(value ? '\1' : '\0');
        } else if constexpr (isText<Value>) {
            text(value);
        } else if constexpr (hasTextForm<Value>()) {
            text(TextForm<Value>::text(value));
        } else if constexpr (isOptional<Value> || isShared<Value>) {
            (*this)(bool(value));
            if (value)
                (*this)(*value);
        } else if constexpr (isVariant<Value>) {
            (*this)(value.index());
            std::visit(*this, value);
        } else if constexpr (isMap<Value>) {
            (*this)(value.size());
            for (const auto& [key, each] : value) {
                (*this)(key);
                (*this)(each);
            }
        } else if constexpr (isVector<Value> || isArray<Value>) {
            elements(value);
        } else {
            std::apply([this](const auto&... members) { ((*this)(members), ...); }, membersOf(value));
        }
    }
    std::string take() { return std::move(m_bytes); }

private:
    void raw(const void* data, size_t size) { m_bytes.append(static_cast<const char*>(data), size); }
    void text(const std::string& text)
    {
        (*this)(text.size());
        m_bytes += text;
    }
    template <typename Values>
    void elements(const Values& values)
    {
        (*this)(values.size());
        if constexpr (isNumber<typename Values::value_type>)
            raw(values.data(), values.size() * sizeof(typename Values::value_type));
        else
            for (const auto& each : values)
                (*this)(each);
    }

    std::string m_bytes;
};

/// Throws FileError where the bytes end early.
class Reader {
public:
    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {}

    template <typename Value>
    Value read()
    {
        if constexpr (hasTextForm<Value>()) {
            return TextForm<Value>::parse(read<std::string>());
        } else {
            Value value{};
            fill(value);
            return value;
        }
    }
    bool isAtEnd() const { return m_bytes.empty(); }

private:
    template <typename Value>
    void fill(Value& value)
    {
        if constexpr (isNumber<Value>) {
            raw(&value, sizeof value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            value = taken(1).front() != '\0';
        } else if constexpr (isText<Value>) {
            value = std::string(taken(read<size_t>()));
        } else if constexpr (hasTextForm<Value>()) {
            value = read<Value>();
        } else if constexpr (isOptional<Value>) {
            if (read<bool>())
                fill(value.emplace());
        } else if constexpr (isShared<Value>) {
            using Element = std::remove_const_t<typename Value::element_type>;
            value = read<bool>() ? std::make_shared<const Element>(read<Element>()) : nullptr;
        } else if constexpr (isVariant<Value>) {
            alternative(value, read<size_t>(), std::make_index_sequence<std::variant_size_v<Value>>{});
        } else if constexpr (isMap<Value>) {
            for (size_t left = counted(); left > 0; --left) {
                auto key = read<typename Value::key_type>();
                fill(value[std::move(key)]);
            }
        } else if constexpr (isVector<Value> || isArray<Value>) {
            elements(value);
        } else {
            std::apply([this](auto&... members) { (fill(members), ...); }, membersOf(value));
        }
    }
    template <typename Value, size_t... index>
    void alternative(Value& value, size_t chosen, std::index_sequence<index...>)
    {
        if (!((index == chosen && (fill(value.template emplace<index>()), true)) || ...))
            throw FileError("", "is damaged");
    }
    template <typename Values>
    void elements(Values& values)
    {
        using Element = typename Values::value_type;
        const size_t count = counted();
        if constexpr (isArray<Values>) {
            if (count != values.size())
                throw FileError("", "is damaged");
        }
        if constexpr (isNumber<Element>) {
            if (count > m_bytes.size() / sizeof(Element))
                throw FileError("", "is cut off");
            if constexpr (isVector<Values>)
                values.resize(count);
            raw(values.data(), count * sizeof(Element));
        } else if constexpr (isArray<Values>) {
            for (Element& each : values)
                fill(each);
        } else {
            for (size_t i = 0; i < count; ++i)
                values.push_back(read<Element>());
        }
    }
    /// A number of elements, each of which is a byte at least.
    size_t counted()
    {
        const auto count = read<size_t>();
        if (count > m_bytes.size())
            throw FileError("", "is cut off");
        return count;
    }
    std::string_view taken(size_t size)
    {
        if (size > m_bytes.size())
            throw FileError("", "is cut off");
        const std::string_view front = m_bytes.substr(0, size);
        m_bytes.remove_prefix(size);
        return front;
    }
    void raw(void* data, size_t size)
    {
        if (const std::string_view front = taken(size); size > 0)
            std::memcpy(data, front.data(), size);
    }

    std::string_view m_bytes;
};

inline uint64_t checksum(std::string_view bytes)
{
    return fastChecksum({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

}

/// The value as bytes: layout, checksum, contents.
template <typename Value>
std::string archived(const Value& value)
{
    archive::Writer contents, head;
    contents(value);
    const std::string bytes = contents.take();
    head(archive::layout<Value>());
    head(archive::checksum(bytes));
    return head.take() + bytes;
}

/// What `archived` made bytes of. Throws FileError where they are damaged or of another layout, UsageError where a text form is of what this
/// build does not know.
template <typename Value>
Value unarchived(std::string_view bytes)
{
    constexpr size_t headSize = 2 * sizeof(uint64_t);
    archive::Reader head(bytes);
    if (head.read<uint64_t>() != archive::layout<Value>())
        throw FileError("", "was written by another version");
    if (head.read<uint64_t>() != archive::checksum(bytes.substr(headSize)))
        throw FileError("", "is damaged");
    archive::Reader contents(bytes.substr(headSize));
    auto value = contents.read<Value>();
    if (!contents.isAtEnd())
        throw FileError("", "is damaged");
    return value;
}

}
