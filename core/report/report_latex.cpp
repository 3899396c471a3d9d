#include "core/base/text.h"
#include "core/report/report.h"

#include <type_traits>

namespace attnscope {

std::string reportLatex(const Report& report)
{
    const auto comment = [](const std::string& text) { return "% " + printable(text) + "\n"; };
    std::string all = comment(report.title) + comment(report.subtitle);
    for (const auto& block : report.blocks)
        all += std::visit(
            [&](const auto& one) -> std::string {
                using Block = std::decay_t<decltype(one)>;
                if constexpr (std::is_same_v<Block, Table>)
                    return "\n" + latex(one) + "\n";
                else if constexpr (std::is_same_v<Block, Heading> || std::is_same_v<Block, Paragraph>)
                    return comment(one.text);
                else
                    return {};  // figures and commands
            },
            block);
    return all;
}

}
