// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The photographs that demo data are made of, and which part of each is whose.
namespace attnscope {

enum class Split { Training, Validation };
/// "train" or "val".
std::string splitName(Split split);

/// Whole pixels of a photograph.
struct Region {
    std::int64_t left = 0, top = 0, width = 0, height = 0;
    friend bool operator==(const Region&, const Region&) = default;
};

enum class Cut { LeftToRight, TopToBottom };

/// A band straight across a photograph is for validation, the rest for training, so that both show what it is of.
struct ScenePhoto {
    std::string_view name;         ///< the class; NAME.jpg is the file
    Cut cut = Cut::LeftToRight;    ///< along which side the band is measured
    double begin = 0.58, end = 1;  ///< of the band, as shares of that side
    bool movable = true;           ///< has enough detail to see how a camera moves over it
};

/// The twelve, by name.
std::span<const ScenePhoto> scenePhotos();

/// The one or two parts of a photograph of width × height that `split` may look at. Between parts of different splits 16 pixels belong to
/// neither, so that they share no block of the JPEG.
std::vector<Region> regionsOf(const ScenePhoto& photo, std::int64_t width, std::int64_t height, Split split);

/// The smallest width and the smallest height of all parts of both splits: what fits into it fits everywhere.
struct RoomEverywhere {
    std::int64_t width = 0, height = 0;
};
RoomEverywhere roomEverywhere(const ScenePhoto& photo, std::int64_t width, std::int64_t height);

}  // namespace attnscope
