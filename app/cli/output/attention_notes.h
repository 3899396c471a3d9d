// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attnscope::cli {

/// What there is to say of one attention.
struct AttentionNotes {
    std::string attention;
    std::vector<std::string> notes;
};

/// Lines for people, each note once: behind the names of the attentions that it is about, or without names where it is about all of several.
std::vector<std::string> notesOnce(const std::vector<AttentionNotes>& attentions);

}  // namespace attnscope::cli
