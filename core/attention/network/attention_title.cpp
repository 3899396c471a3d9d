#include "core/attention/network/attention_title.h"

#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/figure/series_keys.h"

#include <cctype>

namespace attnscope {

namespace {

/// "0-3=lara;8=softmax": an attention for each layer.
bool isMixedSpec(const std::string& spec)
{
    return !spec.empty() && std::isdigit(static_cast<unsigned char>(spec.front())) != 0;
}

/// The number of samples, also where it is the default and left out of the spelling.
std::string samplesOfSpec(const std::string& spec)
{
    try {
        const std::optional<int64_t> samples = AttentionSpec::parse(spec).samples();
        return samples ? " " + std::to_string(*samples) : "";
    } catch (const Error&) {
        return "";
    }
}

}

std::string backendOfSpec(const std::string& spec)
{
    return isMixedSpec(spec) ? "mixed" : spec.substr(0, spec.find_first_of(";:"));
}

Text attentionTitle(const std::string& spec)
{
    if (isMixedSpec(spec))
        return spec;
    std::vector<Text> others;
    const std::string attention = spec.substr(0, spec.find(';'));
    if (const size_t options = attention.find(':'); options != std::string::npos)
        for (const std::string_view option : split(std::string_view(attention).substr(options + 1), ','))
            if (!option.empty() && !option.starts_with("samples="))
                others.emplace_back(std::string(option));
    if (const std::string tokens = tokensOf(spec); !tokens.empty())
        others.emplace_back(tokens);
    if (const std::string weights = weightsOf(spec); !weights.empty())
        others.push_back(ATTN_TEXT("%1 weights").arg(weights));
    if (const std::string dtype = dtypeOf(spec); !dtype.empty())
        others.emplace_back(dtype);
    constexpr std::string_view named = ";checkpoint=";  // the last part
    if (const size_t at = spec.find(named); at != std::string::npos)
        others.push_back(ATTN_TEXT("network %1").arg(spec.substr(at + named.size())));
    const Text title = backendOfSpec(spec) + samplesOfSpec(spec);
    return others.empty() ? title : joined({title, joined(others, ", ")}, " · ");
}

std::vector<Cell> attentionCells(const std::vector<std::string>& specs)
{
    const std::vector<std::string> looks = seriesKeys(specs);
    std::vector<Cell> cells;
    for (size_t i = 0; i < specs.size(); ++i)
        cells.push_back({.text = specs[i], .title = attentionTitle(specs[i]), .look = looks[i], .help = specs[i]});
    return cells;
}

}
