// Reads images as the product does, for tests/bench/pillow_pictures.py to compare:
//
//     read_images < LIST        a path a line
//
// For each path it writes a line and what the line announces: `pixels WIDTH HEIGHT`, then the bytes of (H,W,3) RGB; `refused SENTENCE`; or
// `differs WIDTH HEIGHT`, where a crop that reads only a part of the image is not the crop of the whole image.
#include "core/base/error.h"
#include "core/data/preprocess/transform.h"
#include "core/media/image/decoder_process.h"

#include <cstdio>
#include <iostream>
#include <string>

using namespace attnscope;

namespace {

Transform smallCrop()
{
    Transform transform;
    transform.resize = 40;
    transform.cropHeight = transform.cropWidth = 24;
    return transform;
}

void writePixels(DecoderProcess& decoder, const std::string& path)
{
    const Clip clip = decoder.read(path);
    const bool agree = decoder.readCrop(path, smallCrop()).pixels == resizeAndCrop(clip, smallCrop()).pixels;
    std::printf("%s %lld %lld\n", agree ? "pixels" : "differs", static_cast<long long>(clip.width),
                static_cast<long long>(clip.height));
    if (agree)
        std::fwrite(clip.pixels.data(), 1, clip.pixels.size(), stdout);
}

}

int main()
{
    DecoderProcess decoder;
    for (std::string path; std::getline(std::cin, path);) {
        try {
            writePixels(decoder, path);
        } catch (const FileError& error) {
            std::printf("refused %s\n", error.what());
        } catch (const std::exception& error) {
            std::fprintf(stderr, "read_images: %s\n", error.what());
            return 1;
        }
        std::fflush(stdout);
    }
    return 0;
}
