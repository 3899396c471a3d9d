// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

/// The style of a series in any figure, however it is drawn: window, SVG or report. Independent of Qt and torch.
namespace attnscope {

struct MarkPoint {
    double x = 0, y = 0;  ///< y grows downwards
};

enum class Mark { Disc, TriangleUp, TriangleDown, Diamond, Square, Pentagon, Plus, Hexagon, Cross, TriangleRight, Ring, TriangleLeft, Star, Hourglass, Bar, Chevron };

/// A regular polygon of `corners` on a circle of `radius`, its first corner at `degrees` (0: right, −90: up).
inline std::vector<MarkPoint> regularPolygon(int corners, double degrees, double radius = 1)
{
    constexpr double toRadians = 3.14159265358979323846 / 180;
    std::vector<MarkPoint> points;
    for (int i = 0; i < corners; ++i) {
        const double angle = (degrees + 360.0 * i / corners) * toRadians;
        points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    return points;
}

/// A plus sign as a polygon of twelve corners, turned by `degrees`.
inline std::vector<MarkPoint> plusPolygon(double degrees)
{
    constexpr double arm = 0.36;
    const double turn = degrees * 3.14159265358979323846 / 180;
    constexpr std::array<MarkPoint, 12> upright{{{-arm, -1}, {arm, -1}, {arm, -arm}, {1, -arm}, {1, arm}, {arm, arm},
                                                 {arm, 1}, {-arm, 1}, {-arm, arm}, {-1, arm}, {-1, -arm}, {-arm, -arm}}};
    std::vector<MarkPoint> points;
    for (const MarkPoint& p : upright)
        points.push_back({p.x * std::cos(turn) - p.y * std::sin(turn), p.x * std::sin(turn) + p.y * std::cos(turn)});
    return points;
}

/// Five points, the inner corners at half the radius.
inline std::vector<MarkPoint> starPolygon()
{
    const std::vector<MarkPoint> outer = regularPolygon(5, -90, 1.2), inner = regularPolygon(5, -54, 0.6);
    std::vector<MarkPoint> points;
    for (std::size_t i = 0; i < outer.size(); ++i) {
        points.push_back(outer[i]);
        points.push_back(inner[i]);
    }
    return points;
}

/// The outline of a mark within [−1, 1]², with areas matched visually so that no mark looks heavier than another.
inline std::vector<MarkPoint> markPolygon(Mark mark)
{
    switch (mark) {
    case Mark::Disc:
    case Mark::Ring: return regularPolygon(48, 0);
    case Mark::TriangleUp: return {{0, -1}, {1.05, 0.85}, {-1.05, 0.85}};
    case Mark::TriangleDown: return {{0, 1}, {1.05, -0.85}, {-1.05, -0.85}};
    case Mark::TriangleRight: return {{1, 0}, {-0.85, 1.05}, {-0.85, -1.05}};
    case Mark::TriangleLeft: return {{-1, 0}, {0.85, -1.05}, {0.85, 1.05}};
    case Mark::Star: return starPolygon();
    case Mark::Hourglass: return {{-0.95, -1}, {0.95, -1}, {0.28, 0}, {0.95, 1}, {-0.95, 1}, {-0.28, 0}};
    case Mark::Bar: return {{-1.1, -0.6}, {1.1, -0.6}, {1.1, 0.6}, {-1.1, 0.6}};
    case Mark::Chevron: return {{-1, -0.35}, {0, -1}, {1, -0.35}, {1, 0.85}, {0, 0.2}, {-1, 0.85}};
    case Mark::Diamond: return {{0, -1.15}, {1.15, 0}, {0, 1.15}, {-1.15, 0}};
    case Mark::Square: return {{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}};
    case Mark::Pentagon: return regularPolygon(5, -90, 1.05);
    case Mark::Hexagon: return regularPolygon(6, -90, 1.03);
    case Mark::Plus: return plusPolygon(0);
    case Mark::Cross: return plusPolygon(45);
    }
    return regularPolygon(48, 0);
}

/// What is cut out of the mark of a further attention of the same backend, within [−1, 1]²: a hole, a horizontal bar, a vertical bar, in
/// turn. Empty for the first one.
inline std::vector<MarkPoint> markHole(int variant)
{
    constexpr double thin = 0.16, along = 0.72;
    if (variant <= 0)
        return {};
    switch (variant % 3) {
    case 1: return regularPolygon(24, 0, 0.42);
    case 2: return {{-along, -thin}, {along, -thin}, {along, thin}, {-along, thin}};
    default: return {{-thin, -along}, {thin, -along}, {thin, along}, {-thin, along}};
    }
}

/// Index into the theme's hues; further backends reuse hues with their own mark and dash.
enum class Hue { Softmax, Performer, Rfa, Ra, Lara, Nystrom, Linformer, Orthoformer };

struct SeriesStyle {
    std::string_view backend;
    Hue hue = Hue::Softmax;
    Mark mark = Mark::Disc;
    std::vector<double> dash;  ///< in pen widths; empty: solid
    int variant = 0;           ///< index among several attentions of this backend

    /// Every other one of them has a second shade of the hue.
    bool shaded() const { return variant % 2 == 1; }
};

/// The key of the style of a backend's attention number `variant` in a figure: "lara", "lara#1", "lara#2" …
inline std::string variantKey(std::string_view backend, std::size_t variant)
{
    return variant == 0 ? std::string(backend) : std::string(backend) + '#' + std::to_string(variant);
}

/// The style of a backend, by its name and never by its position, so that it is the same in every figure; a `variantKey` gives that
/// backend's mark with a hole, another shade and a closer dash.
inline SeriesStyle seriesStyle(std::string_view key)
{
    const std::size_t cut = key.find('#');
    const std::string_view backend = key.substr(0, cut);
    static const std::vector<SeriesStyle> styles{
        {"softmax", Hue::Softmax, Mark::Disc, {}},
        {"performer", Hue::Performer, Mark::TriangleUp, {6, 3}},
        {"rfa", Hue::Rfa, Mark::TriangleDown, {6, 3, 1.5, 3}},
        {"ra", Hue::Ra, Mark::Diamond, {1.5, 3}},
        {"lara", Hue::Lara, Mark::Square, {10, 3}},
        {"nystrom", Hue::Nystrom, Mark::Pentagon, {10, 3, 1.5, 3}},
        {"linformer", Hue::Linformer, Mark::Plus, {3, 3}},
        {"orthoformer", Hue::Orthoformer, Mark::Hexagon, {6, 3, 1.5, 3, 1.5, 3}},
        {"elu", Hue::Orthoformer, Mark::Cross, {10, 3, 3, 3}},
        {"trajectory", Hue::Linformer, Mark::TriangleRight, {8, 2, 2, 2}},
        {"sra", Hue::Softmax, Mark::Ring, {2, 5}},
        {"pooled-sra", Hue::Linformer, Mark::Bar, {3, 6}},
        {"local", Hue::Rfa, Mark::TriangleLeft, {5, 5}},
        {"eva", Hue::Lara, Mark::Star, {12, 2, 2, 2, 2, 2}},
        {"topk", Hue::Performer, Mark::Hourglass, {1, 2}},
        {"mixed", Hue::Ra, Mark::Chevron, {14, 4}},
        // Not in the table of backends: softmax with explicit logits, next to the fused kernel.
        {"softmax-explicit", Hue::Softmax, Mark::Bar, {16, 3}},
    };
    const auto found = std::find_if(styles.begin(), styles.end(),
                                    [&](const SeriesStyle& style) { return style.backend == backend; });
    static const SeriesStyle unknown{"", Hue::Nystrom, Mark::Cross, {4, 2}};
    SeriesStyle style = found == styles.end() ? unknown : *found;
    if (cut != std::string_view::npos)
        std::from_chars(key.data() + cut + 1, key.data() + key.size(), style.variant);
    if (style.variant > 0 && style.dash.empty())
        style.dash = {6, 2};
    else if (style.variant > 0)
        for (double& length : style.dash)
            length /= 2;
    return style;
}

}  // namespace attnscope
