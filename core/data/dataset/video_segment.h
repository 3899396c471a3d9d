#pragma once

#include <string>

namespace attnscope {

/// A part of a video that is a sample of its own. Its path ends with a media fragment (W3C, 2012): "P01_11.MP4#id=P01_11_3&t=14.1,17.5".
struct VideoSegment {
    std::string file;  ///< the path without the fragment
    double start = 0;  ///< s
    double end = 0;    ///< s; 0: it is the whole file
};

/// The parts of a path; of one without fragment, all of it.
VideoSegment segmentOf(const std::string& path);
/// The path of a segment with this name, which contains neither / nor &.
std::string segmentPath(const VideoSegment& segment, const std::string& name);

}
