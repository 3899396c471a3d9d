#pragma once

#include "core/base/text.h"
#include "core/figure/table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope::cli {

/// On standard output, within its terminal; `indent` spaces head each line.
std::string terminalTable(const Table& table, size_t indent = 0);

/// Bold where standard output is a terminal that may show it, else the text itself.
std::string emphasised(std::string_view text);

/// What a report comes to, and below it how it was measured.
template <typename Report>
std::string head(const Report& report)
{
    return emphasised(english(verdict(report))) + "\n  " + english(conditions(report)) + "\n";
}

/// Lines for people of what there is to say (`notes`) of each `attention`, each note once: behind the names of the
/// attentions that it is about, or without names where it is about all of several.
template <typename Runs>
std::vector<std::string> notesOnce(const Runs& runs)
{
    std::vector<std::pair<std::string, std::vector<std::string>>>
        owners;  // of each note, in the order of their first
    for (const auto& run : runs)
        for (const std::string& note : run.notes) {
            auto found = std::find_if(owners.begin(), owners.end(),
                                      [&](const auto& entry) { return entry.first == note; });
            if (found == owners.end())
                found = owners.insert(found, {note, {}});
            if (std::find(found->second.begin(), found->second.end(), run.attention) == found->second.end())
                found->second.push_back(run.attention);
        }
    std::vector<std::string> lines;
    for (const auto& [note, names] : owners) {
        const bool ofAll = names.size() > 1 && names.size() == runs.size();
        lines.push_back(ofAll ? note : joinWords(names, "and") + ": " + note);
    }
    return lines;
}

}
