// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>
#include <span>

namespace attnscope {

/// Tag 0x0112 of the first directory of an EXIF block (a TIFF structure, with or without "Exif\0\0" before it): 1 … 8.
/// 1 (upright) when the tag is missing or the block is damaged: a picture is not refused for its notes.
int exifOrientation(std::span<const std::uint8_t> block);

/// Turns and mirrors the frames as an orientation of 1 … 8 asks; 5 … 8 swap height and width. Nothing is left to apply then.
void applyOrientation(Clip& clip, int orientation);

}  // namespace attnscope
