// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_chart.h"

#include "ui/charts/label_places.h"
#include "ui/charts/plot_style.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"

#include "core/figure/chart.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

namespace {

struct AxisRange {
    double low = 1e300, high = -1e300;
    void take(double a, double b)
    {
        low = std::min(low, a);
        high = std::max(high, b);
    }
    /// With room for marks and names around it, in shares of its span. Not below zero, but for the marks on an axis that begins there.
    QCPRange withMargins(bool fromZero, double before, double after) const
    {
        if (low > high)
            return {0, 1};
        const double span = std::max(high - low, 1e-9 + std::abs(high) * 0.05);
        return {fromZero ? std::min(0.0, low) - before / 2 * span : std::max(0.0, low - before * span), high + after * span};
    }
};

}  // namespace

RunChart::RunChart(const QString& name, QWidget* parent)
    : PlotWidget(name, parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void RunChart::setForm(Form form)
{
    m_form = form;
    rebuildSoon();
}

void RunChart::setScale(Scale scale)
{
    m_scale = scale;
    rebuildSoon();
}

double RunChart::Places::at(double value) const
{
    return !log ? value : value > 0 ? std::max(zero, std::log10(value)) : zero;
}

std::vector<double> RunChart::valuesOf(double RunPoint::*value) const
{
    std::vector<double> values;
    for (const RunPoint& point : m_points)
        values.push_back(point.*value);
    return values;
}

bool RunChart::isLogarithmic(double RunPoint::*value) const
{
    const std::vector<double> values = valuesOf(value);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (m_form == Form::Bars || m_scale == Scale::Linear || values.empty() || *least < 0 || *most <= 0)
        return false;
    return m_scale == Scale::Logarithmic || fittingScale(values) == AxisScale::Log;
}

QString RunChart::scaleNote() const
{
    const bool across = isLogarithmic(&RunPoint::x), up = isLogarithmic(&RunPoint::y);
    return across && up ? tr("both axes logarithmic")
           : up         ? tr("%1: logarithmic axis").arg(m_y.title)
           : across     ? tr("%1: logarithmic axis").arg(m_x.title)
                        : QString();
}

void RunChart::setPoints(std::vector<RunPoint> points, const RunAxis& x, const RunAxis& y)
{
    m_points = std::move(points);
    m_x = x;
    m_y = y;
    rebuildSoon();
}

void RunChart::setChosen(qint64 key)
{
    if (key == m_chosen)
        return;
    m_chosen = key;
    rebuildSoon();
}

void RunChart::styleAxes(const Theme& theme)
{
    stylePlot(*m_plot, theme, fontFor(Type::Small), 4);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        auto ticker = QSharedPointer<QCPAxisTicker>::create();
        ticker->setTickCount(axis == m_plot->yAxis && height() < 170 ? 3 : 5);
        axis->setTicker(ticker);
    }
    m_plot->axisRect()->setMinimumMargins(QMargins(46, scaleNote().isEmpty() ? 8 : QFontMetrics(fontFor(Type::Small)).height() + 6, 20, 4));
}

void RunChart::setRanges()
{
    AxisRange x, y;
    for (const RunPoint& point : m_points) {
        x.take(std::min(point.xLow, point.x), std::max(point.xHigh, point.x));
        y.take(std::min(point.yLow, point.y), std::max(point.yHigh, point.y));
    }
    m_plot->xAxis->setRange(x.withMargins(m_x.fromZero, 0.12, 0.16));
    m_plot->yAxis->setRange(y.withMargins(m_y.fromZero, 0.16, 0.16));
    m_across = m_up = {};
    const auto fit = [this](QCPAxis& axis, Places& places, double RunPoint::*value, double RunPoint::*low, double most) {
        if (!isLogarithmic(value))
            return;
        double least = most;
        bool zero = false;
        for (const RunPoint& point : m_points) {
            zero = zero || point.*value <= 0;
            for (const double each : {point.*value, point.*low})
                least = each > 0 ? std::min(least, each) : least;
        }
        setLogRange(axis, places, least, most, zero);
    };
    fit(*m_plot->xAxis, m_across, &RunPoint::x, &RunPoint::xLow, x.high);
    fit(*m_plot->yAxis, m_up, &RunPoint::y, &RunPoint::yLow, y.high);
}

void RunChart::setLogRange(QCPAxis& axis, Places& places, double least, double most, bool zero)
{
    constexpr double margin = 0.14;
    const double low = std::log10(least), high = std::log10(most), span = std::max(high - low, 0.3);
    places = {true, low - margin * span};
    axis.setRange(places.zero - (zero ? margin / 2 * span : 0), high + margin * span);
    const int count = &axis == m_plot->yAxis && height() < 170 ? 3 : 5;
    std::vector<double> ticks = axisTicks(least, std::pow(10, axis.range().upper), AxisScale::Log, count);
    const auto isPower = [](double tick) { return std::abs(std::log10(tick) - std::round(std::log10(tick))) < 1e-6; };
    if (static_cast<int>(ticks.size()) > count + 1 && std::count_if(ticks.begin(), ticks.end(), isPower) >= 2)
        std::erase_if(ticks, [&](double tick) { return !isPower(tick); });
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const double tick : ticks)
        ticker->addTick(std::log10(tick), toQt(axisNumber(tick, AxisNumbers::Plain)));
    if (zero)
        ticker->addTick(places.zero, QStringLiteral("0"));
    axis.setTicker(ticker);
}

/// Above the plot, so that it is in exported pictures, too.
void RunChart::addScaleNote(const Theme& theme)
{
    if (scaleNote().isEmpty())
        return;
    auto* note = new QCPItemText(m_plot);
    note->setText(scaleNote());
    note->setFont(fontFor(Type::Small));
    note->setColor(theme.text3);
    note->setPadding({});
    note->setClipToAxisRect(false);
    note->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    note->position->setType(QCPItemPosition::ptAbsolute);
    note->position->setPixelPosition({static_cast<double>(m_plot->axisRect()->left()), 2});
}

void RunChart::addInterval(double fromX, double fromY, double toX, double toY, const QColor& colour)
{
    if (fromX == toX && fromY == toY)
        return;
    auto* item = new QCPItemLine(m_plot);
    item->setPen(QPen(colour, 1.5));
    item->start->setCoords(m_across.at(std::max(fromX, 0.0)), m_up.at(std::max(fromY, 0.0)));
    item->end->setCoords(m_across.at(toX), m_up.at(toY));
    item->setHead(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
    item->setTail(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
    item->setClipToAxisRect(false);
}

void RunChart::addMark(const RunPoint& point, const Theme& theme)
{
    const auto scatter = [&](const QCPScatterStyle& style) {
        auto* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setPen(Qt::NoPen);
        graph->setScatterStyle(style);
        graph->setData({m_across.at(point.x)}, {m_up.at(point.y)});
        graph->setAdaptiveSampling(false);
    };
    const QColor colour = theme.backend(point.backend);
    scatter(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::transparent, theme.surface, 15));
    scatter(point.published ? QCPScatterStyle(markPath(point.backend, 3), QPen(colour, 1.6), Qt::NoBrush, 11)
                            : QCPScatterStyle(markPath(point.backend, 3), Qt::NoPen, colour, 11));
    if (point.key == m_chosen || point.key == m_hovered)
        scatter(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.focus, 2), Qt::NoBrush, 22));
}

QList<qint64> RunChart::front() const
{
    // Turned so that little is better in both.
    const double xSign = m_x.better == RunAxis::Better::Low ? 1 : -1, ySign = m_y.better == RunAxis::Better::Low ? 1 : -1;
    std::vector<const RunPoint*> sorted;
    for (const RunPoint& point : m_points)
        if (!point.published)
            sorted.push_back(&point);
    std::sort(sorted.begin(), sorted.end(), [&](const RunPoint* a, const RunPoint* b) {
        return a->x != b->x ? xSign * a->x < xSign * b->x : ySign * a->y < ySign * b->y;
    });
    QList<qint64> keys;
    double best = INFINITY;
    for (const RunPoint* point : sorted)
        if (ySign * point->y < best) {
            best = ySign * point->y;
            keys << point->key;
        }
    if (xSign < 0)
        std::reverse(keys.begin(), keys.end());
    return keys;
}

void RunChart::addFront(const Theme& theme)
{
    const QList<qint64> keys = front();
    if (keys.size() < 2)
        return;
    auto* line = m_plot->addGraph();
    QPen pen(theme.text3, 1.2);
    pen.setDashPattern({4, 4});
    line->setPen(pen);
    QVector<double> x, y;
    for (const qint64 key : keys)
        for (const RunPoint& point : m_points)
            if (point.key == key && !point.published)
                x << m_across.at(point.x), y << m_up.at(point.y);
    line->setData(x, y);
}

QPointF RunChart::markAt(qint64 key) const
{
    const auto found = std::find_if(m_points.begin(), m_points.end(), [key](const RunPoint& point) { return point.key == key; });
    return found == m_points.end() ? QPointF() : pixel(found->x, found->y);
}

QPointF RunChart::pixel(double x, double y) const
{
    return {m_plot->xAxis->coordToPixel(m_across.at(x)), m_plot->yAxis->coordToPixel(m_up.at(y))};
}

/// A name that finds no room is in the tooltip.
void RunChart::addNames(const Theme& theme)
{
    m_plot->replot(QCustomPlot::rpImmediateRefresh);  // margins first: pixel positions below need them
    const QFontMetricsF metrics(fontFor(Type::BodyStrong));
    LabelPlaces places(m_plot->axisRect()->rect());
    const auto intervals = [&](const RunPoint& point) {
        return QRectF(pixel(std::max(0.0, std::min(point.xLow, point.x)), std::max(point.yHigh, point.y)),
                      pixel(std::max(point.xHigh, point.x), std::max(0.0, std::min(point.yLow, point.y))));
    };
    for (const RunPoint& point : m_points)
        places.addMark(pixel(point.x, point.y), intervals(point));
    for (const RunPoint& point : m_points) {
        const QPointF mark = pixel(point.x, point.y);
        const QSizeF size(metrics.horizontalAdvance(point.name) + 2, metrics.height());
        if (const auto place = places.place(mark, intervals(point), size))
            addName(point.name, mark, *place, theme);
    }
}

void RunChart::addName(const QString& name, QPointF mark, const QRectF& place, const Theme& theme)
{
    if (std::abs(place.center().y() - mark.y()) > 4) {  // not beside its mark: a thin line says whose name it is
        auto* lead = new QCPItemLine(m_plot);
        lead->setPen(QPen(theme.text3, 0.8));
        lead->setClipToAxisRect(false);
        lead->start->setType(QCPItemPosition::ptAbsolute);
        lead->end->setType(QCPItemPosition::ptAbsolute);
        lead->start->setPixelPosition(mark);
        lead->end->setPixelPosition({std::clamp(mark.x(), place.left() + 4, place.right() - 4),
                                     place.center().y() < mark.y() ? place.bottom() : place.top()});
    }
    auto* label = new QCPItemText(m_plot);
    label->setText(name);
    label->setFont(fontFor(Type::BodyStrong));
    label->setColor(theme.text);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setPadding({});
    label->setClipToAxisRect(false);
    label->position->setType(QCPItemPosition::ptAbsolute);
    label->position->setPixelPosition(place.topLeft());
}

void RunChart::drawMarks(const Theme& theme)
{
    m_plot->xAxis->setLabel(m_x.caption());
    setRanges();
    addFront(theme);
    for (const RunPoint& point : m_points) {
        const QColor colour = theme.backend(point.backend);
        addInterval(point.xLow, point.y, point.xHigh, point.y, colour);
        addInterval(point.x, point.yLow, point.x, point.yHigh, colour);
    }
    for (const RunPoint& point : m_points)
        addMark(point, theme);
    addNames(theme);
    addScaleNote(theme);
}

void RunChart::drawBars(const Theme& theme)
{
    m_across = m_up = {};
    m_plot->xAxis->setLabel(m_y.caption());
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double key = 0, high = 0;
    for (const RunPoint& point : m_points) {
        names->addTick(++key, point.name);
        const double top = std::max(point.yHigh, point.y);
        high = std::max(high, top);
        auto* bar = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        bar->setWidth(0.5);
        bar->setPen(point.key == m_chosen || point.key == m_hovered ? QPen(theme.focus, 2) : QPen(Qt::NoPen));
        bar->setBrush(theme.band(point.backend));
        bar->setData({key}, {point.y});
        addInterval(key, point.yLow, key, point.yHigh, theme.backend(point.backend));
        auto* label = new QCPItemText(m_plot);
        label->setText(point.yText);
        label->setFont(fontFor(Type::BodyMedium));
        label->setColor(theme.text);
        label->setClipToAxisRect(false);
        label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        label->position->setCoords(key, top);
        label->setPadding({0, 0, 0, 3});
    }
    m_plot->xAxis->setTicker(names);
    m_plot->xAxis->setRange(0.4, std::max(1.0, key) + 0.6);
    m_plot->yAxis->setRange(0, high > 0 ? high * 1.22 : 1);
}

void RunChart::draw(const Theme& theme)
{
    styleAxes(theme);
    m_form == Form::Marks ? drawMarks(theme) : drawBars(theme);
    if (m_points.empty())
        addNotice(theme);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString RunChart::tooltip(const RunPoint& point) const
{
    QStringList lines{point.name, tr("%1: %2").arg(m_y.title, point.yText)};
    if (m_form == Form::Marks)
        lines << tr("%1: %2").arg(m_x.title, point.xText);
    if (!point.remark.isEmpty())
        lines << point.remark;
    return lines.join(QLatin1Char('\n'));
}

QString RunChart::spoken() const
{
    QStringList parts;
    for (const RunPoint& point : m_points)
        parts << tooltip(point).replace(QLatin1Char('\n'), QLatin1String(", "));
    if (!scaleNote().isEmpty())
        parts << scaleNote();
    return parts.isEmpty() ? notice() : parts.join(QStringLiteral("; "));
}

const RunPoint* RunChart::nearest(QPointF position) const
{
    const bool bars = m_form == Form::Bars;
    const RunPoint* best = nullptr;
    double distance = bars ? 40 : 16, key = 0;
    for (const RunPoint& point : m_points) {
        const QPointF at = bars ? QPointF(pixel(++key, 0).x(), position.y()) : pixel(point.x, point.y);
        const double away = std::hypot(at.x() - position.x(), at.y() - position.y());
        if (away <= distance) {
            distance = away;
            best = &point;
        }
    }
    return best;
}

bool RunChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const RunPoint* hit = nearest(mouse->position());
        if (hit != nullptr)
            QToolTip::showText(mouse->globalPosition().toPoint(), tooltip(*hit), this);
        else
            QToolTip::hideText();
        if (const qint64 key = hit == nullptr ? none : hit->key; key != m_hovered) {
            m_hovered = key;
            rebuild();
        }
    }
    if (event->type() == QEvent::MouseButtonPress)
        if (const RunPoint* hit = nearest(static_cast<QMouseEvent*>(event)->position()); hit != nullptr)
            emit chosenChanged(hit->key);
    return QWidget::eventFilter(watched, event);
}

void RunChart::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    std::vector<const RunPoint*> sorted;
    for (const RunPoint& point : m_points)
        if (!point.published)  // has the key of the run that it stands beside
            sorted.push_back(&point);
    if (m_form == Form::Marks)
        std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->x < b->x; });
    const auto now = std::find_if(sorted.begin(), sorted.end(), [this](const auto* point) { return point->key == m_chosen; });
    const auto count = std::ssize(sorted);
    const auto at = now == sorted.end() ? (step > 0 ? -1 : 0) : now - sorted.begin();
    if (count > 0)
        emit chosenChanged(sorted[static_cast<std::size_t>((at + step + count) % count)]->key);
}

CaptionCombo* newScaleBox(RunChart& chart, QWidget* parent)
{
    auto* box = new CaptionCombo(RunChart::tr("Scale"), parent);
    box->setAccessibleName(RunChart::tr("Scale of the axes"));
    box->setToolTip(RunChart::tr("Automatic: an axis becomes logarithmic where a few large values would squeeze the others together"));
    box->addItem(RunChart::tr("Automatic"), static_cast<int>(RunChart::Scale::Automatic));
    box->addItem(RunChart::tr("Linear"), static_cast<int>(RunChart::Scale::Linear));
    box->addItem(RunChart::tr("Logarithmic"), static_cast<int>(RunChart::Scale::Logarithmic));
    QObject::connect(box, &QComboBox::currentIndexChanged, &chart, [&chart, box] {
        chart.setScale(static_cast<RunChart::Scale>(box->currentData().toInt()));
    });
    return box;
}

}  // namespace attnscope::ui
