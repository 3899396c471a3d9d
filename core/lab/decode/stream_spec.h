// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/option.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Causal mechanisms that take tokens one at a time, as `name:key=value,…`. Independent of torch.
namespace attnscope {

enum class StreamKind { Cache, Window, Alibi, TransformerXl, Compressive, Retrieval, Elu, Rfa, Performer };

/// Everything that the program knows about a mechanism before it runs.
struct StreamInfo {
    StreamKind kind = StreamKind::Cache;
    std::string name, title, help, citation;
    std::vector<OptionInfo> options;
    bool random = false;         ///< has random features, from `seed`
    bool constantState = false;  ///< the state does not grow with the position
    std::string look = {};       ///< in figures it looks like this attention; empty: like that of its name
};

/// The mechanisms, in the order in which help lists them; the first is exact causal attention.
[[nodiscard]] const std::vector<StreamInfo>& streamInfos();
/// Null if there is none of that name.
[[nodiscard]] const StreamInfo* findStream(std::string_view name);
[[nodiscard]] std::vector<std::string> streamNames();

/// A parsed mechanism. Immutable, and identified by its canonical spelling: options in the order of the table, defaults left out.
class StreamSpec {
public:
    /// Throws UsageError, naming the alternatives, for an unknown mechanism or option or a value out of range.
    static StreamSpec parse(std::string_view text);

    [[nodiscard]] const StreamInfo& info() const { return *m_info; }
    [[nodiscard]] StreamKind kind() const { return m_info->kind; }
    [[nodiscard]] const std::string& canonical() const { return m_canonical; }

    /// The value of an option, or its default. Must not be called for an option that the mechanism doesn't have.
    [[nodiscard]] std::int64_t integer(std::string_view option) const;
    [[nodiscard]] double real(std::string_view option) const;
    [[nodiscard]] const std::string& choice(std::string_view option) const;
    [[nodiscard]] bool flag(std::string_view option) const;
    /// `seed=` of this mechanism, or `fallback` (the run's seed).
    [[nodiscard]] std::uint64_t seedOr(std::uint64_t fallback) const;
    /// The same with one option changed. Throws UsageError like `parse`.
    [[nodiscard]] StreamSpec with(std::string_view option, const OptionValue& value) const;

    friend bool operator==(const StreamSpec& a, const StreamSpec& b) { return a.m_canonical == b.m_canonical; }

private:
    explicit StreamSpec(const StreamInfo& info);
    [[nodiscard]] std::size_t indexOf(std::string_view option, std::string_view spelled) const;
    [[nodiscard]] const OptionValue* find(std::string_view option) const;
    void spell();

    const StreamInfo* m_info;
    std::vector<std::optional<OptionValue>> m_values;  // parallel to the table of options
    std::string m_canonical;
};

/// Widths of one head of a stream: q and k have `width` channels (D), v has `valueWidth` (Dv), the random features are `samples` (S; a
/// hyperbolic map has twice as many).
struct StreamShape {
    std::int64_t width = 1, valueWidth = 1, samples = 0;
};

struct StreamCost {
    std::int64_t stateElements = 0;  ///< numbers that must be kept for the next step, of one head
    std::int64_t multiplyAdds = 0;   ///< of the step itself, of one head; constant matrices (ω) are not state
};

/// State after step t = 1, 2, … and multiply-adds of that step, in closed form: with n keys kept, n(D + Dv) of both for what keeps keys;
/// D·Dv + D and D·Dv + D(Dv + 1) for elu; 2S·Dv + 2S (one more for norm=exact) and 2SD + 4S·Dv + 2S for rfa; S(Dv + 2) and
/// S(2D + 2Dv + 1) for performer. Most-used compression keeps one more number for each key that may still be compressed; retrieval reads
/// keys of all o older tokens and min(topk, o) of their values.
[[nodiscard]] StreamCost streamCost(const StreamSpec& spec, const StreamShape& shape, std::int64_t t);

}  // namespace attnscope
