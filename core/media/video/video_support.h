// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attnscope {

/// What this machine's FFmpeg can do for us, for `attnscope-cli doctor`.
struct VideoSupport {
    std::string version;                  ///< "5.1.9-0+deb12u1"
    std::vector<std::string> libraries;   ///< "libavcodec 59.37.100" …, as they run
    std::vector<std::string> containers;  ///< titles of those of our list that it reads
    std::vector<std::string> codecs;      ///< "h264", "hevc" …: of our list, those it decodes
    std::vector<std::string> missing;     ///< of our list, those it does not
    std::vector<std::string> hardware;    ///< "vaapi", "cuda" …: those that could be opened here and now
};

/// Opening hardware takes up to some hundred milliseconds.
VideoSupport videoSupport();

}  // namespace attnscope
