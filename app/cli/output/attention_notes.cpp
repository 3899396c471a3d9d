// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/attention_notes.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace attnscope::cli {

std::vector<std::string> notesOnce(const std::vector<AttentionNotes>& attentions)
{
    std::vector<std::pair<std::string, std::vector<std::string>>> owners;  // of each note, in the order of their first
    for (const AttentionNotes& one : attentions)
        for (const std::string& note : one.notes) {
            auto found = std::find_if(owners.begin(), owners.end(), [&](const auto& entry) { return entry.first == note; });
            if (found == owners.end())
                found = owners.insert(found, {note, {}});
            if (std::find(found->second.begin(), found->second.end(), one.attention) == found->second.end())
                found->second.push_back(one.attention);
        }
    std::vector<std::string> lines;
    for (const auto& [note, names] : owners) {
        const bool ofAll = names.size() > 1 && names.size() == attentions.size();
        lines.push_back(ofAll ? note : joinWords(names, "and") + ": " + note);
    }
    return lines;
}

}  // namespace attnscope::cli
