// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/option.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a network does with its tokens between one attention and the next. Independent of torch: the app's controls are built from these.
namespace attnscope {

/// A way to have fewer tokens.
struct TokenMethodInfo {
    std::string name;      ///< "tome"
    std::string title;     ///< "Token merging"
    std::string help;      ///< one line
    std::string citation;
    std::vector<OptionInfo> options;
};

/// Every one, in the order in which they are shown.
[[nodiscard]] const std::vector<TokenMethodInfo>& tokenMethods();

/// Where merged tokens stand.
enum class MergeOrder {
    Position,     ///< all that are left in their old order
    Concatenate,  ///< as published: tokens that found no partner, then their possible partners
};

/// A parsed `none` or `tome[:key=value[,key=value…]]`; identified by its canonical spelling: options in table order, defaults omitted but for
/// r, which is always there.
class TokenSpec {
public:
    /// Throws UsageError, naming the alternatives.
    static TokenSpec parse(std::string_view text);
    /// All tokens stay.
    TokenSpec() = default;

    [[nodiscard]] bool isNone() const { return m_canonical == "none"; }
    /// Whether any tokens merge: r = 0 is a specification, but no merging.
    [[nodiscard]] bool merges() const { return m_merged > 0; }
    /// r: tokens that each block merges, of a decreasing schedule the mean over blocks.
    [[nodiscard]] std::int64_t merged() const { return m_merged; }
    [[nodiscard]] bool isDecreasing() const { return m_decreasing; }
    [[nodiscard]] MergeOrder order() const { return m_order; }
    [[nodiscard]] const std::string& canonical() const { return m_canonical; }

    /// The value of an option; of `none` its default. Must not be called for an option that there is not.
    [[nodiscard]] std::int64_t integer(std::string_view option) const { return std::get<std::int64_t>(valueOf(option)); }
    [[nodiscard]] double real(std::string_view option) const { return std::get<double>(valueOf(option)); }
    [[nodiscard]] std::string choice(std::string_view option) const { return std::get<std::string>(valueOf(option)); }
    [[nodiscard]] bool flag(std::string_view option) const { return std::get<bool>(valueOf(option)); }
    /// The same with one option changed; of `none` the first method with it. Throws UsageError like `parse`.
    [[nodiscard]] TokenSpec with(std::string_view option, const OptionValue& value) const;

    /// How many tokens each of `layers` blocks merges, as far as there are enough: r in every block, or from 2r down to 0.
    [[nodiscard]] std::vector<std::int64_t> schedule(std::int64_t layers) const;

    friend bool operator==(const TokenSpec& a, const TokenSpec& b) { return a.m_canonical == b.m_canonical; }

private:
    [[nodiscard]] OptionValue valueOf(std::string_view option) const;

    std::int64_t m_merged = 0;
    bool m_decreasing = false;
    MergeOrder m_order = MergeOrder::Position;
    std::string m_canonical = "none";
};

/// `none` and the names of all methods.
[[nodiscard]] std::vector<std::string> tokenMethodNames();

}  // namespace attnscope
