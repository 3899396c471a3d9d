#include "core/data/dataset/video_segment.h"

#include "core/base/number.h"

#include <fmt/format.h>

namespace attnscope {

VideoSegment segmentOf(const std::string& path)
{
    const size_t name = path.rfind("#id="), times = path.rfind("&t=");
    if (name == std::string::npos || times == std::string::npos || times < name)
        return {path};
    const auto range = parsePair<double>(std::string_view(path).substr(times + 3), ",");
    return range && range->first < range->second ? VideoSegment{path.substr(0, name), range->first, range->second}
                                                 : VideoSegment{path};
}

std::string segmentPath(const VideoSegment& segment, const std::string& name)
{
    return fmt::format("{}#id={}&t={},{}", segment.file, name, segment.start, segment.end);
}

}
