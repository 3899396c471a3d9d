#include "core/figure/outlines.h"

#include <cmath>
#include <map>
#include <utility>

namespace attnscope {

std::vector<GroupOutline> groupOutlines(const std::vector<int32_t>& groups, int64_t rows, int64_t columns)
{
    constexpr double goldenRatio = 0.618033988749895;  // multiples of it, modulo 1, stay far from each other
    std::map<int32_t, GroupOutline> known;
    const auto at = [&](int64_t row, int64_t column) {
        const bool outside = row < 0 || column < 0 || row >= rows || column >= columns;
        return outside ? -1 : groups.at(size_t(row * columns + column));
    };
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column) {
            const int32_t own = at(row, column);
            const auto x = int32_t(column), y = int32_t(row);
            GroupOutline& outline = known[own];
            outline.group = own;
            outline.cells += 1;
            if (at(row - 1, column) != own)
                outline.edges.push_back({x, y, x + 1, y});
            if (at(row + 1, column) != own)
                outline.edges.push_back({x, y + 1, x + 1, y + 1});
            if (at(row, column - 1) != own)
                outline.edges.push_back({x, y, x, y + 1});
            if (at(row, column + 1) != own)
                outline.edges.push_back({x + 1, y, x + 1, y + 1});
        }
    std::vector<GroupOutline> outlines;
    for (auto& [group, outline] : known) {
        if (outline.cells < 2)
            continue;
        outline.hue = std::fmod(double(outlines.size()) * goldenRatio, 1.0);
        outlines.push_back(std::move(outline));
    }
    return outlines;
}

}
