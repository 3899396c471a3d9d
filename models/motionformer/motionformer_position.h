#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// A grid of tokens over time.
struct TokenVolume {
    int64_t times = 1, rows = 1, columns = 1;

    int64_t places() const { return rows * columns; }
    friend auto operator<=>(const TokenVolume&, const TokenVolume&) = default;
};

/// Motionformer's position embeddings, and how they are adapted to another crop or clip length.
///
/// Separate: the class token gets row 0 of `space` and no time; token (t,p) gets space[1 + p] + time[t]. Joint: `space` has a row for every
/// token of `volume`. Another grid is resized with bicubic weights, a = −0.75, no antialiasing, with the factor itself in the coordinates:
/// the authors' rule. Another clip length is interpolated linearly: our own rule, since their loader leaves zeros.
struct MotionformerPosition {
    at::Tensor space;    ///< (1, 1 + side², C), or (1, 1 + times·side², C)
    at::Tensor time;     ///< (1,T',C); undefined where joint
    TokenVolume volume;  ///< of `space` and `time`

    /// (1, 1 + tokens, C), added to the tokens.
    at::Tensor of(const TokenVolume& wanted) const;
};

/// (1,T',C) → (1,times,C), linear, align_corners = false.
at::Tensor resizeTime(const at::Tensor& embedding, int64_t times);

}
