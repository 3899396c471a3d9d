#pragma once

#include <cstdint>
#include <vector>

/// Groups of cells of a grid, drawn as outlines over an image.
namespace attnscope {

/// A line between the corners (x,y) of cells, in cells from the upper left.
struct OutlineEdge {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// The cells of one group, wherever in the grid they lie.
struct GroupOutline {
    int32_t group = 0;
    int32_t cells = 0;
    double hue = 0;  ///< 0 to 1: that of the next group is far from it
    std::vector<OutlineEdge> edges;
};

/// Of every group with more than one cell: `groups` is row-major, rows × columns. An edge between two groups belongs to both.
std::vector<GroupOutline> groupOutlines(const std::vector<int32_t>& groups, int64_t rows, int64_t columns);

}
