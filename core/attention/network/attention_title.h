#pragma once

#include "core/figure/table.h"

#include <string>
#include <vector>

/// How specifications of attentions are shown. Independent of torch; they may be of another build, and name what this one does not know.
namespace attnscope {

/// "lara" of "lara:samples=49"; "mixed" of an attention for each layer.
std::string backendOfSpec(const std::string& spec);
/// "lara 49", and with further options their text: "lara 49 · beta=2".
Text attentionTitle(const std::string& spec);
/// Cells that name attentions which stand side by side, each by its specification, in the window by its title. Of one backend, each has its
/// own look.
std::vector<Cell> attentionCells(const std::vector<std::string>& specs);
/// The same for what has specifications.
template <typename Rows>
std::vector<Cell> attentionCellsOf(const Rows& rows)
{
    std::vector<std::string> specs;
    for (const auto& row : rows)
        specs.push_back(row.attention);
    return attentionCells(specs);
}

}
