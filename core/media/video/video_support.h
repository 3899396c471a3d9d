#pragma once

#include <string>
#include <vector>

namespace attnscope {

/// What this machine's FFmpeg supports, for `attnscope-cli doctor`.
struct VideoSupport {
    std::string version;                  ///< "5.1.9-0+deb12u1"
    std::vector<std::string> libraries;   ///< "libavcodec 59.37.100" …, as loaded
    std::vector<std::string> containers;  ///< titles of the containers of our list that it reads
    std::vector<std::string> codecs;      ///< "h264", "hevc" …: codecs of our list that it decodes
    std::vector<std::string> missing;     ///< codecs of our list that it doesn't
    std::vector<std::string> hardware;    ///< "vaapi", "cuda" …: those that could be opened just now
};

/// Opening hardware takes up to several hundred milliseconds.
VideoSupport videoSupport();

}
