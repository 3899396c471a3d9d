#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The photographs from which demo data are made, and how each is divided between the splits.
namespace attnscope {

enum class Split { Training, Validation };
/// "train" or "val".
std::string splitName(Split split);

enum class Cut { LeftToRight, TopToBottom };

/// A band across a photograph is for validation, the rest for training, so that both show its subject.
struct ScenePhoto {
    std::string_view name;         ///< the class; NAME.jpg is the file
    Cut cut = Cut::LeftToRight;    ///< along which side the band is measured
    double begin = 0.58, end = 1;  ///< of the band, as fractions of that side
    bool movable = true;           ///< has enough detail for camera motion to be visible
};

/// The twelve, by name.
std::span<const ScenePhoto> scenePhotos();

/// The one or two parts of a photograph of width × height that `split` may use. Between parts of different splits 16 pixels belong to
/// neither, so that they share no JPEG block.
std::vector<PixelWindow> regionsOf(const ScenePhoto& photo, int64_t width, int64_t height, Split split);

/// The smallest width and the smallest height of all parts of both splits: a window that fits these fits everywhere.
FrameSize roomEverywhere(const ScenePhoto& photo, int64_t width, int64_t height);

}
