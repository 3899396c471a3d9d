#include "core/lab/layers/dumped_layers.h"

#include "core/attention/landmarks.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/device.h"
#include "core/lab/attend/dumped_tensors.h"

#include <algorithm>
#include <string_view>

namespace attnscope {

namespace {

/// "14x14" and "8" in a header that names no backend.
DumpedLayout plainLayout(const Json& metadata, const std::string& file)
{
    DumpedLayout layout;
    const auto textOf = [&](const char* key) {
        const auto found = metadata.find(key);
        return found != metadata.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto number = [&](std::string_view text, const char* key) {
        const auto value = parseNumber<int64_t>(text);
        if (!value || *value < 1)
            throw FileError(file, std::string("`") + key + "` in its header is `" + printable(textOf(key)) + "`",
                            "write grid as ROWSxCOLUMNS, frames as a number");
        return *value;
    };
    if (const std::string grid = textOf("grid"); !grid.empty()) {
        const size_t cross = std::min(grid.find('x'), grid.size() - 1);
        layout.grid = TokenGrid{number(std::string_view(grid).substr(0, cross), "grid"),
                                number(std::string_view(grid).substr(cross + 1), "grid")};
    }
    if (const std::string frames = textOf("frames"); !frames.empty())
        layout.frames = number(frames, "frames");
    return layout;
}

/// The grid of a file that doesn't state it: a square, as for images, possibly after a class token.
std::optional<TokenGrid> squareOf(int64_t tokens)
{
    for (const int64_t patches : {tokens, tokens - 1})
        if (const int64_t side = patches > 0 ? squareRoot(patches) : 0; side > 0)
            return TokenGrid{side, side};
    return std::nullopt;
}

TokenLayout layoutOf(const TensorFile& dump, const DumpedLayout& header, int64_t tokens)
{
    std::optional<TokenGrid> grid = dump.grid ? dump.grid : header.grid;
    int64_t frames = dump.grid ? 1 : header.frames;
    if (!grid && header.frames > 1)
        return {};  // the number of tokens per frame is unknown
    if (!grid)
        grid = squareOf(tokens), frames = 1;
    if (!grid)
        return {};
    const bool fits = grid->rows <= tokens && grid->columns <= tokens / grid->rows
                      && frames <= tokens / (grid->rows * grid->columns);
    const int64_t prefix = fits ? tokens - frames * grid->rows * grid->columns : -1;
    const bool stated = !dump.grid && header.prefix == prefix;
    if (prefix < 0 || (prefix > 2 && !stated))
        throw FileError(dump.file.string(),
                        "its " + std::to_string(tokens) + " tokens do not fill a grid of "
                            + std::to_string(grid->rows) + "×" + std::to_string(grid->columns)
                            + (frames > 1 ? " in " + std::to_string(frames) + " frames" : std::string()),
                        "rows times columns must be the number of tokens minus one or two class tokens");
    return {prefix, frames, grid->rows, grid->columns};
}

DumpedCase describedBy(const Json& metadata, const std::string& file)
{
    try {
        const auto cases = dumpedCases(metadata, file);
        return cases.size() == 1 ? cases.front() : DumpedCase{};
    } catch (const FileError&) {
        return {};  // metadata about a backend are irrelevant here, where only q, k and v are used
    }
}

}

AttentionInput readDumpedLayers(const TensorFile& dump)
{
    const std::string name = dump.file.string();
    const StateDict file = readSafetensors(openFile(dump.file), dump.limits);
    const DumpedCase described = describedBy(file.metadata, name);
    AttentionInput in = readDumpedTensors(
                            file, name, {},
                            {at::Device(resolveDevice(dump.device)), "auto", dump.temperature, NoiseOrigin::Drawn})
                            .input;
    // Landmarks in a file are only valid for their own number.
    in.queryLandmarks = in.keyLandmarks = in.valueLandmarks = in.gate = at::Tensor();
    const DumpedLayout layout = described.backend.empty() ? plainLayout(file.metadata, name)
                                                          : dumpedLayout(described, name);
    in.tokens = layoutOf(dump, layout, in.q.size(2));
    return in;
}

}
