#include "ui/engine/view_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace attnscope::ui {

namespace {

/// One frame, whose planes of `pixels` values begin `planeStride` apart.
QImage still(const float* first, size_t planeStride, int width, int height, const Transform& transform, int side)
{
    QImage image(width, height, QImage::Format_RGB888);
    for (int y = 0; y < height; ++y) {
        uchar* row = image.scanLine(y);
        for (int x = 0; x < width; ++x)
            for (size_t c = 0; c < 3; ++c) {
                const float value = first[c * planeStride + size_t(y) * size_t(width) + size_t(x)];
                const float level = (value * transform.stddev[c] + transform.mean[c]) * 255.0f;
                row[size_t(x) * 3 + c] = static_cast<uchar>(std::lround(std::clamp(level, 0.0f, 255.0f)));
            }
    }
    return image.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

}

QVector<QImage> smallFrames(const FloatArray& view, const Transform& transform, int side)
{
    const size_t rank = view.shape.size();
    if ((rank != 3 && rank != 4) || view.shape[0] != 3)
        return {};
    const int64_t frames = rank == 4 ? view.shape[1] : 1;
    const int64_t height = view.shape[rank - 2], width = view.shape[rank - 1];
    const auto pixels = size_t(height * width);
    QVector<QImage> stills;
    for (int64_t t = 0; t < frames; ++t)
        stills.push_back(still(view.values.data() + size_t(t) * pixels, size_t(frames) * pixels, int(width),
                               int(height), transform, side));
    return stills;
}

InputSource watchViews(InputSource source, std::function<void(size_t view, const FloatArray& values)> seen)
{
    if (source.kind != "video")
        return source;
    source.load = [seen = std::move(seen), load = std::move(source.load)] {
        VideoViews views = std::get<VideoViews>(load());
        views.view = [seen, inner = std::move(views.view)](size_t view) {
            FloatArray values = inner(view);
            seen(view, values);
            return values;
        };
        return LoadedInput(std::move(views));
    };
    return source;
}

}
