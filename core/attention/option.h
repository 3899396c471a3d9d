#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attnscope {

enum class OptionType { Integer, Real, Choice, Flag };

using OptionValue = std::variant<int64_t, double, std::string, bool>;

struct OptionChoice {
    std::string name;
    std::string help;  ///< one line
    /// Other spellings that the parser accepts ("segment" for "mean-query-key").
    std::vector<std::string> aliases;
};

/// One option of a backend. Grammar, error messages, `attnscope-cli backends`, the app's controls and the documentation are all derived
/// from these.
struct OptionInfo {
    std::string name;
    OptionType type = OptionType::Integer;
    std::string help;                         ///< one line
    std::optional<OptionValue> defaultValue;  ///< empty: taken from the run (only `seed`)
    double minimum = 0;                       ///< Integer and Real, inclusive
    double maximum = 0;
    std::vector<OptionChoice> choices;  ///< Choice
    bool advanced = false;              ///< shown by the app under "more"
    bool definesAttention = true;  ///< false: only affects how the attention is computed, or its random numbers
    bool alwaysSpelled = false;    ///< part of the canonical spelling even at its default
};

/// The spelling used in specifications: integers in decimal, reals in their shortest form, flags as true/false.
std::string toText(const OptionValue& value);

/// The value that `text` spells, for an error of the specification `spec`. Throws UsageError, naming the range or the alternatives.
OptionValue parseOptionValue(const OptionInfo& option, std::string_view spec, std::string_view text);

/// A parsed `name[:key=value[,key=value…]]`; a flag may be given by its name only. Identified by its canonical spelling: options in the
/// order of their table, defaults omitted.
class OptionValues {
public:
    const std::string& name() const { return m_name; }
    const std::string& canonical() const { return m_canonical; }
    const std::vector<OptionInfo>& options() const { return *m_options; }

    /// The value of an option, or its default; nothing for one that is taken from the run, or that there is not.
    std::optional<OptionValue> value(std::string_view option) const;
    /// The same of an option that must have a value of this type.
    int64_t integer(std::string_view option) const { return std::get<int64_t>(at(option)); }
    double real(std::string_view option) const { return std::get<double>(at(option)); }
    const std::string& choice(std::string_view option) const { return std::get<std::string>(at(option)); }
    bool flag(std::string_view option) const { return std::get<bool>(at(option)); }
    /// The option `seed`, or `fallback` (the run's seed).
    uint64_t seedOr(uint64_t fallback) const;

    friend bool operator==(const OptionValues& a, const OptionValues& b) { return a.m_canonical == b.m_canonical; }
    friend auto operator<=>(const OptionValues& a, const OptionValues& b)
    {
        return a.m_canonical <=> b.m_canonical;
    }

protected:
    /// A name that has no options.
    explicit OptionValues(std::string name);
    /// What `text` says after its first colon, of options that outlive this. Throws UsageError, naming the alternatives.
    OptionValues(std::string name, const std::vector<OptionInfo>& options, std::string_view text);
    /// Changes one option, or leaves it to its default. Throws UsageError like the constructor.
    void set(std::string_view option, const std::optional<OptionValue>& value);

    std::string m_name, m_canonical;

private:
    size_t indexOf(std::string_view option) const;
    size_t indexOf(std::string_view option, std::string_view spelled) const;
    const OptionValue& at(std::string_view option) const;
    void spell();

    const std::vector<OptionInfo>* m_options;
    std::vector<std::optional<OptionValue>> m_values;  // parallel to the options
};

}
