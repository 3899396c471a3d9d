#include "core/media/video/video_source.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <vector>

namespace attnscope {

namespace {

std::string breakingOff(const VideoDamage& damage)
{
    if (*damage.endsAfter == 0)
        return "is truncated before its first frame";
    const std::string of = damage.expected && *damage.expected > *damage.endsAfter
                               ? fmt::format(" of about {}", *damage.expected)
                               : "";
    return fmt::format("is truncated after frame {}{}", *damage.endsAfter, of);
}

}

std::string VideoDamage::sentence(const std::string& name) const
{
    std::vector<std::string> parts;
    if (endsAfter)
        parts.push_back(breakingOff(*this));
    if (skipped > 0)
        parts.push_back(fmt::format("has {} that could not be decoded", counted(skipped, "damaged section")));
    if (concealed > 0)
        parts.push_back(fmt::format("has {} that the decoder concealed", counted(concealed, "damaged frame")));
    if (resized)
        parts.emplace_back("changes its frame size, so all frames were scaled to the size of the first");
    if (leftOutAfter)
        parts.push_back(fmt::format("is longer than {:.0f} s, and the rest was skipped", *leftOutAfter));
    if (parts.empty())
        return {};
    const bool lost = endsAfter || skipped > 0;
    return fmt::format("{} {}{}.", printable(name), fmt::join(parts, "; it "),
                       lost ? "; what could be decoded was used" : "");
}

}
