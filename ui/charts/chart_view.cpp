#include "ui/charts/chart_view.h"

#include "ui/charts/figure_file.h"
#include "ui/style/accessible_role.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include "core/attention/backend_info.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

ChartView::ChartView(const QString& name, QWidget* parent, Names names)
    : QWidget(parent)
    , m_scale(names == Names::AtMarks ? Scale::Automatic : Scale::OfChart)
{
    m_options.names = names;
    m_options.headed = false;
    m_options.styles = seriesStyle;
    m_options.measure = paintedSize;
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(names == Names::AtEnds ? Qt::NoFocus : Qt::StrongFocus);
    setAccessibleName(name);
    setAccessibleDescription(spoken());
    setMinimumSize(60, 40);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

QSize ChartView::sizeHint() const
{
    return m_options.names == Names::AtMarks ? minimumSize()
                                             : QSize(360, m_options.names == Names::AtEnds ? 200 : 220);
}

void ChartView::setChart(Chart chart)
{
    m_chart = std::move(chart);
    changed();
}

void ChartView::setHidden(const QStringList& names)
{
    m_hidden = names;
    changed();
}

void ChartView::setPlaces(const std::vector<int64_t>& places)
{
    m_options.places.assign(places.begin(), places.end());
    layOutSoon();
}

void ChartView::setNotice(const QString& sentence)
{
    m_options.notice = fromQt(sentence);
    layOutSoon();
}

void ChartView::setForm(Form form)
{
    m_options.form = form;
    changed();
}

void ChartView::setScale(Scale scale)
{
    m_scale = scale;
    changed();
}

void ChartView::setChosen(qint64 key)
{
    if (std::exchange(m_options.chosen, key) != key)
        layOutSoon();
}

void ChartView::changed()
{
    m_shown = m_chart;
    std::erase_if(m_shown.series,
                  [this](const ChartSeries& series) { return m_hidden.contains(toQt(series.name)); });
    for (ChartAxis* axis : {&m_shown.x, &m_shown.y})
        axis->title = fromQt(engineText(axis->title));
    m_options.showsZero = m_scale != Scale::OfChart;
    if (m_options.showsZero) {
        m_shown.x.scale = scaleOf(&ChartPoint::x);
        m_shown.y.scale = scaleOf(&ChartPoint::y);
    }
    m_options.note = m_options.form == Form::Bars ? "" : fromQt(scaleNote());
    m_drawing = {};
    m_current = -1;
    layOutSoon();
}

AxisScale ChartView::scaleOf(double ChartPoint::*value) const
{
    std::vector<double> values;
    for (const ChartSeries& series : m_chart.series)
        for (const ChartPoint& point : series.points)
            values.push_back(point.*value);
    const auto [least, most] = std::ranges::minmax_element(values);
    if (m_options.form == Form::Bars || m_scale == Scale::Linear || values.empty() || *least < 0 || *most <= 0)
        return AxisScale::Linear;
    return m_scale == Scale::Logarithmic ? AxisScale::Log : fittingScale(values);
}

QString ChartView::scaleNote() const
{
    const bool across = m_options.showsZero && m_shown.x.scale == AxisScale::Log,
               up = m_options.showsZero && m_shown.y.scale == AxisScale::Log;
    return across && up ? tr("both axes logarithmic")
           : up         ? tr("%1: logarithmic axis").arg(engineText(m_chart.y.name))
           : across     ? tr("%1: logarithmic axis").arg(engineText(m_chart.x.name))
                        : QString();
}

QString ChartView::spoken() const
{
    const bool latest = m_options.names == Names::AtEnds;
    QStringList parts;
    for (const ChartSeries& series : m_shown.series) {
        if (latest) {
            if (!series.points.empty() && series.line != SeriesLine::Faint)
                parts << tr("%1 %2").arg(toQt(series.name), toQt(series.points.back().label));
            continue;
        }
        for (const ChartPoint& point : series.points) {
            const QString title = toQt(point.title).replace(QLatin1Char('\n'), ", "_L1);
            if (!point.missing.empty())
                parts << tr("%1 stopped: %2").arg(title, toQt(point.missing));
            else if (isDrawn(point, m_shown, m_options.showsZero))
                parts << title;
        }
    }
    if (latest)
        return parts.isEmpty() ? tr("%1: no data yet").arg(accessibleName())
                               : tr("%1: %2").arg(accessibleName(), parts.join(u", "_s));
    if (!scaleNote().isEmpty())
        parts << scaleNote();
    return parts.isEmpty() ? toQt(m_options.notice) : parts.join(u"; "_s);
}

QString ChartView::wordsOf(const PlacedPoint& target) const
{
    const ChartPoint& point = pointOf(target);
    const QString title = toQt(point.title);
    return point.missing.empty() ? title : tr("%1\nstopped: %2").arg(title, toQt(point.missing));
}

QPointF ChartView::markAt(qint64 key) const
{
    const auto found = std::ranges::find(m_drawing.points, key,
                                         [this](const PlacedPoint& target) { return pointOf(target).key; });
    return found == m_drawing.points.end() ? QPointF() : QPointF(found->at.x, found->at.y);
}

/// In a turn of the event loop of its own.
void ChartView::layOutSoon()
{
    if (std::exchange(m_pending, true))
        return;
    QTimer::singleShot(m_options.names == Names::AtEnds ? 100 : 30, this, [this] {  // curves grow while a job runs
        m_pending = false;
        m_drawing = {};
        m_current = -1;
        setAccessibleDescription(spoken());
        update();
    });
}

void ChartView::paintEvent(QPaintEvent*)
{
    if (m_drawing.width != width() || m_drawing.height != height()) {
        m_current = -1;
        m_options.width = width();
        m_options.height = height();
        m_drawing = draw(m_shown, m_options);
    }
    const Theme& theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paint(painter, m_drawing, theme.dark);
    if (m_current < 0 || m_options.names == Names::AtEnds)
        return;
    const PlacedPoint& now = target(m_current);
    const QPointF at(now.at.x, now.at.y);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.focus, 2));
    painter.setBrush(Qt::NoBrush);
    if (m_options.form == Form::Bars)
        painter.drawRect(QRectF(at - QPointF(now.halfWidth, 0), QPointF(at.x() + now.halfWidth, now.base)));
    else
        painter.drawEllipse(at, 10, 10);
}

void ChartView::moveTo(int target, const QPoint& tipAt)
{
    update();
    if (std::exchange(m_current, target) >= 0 && target < 0)
        setAccessibleDescription(spoken());
    if (target < 0)
        return QToolTip::hideText();
    setAccessibleDescription(current());
    QToolTip::showText(tipAt, current(), this);
}

/// The nearest; below 0: none is near. A level is at every x.
int ChartView::targetAt(QPointF position) const
{
    const bool bars = m_options.form == Form::Bars;
    int best = -1;
    double distance = bars ? 40 : 16;
    for (int i = 0; i < std::ssize(m_drawing.points); ++i) {
        const MarkPoint at = target(i).at;
        const bool level = m_shown.series[target(i).series].line == SeriesLine::Level;
        const double length = std::hypot(level ? 0 : at.x - position.x(), bars ? 0 : at.y - position.y());
        if (length <= distance)
            distance = length, best = i;
    }
    return best;
}

void ChartView::mousePressEvent(QMouseEvent* event)
{
    if (focusPolicy() != Qt::NoFocus)
        setFocus(Qt::MouseFocusReason);
    if (const int hit = targetAt(event->position()); hit >= 0 && pointOf(target(hit)).key != none)
        emit chosenChanged(pointOf(target(hit)).key);
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    if (const int best = targetAt(event->position()); best != m_current)
        moveTo(best, event->globalPosition().toPoint());
}

/// Left and right choose the next point; where points have no keys they walk a series, and up and down go to the next one.
void ChartView::keyPressEvent(QKeyEvent* event)
{
    const int along = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int across = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    const bool choosing = m_options.names == Names::AtMarks;
    if (choosing && along != 0 && !m_chart.series.empty())
        return chooseNext(along);
    if (choosing || (along == 0 && across == 0) || m_drawing.points.empty())
        return QWidget::keyPressEvent(event);
    const int to = walked(along, across);
    moveTo(to, mapToGlobal(QPointF(target(to).at.x, target(to).at.y)).toPoint());
}

void ChartView::chooseNext(int step)
{
    std::vector<const ChartPoint*> points;
    for (const ChartSeries& series : m_shown.series)
        for (const ChartPoint& point : series.points)
            if (!series.published)  // has the key of the point that it stands next to
                points.push_back(&point);
    if (m_options.form == Form::Marks)
        std::ranges::stable_sort(points, {}, &ChartPoint::x);
    const auto now = std::ranges::find(points, chosen(), &ChartPoint::key);
    const auto count = std::ssize(points);
    const auto at = now == points.end() ? (step > 0 ? -1 : 0) : now - points.begin();
    if (count > 0)
        emit chosenChanged(points[size_t((at + step + count) % count)]->key);
}

/// The target next to the current one in its series, or in the next series the one nearest above or below.
int ChartView::walked(int along, int across) const
{
    const int count = int(m_drawing.points.size());
    if (m_current < 0)
        return 0;
    const PlacedPoint& from = target(m_current);
    const auto away = [&](int i) { return std::abs(target(i).at.x - from.at.x); };
    for (int step = 1; across != 0 && step < count; ++step) {
        int to = ((m_current + across * step) % count + count) % count;
        const size_t series = target(to).series;
        if (series == from.series)
            continue;
        for (int i = 0; i < count; ++i)
            if (target(i).series == series && away(i) < away(to))
                to = i;
        return to;
    }
    return (m_current + along + count) % count;
}

bool ChartView::event(QEvent* event)
{
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::FocusOut || event->type() == QEvent::Leave)
        moveTo(-1, {});
    if (event->type() == QEvent::FontChange)  // names are placed by their sizes
        layOutSoon();
    return isTaken;
}

FigureOptions ChartView::optionsOfFiles() const
{
    FigureOptions options = m_options;
    const QSize room = size().expandedTo({360, 220});
    options.width = room.width();
    options.height = room.height();
    options.headed = true;
    return options;
}

Drawing ChartView::printed() const
{
    return draw(m_shown, optionsOfFiles());
}

QString ChartView::saveAs(const QString& path) const
{
    Chart chart = m_shown;
    if (chart.title.empty())  // for screen readers
        chart.caption = fromQt(accessibleName() + u": "_s + spoken());
    if (path.endsWith(".csv"_L1, Qt::CaseInsensitive))  // which programs read, in any language
        chart.x.title = m_chart.x.title, chart.y.title = m_chart.y.title;
    return writeFigure(path, chart, optionsOfFiles());
}

void widen(ChartAxis& axis)
{
    if (!axis.low || !axis.high)
        return;
    const double margin = 0.015 * (*axis.high - *axis.low);
    *axis.low -= margin;
    *axis.high += margin;
}

TitledChart addTitledChart(QBoxLayout& charts, const QString& name, QWidget* parent, ChartView::Names names,
                           QWidget* aside)
{
    const TitledChart made{new QLabel(name, parent), new ChartView(name, parent, names)};
    made.title->setFont(fontFor(Type::BodyStrong));
    auto* head = new QHBoxLayout;
    head->addWidget(made.title, 1);
    if (aside != nullptr)
        head->addWidget(aside);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(made.view, 1);
    charts.addLayout(column, 1);
    return made;
}

}
