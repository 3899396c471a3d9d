#include "core/lab/layers/opened_input.h"

namespace attnscope {

NetworkInput openMeasuredView(const InputSource& source, const Classifier& classifier)
{
    if (!source.load)
        return {};  // tensors: their layers are given
    const LoadedInput loaded = source.load();
    if (const auto* array = std::get_if<FloatArray>(&loaded))
        return networkInput(*array, classifier);
    if (const auto* video = std::get_if<VideoViews>(&loaded))
        return networkInput(video->view(size_t(video->grid.clips / 2 * video->grid.crops + video->grid.crops / 2)),
                            classifier);
    const Clip& clip = std::get<Clip>(loaded);
    if (classifier.describe().input.size() == 4 && clip.frames == 1)
        throw UsageError("", "it is an image, but " + classifier.describe().name + " takes clips", "give a video");
    return networkInput(clip, classifier);
}

int64_t queriedToken(const TokenQuery& query, const TokenLayout& tokens, int64_t count, const TokenGrid& first)
{
    if (query.classToken) {
        if (tokens.prefix == 0)
            throw QueryError("--query", "these queries have no class token", "specify a patch as ROW,COLUMN");
        return 0;
    }
    if (!tokens.hasGrid()) {
        if (query.row != 0 || query.column < 0 || query.column >= count)
            throw QueryError("--query", "these tokens are not on a grid, and this one does not exist",
                             "write 0,TOKEN, from 0 to " + std::to_string(count - 1));
        return query.column;
    }
    if (query.row < 0 || query.row >= first.rows || query.column < 0 || query.column >= first.columns
        || query.frame < 0 || query.frame >= tokens.frames)
        throw QueryError("--query", "this patch does not exist",
                         "rows are 0 to " + std::to_string(first.rows - 1) + ", columns 0 to "
                             + std::to_string(first.columns - 1) + ", frames 0 to "
                             + std::to_string(tokens.frames - 1));
    const int64_t row = query.row * tokens.rows / first.rows,
                  column = query.column * tokens.columns / first.columns;
    return tokens.prefix + (query.frame * tokens.rows + row) * tokens.columns + column;
}

SafetensorsEntry entryOf(const std::vector<std::vector<float>>& rows)
{
    SafetensorsEntry entry;
    entry.type = ElementType::Float32;
    const size_t width = rows.empty() ? 0 : rows.front().size();
    entry.shape = {int64_t(rows.size()), int64_t(width)};
    for (const auto& row : rows) {
        const auto* begin = reinterpret_cast<const std::byte*>(row.data());
        entry.bytes.insert(entry.bytes.end(), begin, begin + row.size() * sizeof(float));
    }
    return entry;
}

}
