#include "core/attention/numerics/fallback_note.h"

#include "core/base/format.h"

#include <algorithm>

namespace attnscope {

bool FallbackCount::isIn(const std::vector<std::string>& notes) const
{
    return std::ranges::any_of(notes, [this](const std::string& note) { return note.ends_with(clause); });
}

void FallbackCount::addTo(std::vector<std::string>& notes, std::string_view unit) const
{
    if (isIn(notes))
        return;
    notes.push_back(of == 0 ? clause
                            : "in " + formatCount(heads) + " of " + formatCount(of) + " " + std::string(unit) + " "
                                  + clause);
}

}
