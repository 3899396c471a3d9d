#pragma once

#include "core/base/format.h"

#include <QString>

#include <string_view>

namespace attnscope::ui {

/// What the engine calls axes and steps ("tokens", "lara:samples=49 · end to end"), in the window's language. Specifications, and what is
/// not among the words that have a translation, stay as they are.
QString engineText(std::string_view words);
/// "about 3 min": how long something still takes.
inline QString remainingText(double seconds)
{
    return engineText(formatRemaining(seconds));
}

}
