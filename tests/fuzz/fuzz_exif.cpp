#include "core/media/format/exif_orientation.h"

#include <cstdlib>
#include <string>

/// The block alone, as it lies in an image, and behind its usual beginning: an orientation of 1 … 8, whatever it holds.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto check = [](std::span<const uint8_t> block) {
        const int orientation = attnscope::exifOrientation(block);
        if (orientation < 1 || orientation > 8)
            std::abort();
    };
    check({data, size});
    // A copy of its own size, so that a read beyond the end is seen.
    std::vector<uint8_t> tiff{'I', 'I', 42, 0, 8, 0, 0, 0};
    tiff.insert(tiff.end(), data, data + size);
    check(tiff);
    tiff[0] = tiff[1] = 'M';
    std::swap(tiff[2], tiff[3]);
    std::swap(tiff[4], tiff[7]);
    check(tiff);
    return 0;
}
