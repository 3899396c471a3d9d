#pragma once

#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/transform.h"
#include "core/run/compare.h"

#include <QImage>
#include <QVector>

#include <functional>

namespace attnscope::ui {

/// The frames of a view as the model is fed them, back as small images of `side` pixels: (C,T,H,W), or (C,H,W) for a single frame.
/// Empty for another shape.
QVector<QImage> smallFrames(const FloatArray& view, const Transform& transform, int side = 64);

/// The same input; of a video, `seen` gets each view as the model is fed it, on the thread that loads it: looking costs no second
/// decoding.
InputSource watchViews(InputSource source, std::function<void(size_t view, const FloatArray& values)> seen);

}
