// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attnscope {

enum class OptionType { Integer, Real, Choice, Flag };

using OptionValue = std::variant<std::int64_t, double, std::string, bool>;

struct OptionChoice {
    std::string name;
    std::string help;                  ///< one line
    std::vector<std::string> aliases;  ///< other spellings that the parser accepts ("segment" for "mean-query-key")
};

/// One option of a backend. Grammar, error messages, `attnscope-cli backends`, the app's controls and the documentation are all derived
/// from these.
struct OptionInfo {
    std::string name;
    OptionType type = OptionType::Integer;
    std::string help;                          ///< one line
    std::optional<OptionValue> defaultValue;   ///< empty: taken from the run (only `seed`)
    double minimum = 0;                        ///< Integer and Real, inclusive
    double maximum = 0;
    std::vector<OptionChoice> choices;         ///< Choice
    bool advanced = false;                     ///< shown by the app under "more"
    bool definesAttention = true;              ///< false: only affects how the attention is computed, or its random numbers
};

/// The spelling used in specifications: integers in decimal, reals in their shortest form, flags as true/false.
[[nodiscard]] std::string toText(const OptionValue& value);

/// The value that `text` spells, for an error of the specification `spec`. Throws UsageError, naming the range or the alternatives.
[[nodiscard]] OptionValue parseOptionValue(const OptionInfo& option, std::string_view spec, std::string_view text);

}  // namespace attnscope
