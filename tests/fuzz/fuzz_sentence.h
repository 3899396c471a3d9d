#pragma once

#include "core/base/error.h"
#include "core/base/text.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace attnscope::fuzz {

inline void requireThat(bool holds)
{
    if (!holds)
        std::abort();
}

/// Whatever an input says, `work` succeeds or throws an Error of one printable sentence; anything else ends the process.
template <typename Work>
void expectSentence(const Work& work)
{
    try {
        work();
    } catch (const Error& error) {
        const std::string_view text = error.what();
        requireThat((text.ends_with('.') || text.ends_with('?')) && printable(text) == text);
    }
}

}
