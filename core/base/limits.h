#pragma once

#include <cstdint>

namespace attnscope {

/// What an untrusted file may require. Checked from headers, before anything is allocated or decoded.
struct Limits {
    int64_t imageBytes = int64_t{512} << 20;  ///< size of an image file
    int64_t imagePixels = 100'000'000;        ///< width × height
    int64_t imageSide = 16'384;               ///< pixels

    int64_t videoPixels = 36'000'000;      ///< width × height of a frame: 8K
    int64_t videoStreams = 16;             ///< per container, including sound and subtitles
    double videoSeconds = 24 * 3600;       ///< maximum length that is read of a video
    int64_t clipBytes = int64_t{2} << 30;  ///< decoded frames that one request may hold at the same time
    double videoStallSeconds = 10;         ///< time without a frame after which a video is given up

    int64_t safetensorsHeaderBytes = int64_t{16} << 20;
    int64_t tensors = 65'536;  ///< per checkpoint
    int64_t tensorRank = 8;
    int64_t pickleDepth = 64;  ///< nesting of containers
    int64_t pickleMemo = 1'000'000;
    int64_t pickleOperations = 50'000'000;
    int64_t pickleStringBytes = int64_t{16} << 20;
    int64_t zipEntries = 131'072;
    int64_t jsonBytes = int64_t{16} << 20;  ///< a model description or label file

    friend bool operator==(const Limits&, const Limits&) = default;
};

}
