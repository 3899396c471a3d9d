#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

/// The style of a series in any figure, however it is drawn: window, SVG or report. Independent of Qt and torch.
namespace attnscope {

struct MarkPoint {
    double x = 0, y = 0;  ///< y grows downwards
};

enum class Mark {
    Disc,
    TriangleUp,
    TriangleDown,
    Diamond,
    Square,
    Pentagon,
    Plus,
    Hexagon,
    Cross,
    TriangleRight,
    Ring,
    TriangleLeft,
    Star,
    Hourglass,
    Bar,
    Chevron,
    Arrow,
    Dome,
    House,
    Tee,
    Ell,
    Bowtie,
    Steps,
    Asterisk,
    Parallelogram,
    Crescent,
    Octagon,
    Kite,
    Trapezoid,
    Zigzag,
    Cup,
    Gate,
    Spindle,
    Ticket,
    Fan
};
constexpr int markCount = int(Mark::Fan) + 1;

/// A regular polygon of `corners` on a circle of `radius`, its first corner at `degrees` (0: right, −90: up).
inline std::vector<MarkPoint> regularPolygon(int corners, double degrees, double radius = 1)
{
    constexpr double toRadians = std::numbers::pi / 180;
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
    const double turn = degrees * std::numbers::pi / 180;
    constexpr std::array<MarkPoint, 12> upright{{{-arm, -1},
                                                 {arm, -1},
                                                 {arm, -arm},
                                                 {1, -arm},
                                                 {1, arm},
                                                 {arm, arm},
                                                 {arm, 1},
                                                 {-arm, 1},
                                                 {-arm, arm},
                                                 {-1, arm},
                                                 {-1, -arm},
                                                 {-arm, -arm}}};
    std::vector<MarkPoint> points;
    for (const MarkPoint& p : upright)
        points.push_back(
            {p.x * std::cos(turn) - p.y * std::sin(turn), p.x * std::sin(turn) + p.y * std::cos(turn)});
    return points;
}

/// Five points, the inner corners at half the radius.
inline std::vector<MarkPoint> starPolygon()
{
    const std::vector<MarkPoint> outer = regularPolygon(5, -90, 1.2), inner = regularPolygon(5, -54, 0.6);
    std::vector<MarkPoint> points;
    for (size_t i = 0; i < outer.size(); ++i) {
        points.push_back(outer[i]);
        points.push_back(inner[i]);
    }
    return points;
}

/// The upper half of a disc.
inline std::vector<MarkPoint> domePolygon()
{
    std::vector<MarkPoint> points = regularPolygon(48, 180, 1.15);
    points.resize(25);
    for (MarkPoint& point : points)
        point.y += 0.55;
    return points;
}

/// Three bars that cross in the middle.
inline std::vector<MarkPoint> asteriskPolygon()
{
    constexpr double toRadians = std::numbers::pi / 180;
    std::vector<MarkPoint> points;
    for (int arm = 0; arm < 6; ++arm) {
        const auto at = [&](double degrees, double radius) {
            const double angle = (60 * arm + degrees - 90) * toRadians;
            points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
        };
        at(-12, 1.15);
        at(12, 1.15);
        at(30, 0.45);
    }
    return points;
}

/// A disc without the disc that covers its right side.
inline std::vector<MarkPoint> crescentPolygon()
{
    std::vector<MarkPoint> points;
    const std::vector<MarkPoint> outer = regularPolygon(48, 45, 1.1), inner = regularPolygon(48, 60, 0.85);
    for (int i = 0; i <= 36; ++i)
        points.push_back({outer[size_t(i)].x + 0.2, outer[size_t(i)].y});
    for (int i = 32; i >= 0; --i)
        points.push_back({inner[size_t(i)].x + 0.55, inner[size_t(i)].y});
    return points;
}

/// Where two discs overlap.
inline std::vector<MarkPoint> spindlePolygon()
{
    std::vector<MarkPoint> points;
    for (const double side : {1.0, -1.0})
        for (int i = 0; i <= 16; ++i) {
            const double y = side * (1.15 - 2.3 * i / 16);
            points.push_back({side * (std::sqrt(1.32 * 1.32 - y * y) - 0.648), y});
        }
    return points;
}

/// The outline of a mark within [−1, 1]², with areas matched visually so that no mark looks heavier than another.
inline std::vector<MarkPoint> markPolygon(Mark mark)
{
    switch (mark) {
    case Mark::Disc:
    case Mark::Ring:
        return regularPolygon(48, 0);
    case Mark::TriangleUp:
        return {{0, -1}, {1.05, 0.85}, {-1.05, 0.85}};
    case Mark::TriangleDown:
        return {{0, 1}, {1.05, -0.85}, {-1.05, -0.85}};
    case Mark::TriangleRight:
        return {{1, 0}, {-0.85, 1.05}, {-0.85, -1.05}};
    case Mark::TriangleLeft:
        return {{-1, 0}, {0.85, -1.05}, {0.85, 1.05}};
    case Mark::Star:
        return starPolygon();
    case Mark::Hourglass:
        return {{-0.95, -1}, {0.95, -1}, {0.28, 0}, {0.95, 1}, {-0.95, 1}, {-0.28, 0}};
    case Mark::Bar:
        return {{-1.1, -0.6}, {1.1, -0.6}, {1.1, 0.6}, {-1.1, 0.6}};
    case Mark::Chevron:
        return {{-1, -0.35}, {0, -1}, {1, -0.35}, {1, 0.85}, {0, 0.2}, {-1, 0.85}};
    case Mark::Arrow:
        return {{1.1, 0}, {0.05, -1.05}, {0.05, -0.42}, {-1.05, -0.42}, {-1.05, 0.42}, {0.05, 0.42}, {0.05, 1.05}};
    case Mark::Dome:
        return domePolygon();
    case Mark::House:
        return {{0, -1.1}, {1, -0.2}, {0.7, -0.2}, {0.7, 0.95}, {-0.7, 0.95}, {-0.7, -0.2}, {-1, -0.2}};
    case Mark::Tee:
        return {{-1, -1}, {1, -1}, {1, -0.25}, {0.38, -0.25}, {0.38, 1}, {-0.38, 1}, {-0.38, -0.25}, {-1, -0.25}};
    case Mark::Ell:
        return {{-0.95, -1}, {-0.1, -1}, {-0.1, 0.15}, {0.95, 0.15}, {0.95, 1}, {-0.95, 1}};
    case Mark::Bowtie:
        return {{-1, -0.95}, {0, -0.28}, {1, -0.95}, {1, 0.95}, {0, 0.28}, {-1, 0.95}};
    case Mark::Steps:
        return {{0.3, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, 0.35}, {-0.35, 0.35}, {-0.35, -0.3}, {0.3, -0.3}};
    case Mark::Asterisk:
        return asteriskPolygon();
    case Mark::Parallelogram:
        return {{-0.5, -0.75}, {1.15, -0.75}, {0.5, 0.75}, {-1.15, 0.75}};
    case Mark::Crescent:
        return crescentPolygon();
    case Mark::Octagon:
        return regularPolygon(8, 22.5, 1.02);
    case Mark::Kite:
        return {{0, -1.15}, {0.85, -0.35}, {0, 1.15}, {-0.85, -0.35}};
    case Mark::Trapezoid:
        return {{-0.45, -0.75}, {0.45, -0.75}, {1.1, 0.75}, {-1.1, 0.75}};
    case Mark::Zigzag:
        return {{-0.55, -1.05}, {0.6, -1.05},  {0.25, -0.3}, {0.9, -0.3},
                {-0.5, 1.15},   {-0.15, 0.15}, {-0.85, 0.15}};
    case Mark::Cup:
        return {{-1, -0.95},  {-0.3, -0.95}, {-0.3, 0.25}, {0.3, 0.25},
                {0.3, -0.95}, {1, -0.95},    {1, 0.95},    {-1, 0.95}};
    case Mark::Gate:
        return {{-1, -0.95},  {1, -0.95},    {1, 0.95},    {0.3, 0.95},
                {0.3, -0.25}, {-0.3, -0.25}, {-0.3, 0.95}, {-1, 0.95}};
    case Mark::Spindle:
        return spindlePolygon();
    case Mark::Ticket:
        return {{-1, -0.8}, {1, -0.8}, {1, -0.4}, {0.55, 0},  {1, 0.4},
                {1, 0.8},   {-1, 0.8}, {-1, 0.4}, {-0.55, 0}, {-1, -0.4}};
    case Mark::Fan:
        return {{0, 1.1}, {-1.1, -0.45}, {-0.6, -0.85}, {0, -1}, {0.6, -0.85}, {1.1, -0.45}};
    case Mark::Diamond:
        return {{0, -1.15}, {1.15, 0}, {0, 1.15}, {-1.15, 0}};
    case Mark::Square:
        return {{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}};
    case Mark::Pentagon:
        return regularPolygon(5, -90, 1.05);
    case Mark::Hexagon:
        return regularPolygon(6, -90, 1.03);
    case Mark::Plus:
        return plusPolygon(0);
    case Mark::Cross:
        return plusPolygon(45);
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
    case 1:
        return regularPolygon(24, 0, 0.42);
    case 2:
        return {{-along, -thin}, {along, -thin}, {along, thin}, {-along, thin}};
    default:
        return {{-thin, -along}, {thin, -along}, {thin, along}, {-thin, along}};
    }
}

/// Index into the theme's hues; several series may share one, with a mark and dash of their own.
enum class Hue { Softmax, Performer, Rfa, Ra, Lara, Nystrom, Linformer, Orthoformer };

/// How one series is drawn. As it is by default, that of a name which nobody knows.
struct SeriesStyle {
    Hue hue = Hue::Nystrom;
    Mark mark = Mark::Cross;
    std::vector<double> dash = {4, 2};  ///< in pen widths; empty: solid
    int variant = 0;                    ///< of several attentions of one backend: which

    /// Every other one of them has a second shade of the hue.
    bool shaded() const { return variant % 2 == 1; }
};

/// Who knows which style a key has: `seriesStyle` of core/attention/backend_info.h, which reads it off the backends.
using SeriesStyles = SeriesStyle (*)(std::string_view key);

/// The key of the look of a backend's attention number `variant` in a figure: "lara", "lara#1", "lara#2" …
inline std::string variantKey(std::string_view backend, size_t variant)
{
    return variant == 0 ? std::string(backend) : std::string(backend) + '#' + std::to_string(variant);
}

/// The style of a `variantKey`, from that of its backend: the same mark with a hole, another shade and a closer dash.
inline SeriesStyle variantStyle(SeriesStyle style, std::string_view key)
{
    if (const size_t cut = key.find('#'); cut != std::string_view::npos)
        std::from_chars(key.data() + cut + 1, key.data() + key.size(), style.variant);
    if (style.variant > 0 && style.dash.empty())
        style.dash = {6, 2};
    else if (style.variant > 0)
        for (double& length : style.dash)
            length /= 2;
    return style;
}

/// Of a key alone: the style of an unknown name. Variants of no name ("", "#1", "#2" …) stand for series that are no attentions, and each
/// has a hue and a mark of its own.
inline SeriesStyle plainStyle(std::string_view key)
{
    SeriesStyle style = variantStyle({}, key);
    if (!key.starts_with('#'))
        return style;
    constexpr int hues = 8, marks = markCount;
    return {.hue = static_cast<Hue>((int(style.hue) + style.variant) % hues),
            .mark = static_cast<Mark>((int(style.mark) + style.variant) % marks),
            .dash = {}};
}

}
