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
const std::vector<StreamInfo>& streamInfos();
/// Null if there is none of that name.
const StreamInfo* findStream(std::string_view name);
std::vector<std::string> streamNames();

/// A parsed mechanism.
class StreamSpec : public OptionValues {
public:
    /// Throws UsageError, naming the alternatives, for an unknown mechanism or option or a value out of range.
    static StreamSpec parse(std::string_view text);

    const StreamInfo& info() const { return *m_info; }
    StreamKind kind() const { return m_info->kind; }
    /// The same with one option changed. Throws UsageError like `parse`.
    StreamSpec with(std::string_view option, const std::optional<OptionValue>& value) const;

private:
    StreamSpec(const StreamInfo& info, std::string_view text)
        : OptionValues(info.name, info.options, text)
        , m_info(&info)
    {}

    const StreamInfo* m_info;
};

/// Widths of one head of a stream: q and k have `width` channels (D), v has `valueWidth` (Dv), the random features are `samples` (S; a
/// hyperbolic map has twice as many).
struct StreamShape {
    int64_t width = 1, valueWidth = 1, samples = 0;
};

struct StreamCost {
    int64_t stateElements = 0;  ///< numbers that must be kept for the next step, of one head
    int64_t multiplyAdds = 0;   ///< of the step itself, of one head; constant matrices (ω) are not state
};

/// State after step t = 1, 2, … and multiply-adds of that step, in closed form: with n keys kept, n(D + Dv) of both for what keeps keys;
/// D·Dv + D and D·Dv + D(Dv + 1) for elu; 2S·Dv + 2S (one more for norm=exact) and 2SD + 4S·Dv + 2S for rfa; S(Dv + 2) and
/// S(2D + 2Dv + 1) for performer. Most-used compression keeps one more number for each key that may still be compressed; retrieval reads
/// keys of all o older tokens and min(topk, o) of their values.
StreamCost streamCost(const StreamSpec& spec, const StreamShape& shape, int64_t t);

}
