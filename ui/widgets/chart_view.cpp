// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_view.h"

#include "ui/data/run_table_model.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/plot_style.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QKeyEvent>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

QFont axisFont() { return fontFor(Type::Small); }

}  // namespace

ChartView::ChartView(const RunTableModel& runs, QWidget* parent) : QWidget(parent), m_runs(runs), m_plot(new QCustomPlot(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setAccessibleName(tr("Chart area"));
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
    const auto later = [this] {
        if (m_pending)
            return;
        m_pending = true;  // many cells may change in one turn of the event loop; one drawing serves them
        QTimer::singleShot(30, this, [this] {
            m_pending = false;
            rebuild();
        });
    };
    connect(&runs, &RunTableModel::figuresChanged, this, later);
    connect(&runs, &QAbstractItemModel::modelReset, this, later);
    rebuild();
}

void ChartView::setKind(Kind kind)
{
    m_kind = kind;
    rebuild();
}

void ChartView::setQuantities(int x, int y)
{
    m_x = x;
    m_y = y;
    rebuild();
}

void ChartView::setChosen(int column)
{
    m_chosen = column;
    rebuild();
}

void ChartView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuild();
}

void ChartView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QTimer::singleShot(0, this, [this] { rebuild(); });
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, [this] { rebuild(); });  // labels are placed in pixels
}

void ChartView::styleAxes()
{
    const Theme& theme = Theme::of(palette());
    stylePlot(*m_plot, theme, axisFont(), 3);
    m_plot->axisRect()->setMinimumMargins(QMargins(46, 6, 16, 4));
    const auto ticker = [](int count) {
        auto out = QSharedPointer<QCPAxisTicker>::create();
        out->setTickCount(count);
        return out;
    };
    m_plot->xAxis->setTicker(ticker(6));
    m_plot->yAxis->setTicker(ticker(height() < 150 ? 3 : 5));
}

void ChartView::rebuild()
{
    const bool drawn = m_plot->isVisible() && m_plot->width() > 60 && m_plot->height() > 40;
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_points.clear();
    for (int column = 0; column < m_runs.columnCount(); ++column) {
        const auto record = m_runs.record(column);
        if (!record)
            continue;
        const auto x = quantities()[static_cast<std::size_t>(m_x)].of(*record);
        const auto y = quantities()[static_cast<std::size_t>(m_y)].of(*record);
        if (y && (x || m_kind == Kind::Bars))
            m_points.push_back({column, x.value_or(Quantity::Value{}), *y});
    }
    setAccessibleDescription(spoken());
    if (!drawn)
        return;
    styleAxes();
    if (m_kind == Kind::Pareto)
        drawPareto();
    else
        drawBars();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::setRange()
{
    double xLow = 1e300, xHigh = -1e300, yLow = 1e300, yHigh = -1e300;
    for (const Point& point : m_points) {
        xLow = std::min({xLow, point.x.low, point.x.mid});
        xHigh = std::max({xHigh, point.x.high, point.x.mid});
        yLow = std::min({yLow, point.y.low, point.y.mid});
        yHigh = std::max({yHigh, point.y.high, point.y.mid});
    }
    if (m_points.empty())
        xLow = yLow = 0, xHigh = yHigh = 1;
    const Quantity& x = quantities()[static_cast<std::size_t>(m_x)];
    const Quantity& y = quantities()[static_cast<std::size_t>(m_y)];
    const double xSpan = std::max(xHigh - xLow, 1e-9 + std::abs(xHigh) * 0.05), ySpan = std::max(yHigh - yLow, 1e-9 + std::abs(yHigh) * 0.05);
    m_plot->xAxis->setRange(x.fromZero ? std::min(0.0, xLow) - 0.04 * xSpan : std::max(0.0, xLow - 0.12 * xSpan), xHigh + 0.12 * xSpan);
    m_plot->yAxis->setRange(y.fromZero ? std::min(0.0, yLow) - 0.07 * ySpan : std::max(0.0, yLow - 0.14 * ySpan), yHigh + 0.12 * ySpan);
}

void ChartView::addErrorBar(double key, double value, const Quantity::Value& interval, bool alongKey, const QColor& colour)
{
    if (!(interval.high > interval.low))
        return;
    const double from = std::max(interval.low, 0.0);
    const auto line = [&](double k1, double v1, double k2, double v2) {
        auto* item = new QCPItemLine(m_plot);
        item->setPen(QPen(colour, 1.5));
        item->start->setCoords(k1, v1);
        item->end->setCoords(k2, v2);
        item->setHead(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
        item->setTail(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
        item->setClipToAxisRect(false);
    };
    if (alongKey)
        line(from, value, interval.high, value);
    else
        line(key, from, key, interval.high);
}

void ChartView::addMark(const Point& point)
{
    const Theme& theme = Theme::of(palette());
    const QString backend = m_runs.column(point.column).backend;
    const auto scatter = [&](const QCPScatterStyle& style) {
        auto* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setPen(Qt::NoPen);
        graph->setScatterStyle(style);
        graph->setData({point.x.mid}, {point.y.mid});
        graph->setAdaptiveSampling(false);
    };
    scatter(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::transparent, theme.surface, 15));
    scatter(QCPScatterStyle(markPath(backend, 3), Qt::NoPen, theme.backend(backend), 11));
    if (point.column == m_chosen || point.column == m_hovered)
        scatter(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.focus, 2), Qt::NoBrush, 22));
}

void ChartView::addNotice(const QString& sentence)
{
    auto* text = new QCPItemText(m_plot);
    text->setText(sentence);
    text->setFont(font());
    text->setColor(Theme::of(palette()).text3);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(0.5, 0.45);
}

std::vector<int> ChartView::front() const
{
    std::vector<Point> points = m_points;
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return a.x.mid != b.x.mid ? a.x.mid < b.x.mid : a.y.mid < b.y.mid;
    });
    std::vector<int> columns;
    double best = INFINITY;
    for (const Point& point : points) {
        if (point.y.mid >= best)
            continue;
        best = point.y.mid;
        columns.push_back(point.column);
    }
    return columns;
}

void ChartView::addFront()
{
    const std::vector<int> columns = front();
    if (columns.size() < 2)
        return;
    const Theme& theme = Theme::of(palette());
    auto* line = m_plot->addGraph();
    QPen pen(theme.text3, 1.2);
    pen.setDashPattern({4, 4});
    line->setPen(pen);
    QVector<double> x, y;
    for (const int column : columns)
        for (const Point& point : m_points)
            if (point.column == column)
                x << point.x.mid, y << point.y.mid;
    line->setData(x, y);
    line->setName(tr("front"));
}

/// Names beside the marks, moved to where neither a mark nor another name is.
void ChartView::addLabels()
{
    m_plot->replot(QCustomPlot::rpImmediateRefresh);  // margins first: pixel positions below need them
    const Theme& theme = Theme::of(palette());
    const QFont font = fontFor(Type::BodyStrong);
    const QFontMetricsF metrics(font);
    const QRectF area = m_plot->axisRect()->rect();
    std::vector<QRectF> taken;
    const auto pixel = [this](double x, double y) { return QPointF(m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y)); };
    for (const Point& point : m_points) {
        const QPointF at = pixel(point.x.mid, point.y.mid);
        taken.emplace_back(at.x() - 8, at.y() - 8, 16, 16);
        const double low = pixel(std::max(0.0, point.x.low), 0).x(), high = pixel(point.x.high, 0).x();
        if (high - low > 2)
            taken.emplace_back(low - 1, at.y() - 4, high - low + 2, 8);
    }
    for (const Point& point : m_points) {
        const QString name = m_runs.columnTitle(point.column);
        const QSizeF size(metrics.horizontalAdvance(name), metrics.height());
        const QPointF at = pixel(point.x.mid, point.y.mid);
        const double right = pixel(std::max(point.x.high, point.x.mid), 0).x(), low = pixel(std::max(0.0, std::min(point.x.low, point.x.mid)), 0).x();
        std::vector<QPointF> places{{std::max(right, at.x() + 8) + 8, at.y() - size.height() / 2},
                                    {std::min(low, at.x() - 8) - 8 - size.width(), at.y() - size.height() / 2}};
        for (double rise = 8; rise <= 80; rise += 12)
            for (const double shift : {at.x() + 8, at.x() - size.width() / 2, at.x() - 8 - size.width()}) {
                places.emplace_back(shift, at.y() - rise - size.height());
                places.emplace_back(shift, at.y() + rise);
            }
        QRectF chosen(places.front(), size);
        for (const QPointF& place : places) {
            const QRectF rect(place, size);
            const bool free = area.adjusted(0, -6, 12, 0).contains(rect)
                              && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(rect); });
            if (free) {
                chosen = rect;
                break;
            }
        }
        taken.push_back(chosen);
        if (std::abs(chosen.center().y() - at.y()) > 4) {  // not beside its mark: a thin line says whose name it is
            auto* lead = new QCPItemLine(m_plot);
            lead->setPen(QPen(theme.text3, 0.8));
            lead->setClipToAxisRect(false);
            lead->start->setType(QCPItemPosition::ptAbsolute);
            lead->end->setType(QCPItemPosition::ptAbsolute);
            lead->start->setPixelPosition(at);
            lead->end->setPixelPosition({std::clamp(at.x(), chosen.left() + 4, chosen.right() - 4),
                                         chosen.center().y() < at.y() ? chosen.bottom() : chosen.top()});
        }
        auto* label = new QCPItemText(m_plot);
        label->setText(name);
        label->setFont(font);
        label->setColor(theme.text);
        label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        label->setPadding({});
        label->setClipToAxisRect(false);
        label->position->setType(QCPItemPosition::ptAbsolute);
        label->position->setPixelPosition(chosen.topLeft());
    }
}

void ChartView::drawPareto()
{
    const Theme& theme = Theme::of(palette());
    const Quantity& x = quantities()[static_cast<std::size_t>(m_x)];
    m_plot->xAxis->setLabel(x.intervals.isEmpty() ? x.title() : tr("%1 (%2)").arg(x.title(), x.intervals));
    setRange();
    if (m_points.empty())
        addNotice(tr("Points appear as they are measured"));
    addFront();
    for (const Point& point : m_points) {
        const QColor colour = theme.backend(m_runs.column(point.column).backend);
        addErrorBar(point.x.mid, point.y.mid, point.x, true, colour);
        addErrorBar(point.x.mid, point.y.mid, point.y, false, colour);
    }
    for (const Point& point : m_points)
        addMark(point);
    addLabels();
}

void ChartView::drawBars()
{
    const Theme& theme = Theme::of(palette());
    const Quantity& y = quantities()[static_cast<std::size_t>(m_y)];
    m_plot->xAxis->setLabel(y.intervals.isEmpty() ? y.title() : tr("%1 (%2)").arg(y.title(), y.intervals));
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double high = 0;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Point& point = m_points[i];
        const auto key = static_cast<double>(i + 1);
        const QString backend = m_runs.column(point.column).backend;
        names->addTick(key, m_runs.columnTitle(point.column));
        high = std::max({high, point.y.high, point.y.mid});
        auto* bar = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        bar->setWidth(0.5);
        bar->setPen(point.column == m_chosen ? QPen(theme.focus, 2) : QPen(Qt::NoPen));
        bar->setBrush(theme.band(backend));
        bar->setData({key}, {point.y.mid});
        addErrorBar(key, point.y.mid, point.y, false, theme.backend(backend));
        auto* label = new QCPItemText(m_plot);
        label->setText(point.y.text);
        label->setFont(fontFor(Type::BodyMedium));
        label->setColor(theme.text);
        label->setClipToAxisRect(false);
        label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        label->position->setCoords(key, std::max(point.y.high, point.y.mid));
        label->setPadding({0, 0, 0, 3});
    }
    m_plot->xAxis->setTicker(names);
    m_plot->xAxis->setRange(0.4, std::max<double>(1, static_cast<double>(m_points.size())) + 0.6);
    m_plot->yAxis->setRange(0, high > 0 ? high * 1.22 : 1);
}

QString ChartView::tooltip(const Point& point) const
{
    const Quantity& x = quantities()[static_cast<std::size_t>(m_x)];
    const Quantity& y = quantities()[static_cast<std::size_t>(m_y)];
    const QString title = m_runs.columnTitle(point.column);
    const auto record = m_runs.record(point.column);
    const QString repetitions = record && record->latency ? tr("\nn = %1").arg(record->latency->repetitions) : QString();
    const QString second = tr("%1: %2").arg(y.name, point.y.text);
    return m_kind == Kind::Pareto ? title + QLatin1Char('\n') + tr("%1: %2").arg(x.name, point.x.text) + QLatin1Char('\n') + second + repetitions
                                  : title + QLatin1Char('\n') + second + repetitions;
}

QString ChartView::spoken() const
{
    QStringList parts;
    for (const Point& point : m_points)
        parts << tooltip(point).replace(QLatin1Char('\n'), QLatin1String(", "));
    return parts.isEmpty() ? tr("nothing measured yet") : parts.join(QStringLiteral("; "));
}

int ChartView::nearest(QPointF position, double within) const
{
    int best = -1;
    double distance = within;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const double x = m_kind == Kind::Pareto ? m_points[i].x.mid : static_cast<double>(i + 1);
        const double dx = m_plot->xAxis->coordToPixel(x) - position.x();
        const double dy = m_kind == Kind::Pareto ? m_plot->yAxis->coordToPixel(m_points[i].y.mid) - position.y() : 0;
        if (std::hypot(dx, dy) <= distance) {
            distance = std::hypot(dx, dy);
            best = static_cast<int>(i);
        }
    }
    return best;
}

bool ChartView::eventFilter(QObject* watched, QEvent* event)
{
    const double within = m_kind == Kind::Pareto ? 16 : 40;
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const int hit = nearest(mouse->position(), within);
        const int column = hit < 0 ? -1 : m_points[static_cast<std::size_t>(hit)].column;
        if (hit >= 0)
            QToolTip::showText(mouse->globalPosition().toPoint(), tooltip(m_points[static_cast<std::size_t>(hit)]), this);
        else
            QToolTip::hideText();
        if (column != m_hovered) {
            m_hovered = column;
            rebuild();
        }
    }
    if (event->type() == QEvent::MouseButtonPress) {
        const int hit = nearest(static_cast<QMouseEvent*>(event)->position(), within);
        if (hit >= 0)
            emit chosenChanged(m_points[static_cast<std::size_t>(hit)].column);
    }
    return QWidget::eventFilter(watched, event);
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto now = std::find_if(m_points.begin(), m_points.end(), [this](const Point& p) { return p.column == m_chosen; });
    const int at = now == m_points.end() ? (step > 0 ? -1 : 0) : static_cast<int>(now - m_points.begin());
    const int count = static_cast<int>(m_points.size());
    emit chosenChanged(m_points[static_cast<std::size_t>((at + step + count) % count)].column);
}

bool ChartView::saveAs(const QString& path)
{
    if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        return m_plot->savePdf(path);
    return m_plot->savePng(path, 0, 0, 2);
}

}  // namespace attnscope::ui
