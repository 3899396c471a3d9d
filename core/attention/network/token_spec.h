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
    std::string name;   ///< "tome"
    std::string title;  ///< "Token merging"
    std::string help;   ///< one line
    std::string citation;
    std::vector<OptionInfo> options;
};

/// Every one, in the order in which they are shown.
const std::vector<TokenMethodInfo>& tokenMethods();

/// Where merged tokens stand.
enum class MergeOrder {
    Position,     ///< all that are left in their old order
    Concatenate,  ///< as published: tokens that found no partner, then their possible partners
};

/// A parsed `none` or `tome[:key=value[,key=value…]]`; r is always in its canonical spelling. `none` has the first method's defaults.
class TokenSpec : public OptionValues {
public:
    /// Throws UsageError, naming the alternatives.
    static TokenSpec parse(std::string_view text);
    /// All tokens stay.
    TokenSpec();

    bool isNone() const { return name() == "none"; }
    /// Whether any tokens merge: r = 0 is a specification, but no merging.
    bool merges() const { return merged() > 0; }
    /// r: tokens that each block merges, of a decreasing schedule the mean over blocks.
    int64_t merged() const { return isNone() ? 0 : integer("r"); }
    bool isDecreasing() const { return choice("schedule") == "decreasing"; }
    MergeOrder order() const
    {
        return choice("order") == "position" ? MergeOrder::Position : MergeOrder::Concatenate;
    }

    /// The same with one option changed; of `none` the first method with it. Throws UsageError like `parse`.
    TokenSpec with(std::string_view option, const std::optional<OptionValue>& value) const;

    /// How many tokens each of `layers` blocks merges, as far as there are enough: r in every block, or from 2r down to 0.
    std::vector<int64_t> schedule(int64_t layers) const;

private:
    TokenSpec(const TokenMethodInfo& info, std::string_view text)
        : OptionValues(info.name, info.options, text)
    {}
};

/// `none` and the names of all methods.
std::vector<std::string> tokenMethodNames();

}
