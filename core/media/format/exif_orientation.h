#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>
#include <span>

namespace attnscope {

/// Tag 0x0112 of the first directory of an EXIF block (a TIFF structure, with or without a leading "Exif\0\0"): 1 … 8. 1 (upright) if the
/// tag is missing or the block is damaged: damaged metadata don't make an image unreadable.
int exifOrientation(std::span<const uint8_t> block);

/// Rotates and mirrors the frames by an orientation of 1 … 8; 5 … 8 swap height and width. The result is upright.
void applyOrientation(Clip& clip, int orientation);

}
