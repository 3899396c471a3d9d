#include "app/cli/output/patch_images.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#ifdef ATTNSCOPE_MEDIA
#include "core/media/image/image_writer.h"
#endif

#include <algorithm>
#include <string>
#include <system_error>

namespace attnscope::cli {

#ifdef ATTNSCOPE_MEDIA

namespace {

constexpr int64_t pixelsPerPatch = 16;

/// Without smoothing.
Clip enlarged(const Clip& colours)
{
    const int64_t side = pixelsPerPatch;
    Clip image = blankClip(1, colours.height * side, colours.frames * colours.width * side);
    uint8_t* to = image.pixels.data();
    for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < image.width; ++x, to += 3) {
            const int64_t column = x / side;
            const uint8_t* from = colours.frame(column / colours.width)
                                  + (y / side * colours.width + column % colours.width) * 3;
            std::copy_n(from, 3, to);
        }
    return image;
}

/// "0-cat-lara:samples=49.png": the number of the input, its name without folder and suffix, the attention. No file system takes names
/// longer than 255 bytes; a longer attention is named by its number.
std::filesystem::path fileOf(size_t input, const std::string& path, const std::string& attention, size_t run)
{
    constexpr size_t longestStem = 100, longestAttention = 120;
    const std::string stem = std::filesystem::path(path).stem().string().substr(0, longestStem);
    return std::to_string(input) + "-" + stem + "-"
           + (attention.size() > longestAttention ? "attention-" + std::to_string(run) : attention) + ".png";
}

}

void preparePatchImages(const std::filesystem::path& folder)
{
    createFolders(folder);
    requireWritable(folder / "image.png");
}

void writePatchImages(const RunReport& report, const std::filesystem::path& folder, Json& json)
{
    for (size_t i = 0; i < report.inputs.size(); ++i) {
        const InputRecord& input = report.inputs[i];
        const FeatureDrift* first =
            nullptr;  // whose exact attention is that of the others, unless their keys differ
        for (size_t r = 0; r < input.runs.size(); ++r) {
            const RunRecord& run = input.runs[r];
            if (!run.featureDrift || run.featureDrift->exactColours.pixels.empty())
                continue;
            const FeatureDrift& drift = *run.featureDrift;
            first = first == nullptr ? &drift : first;
            const bool sameExact = drift.exactColours.pixels == first->exactColours.pixels;
            const auto exact = folder
                               / fileOf(i, input.path, sameExact ? "exact" : "exact for " + run.attention, r);
            Json& features = json["inputs"][i]["runs"][r]["features"];
            if (&drift == first || !sameExact)
                writePng(exact, enlarged(drift.exactColours), 0);
            features["exact_image"] = jsonPath(exact.string());
            if (drift.colours.pixels.empty())
                continue;  // not finite
            const auto own = folder / fileOf(i, input.path, run.attention, r);
            writePng(own, enlarged(drift.colours), 0);
            features["image"] = jsonPath(own.string());
        }
    }
}

#else

void preparePatchImages(const std::filesystem::path& folder)
{
    throw Unsupported(folder.string(), "this build cannot write images",
                      "build with ATTNSCOPE_MEDIA, or leave out --pca");
}

void writePatchImages(const RunReport&, const std::filesystem::path&, Json&) {}

#endif

}
