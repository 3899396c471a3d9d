// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/option.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// A parsed `name[:key=value[,key=value…]]`; a flag may be given by its name alone. Immutable; identified by its canonical
/// spelling: options in table order, defaults left out.
class AttentionSpec {
public:
    /// Throws UsageError, naming the alternatives, for an unknown backend or option or a value out of range.
    static AttentionSpec parse(std::string_view text);
    /// The name `native`: what the model's own description says.
    static AttentionSpec native();

    const std::string& backend() const { return m_backend; }
    bool isNative() const { return m_backend == "native"; }
    const std::string& canonical() const { return m_canonical; }

    /// The value of an option, or its default. Asking for an option that the backend does not have is a bug.
    std::int64_t integer(std::string_view option) const;
    double real(std::string_view option) const;
    const std::string& choice(std::string_view option) const;
    bool flag(std::string_view option) const;
    /// `seed=` of this specification, or `fallback` (the run's seed).
    std::uint64_t seedOr(std::uint64_t fallback) const;

    /// The same with one option changed. Throws UsageError as `parse` does.
    AttentionSpec with(std::string_view option, const OptionValue& value) const;

    friend bool operator==(const AttentionSpec& a, const AttentionSpec& b) { return a.m_canonical == b.m_canonical; }
    friend auto operator<=>(const AttentionSpec& a, const AttentionSpec& b) { return a.m_canonical <=> b.m_canonical; }

private:
    AttentionSpec() = default;
    const OptionValue* find(std::string_view option) const;
    void set(const OptionInfo& option, OptionValue value);
    void spell();

    std::string m_backend;
    std::vector<std::optional<OptionValue>> m_values;  // parallel to the backend's option table
    std::string m_canonical;
};

}  // namespace attnscope
