// SPDX-License-Identifier: GPL-3.0-or-later
// What is written into a chart: names at marks and at the ends of lines, notes.
#include "ui/charts/chart_view.h"

#include "ui/charts/chart_plot.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

namespace attnscope::ui {

namespace {

constexpr double reach = 8;  // of a mark

/// Where names of marks stand: next to their mark, or near it, where neither a mark nor another name is. In pixels.
class LabelPlaces {
public:
    explicit LabelPlaces(const QRectF& area) : m_area(area) {}

    /// A mark, and what its intervals along x and y span; to be said of all marks before a name is placed.
    void addMark(QPointF at, const QRectF& intervals)
    {
        m_taken.emplace_back(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach);
        if (intervals.width() > 2)
            m_taken.emplace_back(intervals.left() - 1, at.y() - 4, intervals.width() + 2, 8);
        if (intervals.height() > 2)
            m_taken.emplace_back(at.x() - 4, intervals.top() - 1, 8, intervals.height() + 2);
    }

    /// Of such a mark. Empty where there is no room.
    std::optional<QRectF> place(QPointF mark, const QRectF& intervals, QSizeF name)
    {
        std::vector<QPointF> places{{std::max(intervals.right(), mark.x() + reach) + reach, mark.y() - name.height() / 2},
                                    {std::min(intervals.left(), mark.x() - reach) - reach - name.width(), mark.y() - name.height() / 2}};
        for (int step = 0; step < 7; ++step)
            for (const double x : {mark.x() + reach, mark.x() - name.width() / 2, mark.x() - reach - name.width()}) {
                const double rise = reach + 12 * step;
                places.emplace_back(x, mark.y() - rise - name.height());
                places.emplace_back(x, mark.y() + rise);
            }
        for (const QPointF& place : places)
            if (const QRectF rect(place, name); isFree(rect)) {
                m_taken.push_back(rect);
                return rect;
            }
        return {};
    }

private:
    [[nodiscard]] bool isFree(const QRectF& rect) const
    {
        return m_area.adjusted(0, -6, 12, 0).contains(rect)
               && std::ranges::none_of(m_taken, [&](const QRectF& other) { return other.intersects(rect); });
    }

    QRectF m_area;
    std::vector<QRectF> m_taken;
};

}  // namespace

/// Its place is told in pixels.
QCPItemText* ChartView::addText(const QString& text, const QFont& font, const QColor& colour, Qt::Alignment alignment)
{
    auto* item = new QCPItemText(m_plot);
    item->setText(text);
    item->setFont(font);
    item->setColor(colour);
    item->setPadding({});
    item->setClipToAxisRect(false);
    item->setPositionAlignment(alignment);
    item->position->setType(QCPItemPosition::ptAbsolute);
    return item;
}

void ChartView::addNotice(const Theme& theme)
{
    auto* text = addText(m_notice, font(), theme.text3, Qt::AlignCenter);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(0.5, 0.45);
}

/// Above the plot, so that it is in exported charts, too.
void ChartView::addScaleNote(const Theme& theme)
{
    if (scaleNote().isEmpty())
        return;
    auto* note = addText(scaleNote(), fontFor(Type::Small), theme.text3, Qt::AlignLeft | Qt::AlignTop);
    note->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    note->position->setCoords(0, 2);
}

/// Levels look alike: each has its name on it, at the right.
void ChartView::addLevelName(const ChartSeries& series, double x, double y, const Theme& theme)
{
    auto* name = addText(toQt(series.name), fontFor(Type::Small), theme.text2, Qt::AlignRight | Qt::AlignBottom);
    name->setPadding({4, 0, 0, 2});
    name->setBrush(theme.surface);           // no line of the grid runs through it …
    name->setLayer(QStringLiteral("grid"));  // … and it covers no curve
    name->position->setType(QCPItemPosition::ptPlotCoords);
    name->position->setCoords(x, y);
}

/// A name that finds no room is in the tooltip.
void ChartView::addNamesAtMarks(const SeriesList& series, const Theme& theme)
{
    const QFont font = fontFor(Type::BodyStrong);
    const QFontMetricsF metrics(font);
    const auto pixel = [this](double x, double y) {
        return QPointF(m_plot->xAxis->coordToPixel(across(x)), m_plot->yAxis->coordToPixel(up(y)));
    };
    const auto intervals = [&](const ChartPoint& point) {
        return QRectF(pixel(point.xLow.value_or(point.x), point.high.value_or(point.y)),
                      pixel(point.xHigh.value_or(point.x), point.low.value_or(point.y)));
    };
    LabelPlaces places(m_plot->axisRect()->rect());
    for (const ChartSeries* each : series)
        for (const ChartPoint& point : each->points)
            places.addMark(pixel(point.x, point.y), intervals(point));
    for (const ChartSeries* each : series)
        for (const ChartPoint& point : each->points) {
            const QString name = toQt(each->name);
            const QPointF mark = pixel(point.x, point.y);
            const auto place = places.place(mark, intervals(point), QSizeF(metrics.horizontalAdvance(name) + 2, metrics.height()));
            if (!place)
                continue;
            if (std::abs(place->center().y() - mark.y()) > 4) {  // not next to its mark: a thin line says whose name it is
                auto* lead = new QCPItemLine(m_plot);
                lead->setPen(QPen(theme.text3, 0.8));
                lead->setClipToAxisRect(false);
                lead->start->setType(QCPItemPosition::ptAbsolute);
                lead->end->setType(QCPItemPosition::ptAbsolute);
                lead->start->setPixelPosition(mark);
                lead->end->setPixelPosition({std::clamp(mark.x(), place->left() + 4, place->right() - 4),
                                             place->center().y() < mark.y() ? place->bottom() : place->top()});
            }
            addText(name, font, theme.text, Qt::AlignLeft | Qt::AlignTop)->position->setPixelPosition(place->topLeft());
        }
}

/// Room at the right of the plot for the longest name.
int ChartView::nameRoom(const SeriesList& series) const
{
    int widest = 0;
    const QFontMetrics metrics(fontFor(Type::SmallMedium));
    for (const ChartSeries* each : series)
        if (m_names == Names::AtEnds && !each->points.empty())
            widest = std::max(widest, metrics.horizontalAdvance(toQt(each->name)));
    return m_names == Names::Aside ? 0 : widest + 6;
}

/// Moved apart where lines end close together.
void ChartView::addNamesAtEnds(const SeriesList& series, const Theme& theme)
{
    const QFont font = fontFor(Type::SmallMedium);
    const double high = QFontMetricsF(font).height(), right = m_plot->axisRect()->right();
    std::vector<std::pair<QPointF, QString>> names;
    for (const ChartSeries* each : series)
        if (!each->points.empty() && each->line != SeriesLine::Faint) {
            const ChartPoint& last = each->points.back();
            const double end = each->line == SeriesLine::Level ? right : m_plot->xAxis->coordToPixel(last.x);
            names.emplace_back(QPointF(std::min(end, right) + 8, m_plot->yAxis->coordToPixel(last.y)), toQt(each->name));
        }
    std::ranges::sort(names, [](const auto& a, const auto& b) { return a.first.y() < b.first.y(); });
    for (std::size_t i = 1; i < names.size(); ++i)
        names[i].first.setY(std::max(names[i].first.y(), names[i - 1].first.y() + high));
    double lowest = m_plot->axisRect()->bottom() - high / 2;
    for (auto& name : std::views::reverse(names)) {
        name.first.setY(std::min(name.first.y(), lowest));
        lowest = name.first.y() - high;
        addText(name.second, font, theme.text, Qt::AlignLeft | Qt::AlignVCenter)
            ->position->setPixelPosition(name.first);
    }
}

}  // namespace attnscope::ui
