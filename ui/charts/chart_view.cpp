// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.h"

#include "ui/charts/chart_plot.h"
#include "ui/charts/figure_file.h"
#include "ui/style/accessible_role.h"
#include "ui/style/painting.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include <QBuffer>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QSvgGenerator>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr double nearMark = 16, nearBar = 40;

/// Around the mark or the bar under the pointer, above the plot: it moves without a new drawing.
class Ring : public QWidget {
public:
    explicit Ring(QWidget* parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(palette()).focus, 2));
        if (property("bar").toBool())
            painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
        else
            painter.drawEllipse(QRectF(rect()).adjusted(2, 2, -2, -2));
    }
};

}  // namespace

ChartView::ChartView(const QString& name, QWidget* parent, Names names)
    : QWidget(parent)
    , m_plot(new ChartPlot(this))
    , m_ring(new Ring(m_plot))
    , m_names(names)
    , m_scale(names == Names::AtMarks ? Scale::Automatic : Scale::OfChart)
{
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(names == Names::AtEnds ? Qt::NoFocus : Qt::StrongFocus);
    setAccessibleName(name);
    setAccessibleDescription(spoken());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setAutoAddPlottableToLegend(false);  // never shown, and clearing it takes the square of the number of series
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMinimumSize(60, 40);
    m_plot->setAccessibleName(tr("Chart area"));
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
}

QSize ChartView::sizeHint() const
{
    return m_names == Names::AtMarks ? QWidget::sizeHint() : QSize(360, m_names == Names::AtEnds ? 200 : 220);
}

void ChartView::setChart(Chart chart)
{
    m_chart = std::move(chart);
    setScale(m_scale);
}

void ChartView::setHidden(const QStringList& names)
{
    m_hidden = names;
    rebuildSoon();
}

void ChartView::setPlaces(const std::vector<std::int64_t>& places)
{
    m_places.assign(places.begin(), places.end());
    rebuildSoon();
}

void ChartView::setNotice(const QString& sentence)
{
    m_notice = sentence;
    rebuildSoon();
}

void ChartView::setForm(Form form)
{
    m_form = form;
    setScale(m_scale);
}

void ChartView::setScale(Scale scale)
{
    m_scale = scale;
    m_logX = isLogarithmic(&ChartPoint::x, m_chart.x);
    m_logY = isLogarithmic(&ChartPoint::y, m_chart.y);
    rebuildSoon(m_names == Names::AtEnds ? 100 : 30);  // curves grow while a job runs
}

void ChartView::setChosen(qint64 key)
{
    if (std::exchange(m_chosen, key) != key)
        rebuildSoon();
}

ChartView::SeriesList ChartView::shown() const
{
    SeriesList series;
    for (const ChartSeries& each : m_chart.series)
        if (!m_hidden.contains(toQt(each.name)))
            series.push_back(&each);
    return series;
}

bool ChartView::isLogarithmic(double ChartPoint::*value, const ChartAxis& axis) const
{
    if (m_scale == Scale::OfChart)
        return axis.scale == AxisScale::Log;
    std::vector<double> values;
    for (const ChartSeries& series : m_chart.series)
        for (const ChartPoint& point : series.points)
            values.push_back(point.*value);
    const auto [least, most] = std::ranges::minmax_element(values);
    if (m_form == Form::Bars || m_scale == Scale::Linear || values.empty() || *least < 0 || *most <= 0)
        return false;
    return m_scale == Scale::Logarithmic || fittingScale(values) == AxisScale::Log;
}

/// Zero has a place on an axis that is logarithmic by `setScale`.
bool ChartView::isDrawn(const ChartPoint& point) const
{
    const bool zero = m_scale != Scale::OfChart;
    return point.missing.empty() && std::isfinite(point.x) && std::isfinite(point.y) && (!m_logX || point.x > 0 || zero)
           && (!m_logY || point.y > 0 || zero);
}

QString ChartView::scaleNote() const
{
    const bool across = m_scale != Scale::OfChart && m_logX, up = m_scale != Scale::OfChart && m_logY;
    return across && up ? tr("both axes logarithmic")
           : up         ? tr("%1: logarithmic axis").arg(engineText(m_chart.y.name))
           : across     ? tr("%1: logarithmic axis").arg(engineText(m_chart.x.name))
                        : QString();
}

QList<qint64> ChartView::front() const
{
    QList<qint64> keys;
    for (const ChartPoint& point : m_chart.front)
        keys << point.key;
    for (const std::vector<ChartPoint>& front : m_chart.moreFronts)
        for (const ChartPoint& point : front)
            keys << point.key;
    return keys;
}

QString ChartView::spoken() const
{
    QStringList parts;
    for (const ChartSeries* series : shown()) {
        if (m_names == Names::AtEnds) {  // the latest values
            if (!series->points.empty() && series->line != SeriesLine::Faint)
                parts << tr("%1 %2").arg(toQt(series->name), toQt(series->points.back().label));
            continue;
        }
        for (const ChartPoint& point : series->points) {
            const QString title = toQt(point.title).replace(QLatin1Char('\n'), QLatin1String(", "));
            if (!point.missing.empty())
                parts << tr("%1 stopped: %2").arg(title, toQt(point.missing));
            else if (isDrawn(point))
                parts << title;
        }
    }
    if (m_names == Names::AtEnds)
        return parts.isEmpty() ? tr("%1: no data yet").arg(accessibleName())
                               : tr("%1: %2").arg(accessibleName(), parts.join(QStringLiteral(", ")));
    if (!scaleNote().isEmpty())
        parts << scaleNote();
    return parts.isEmpty() ? m_notice : parts.join(QStringLiteral("; "));
}

QString ChartView::current() const
{
    return m_current < 0 ? QString() : m_targets[static_cast<std::size_t>(m_current)].words;
}

QPointF ChartView::markAt(qint64 key) const
{
    const auto found = std::ranges::find_if(m_targets, [key](const Target& target) { return target.key == key; });
    return found == m_targets.end() ? QPointF() : found->at;
}

void ChartView::rebuild(const Theme& theme)
{
    setAccessibleDescription(spoken());
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_targets.clear();
    m_current = -1;
    m_ring->hide();
    if (m_plot->width() >= 60 && m_plot->height() >= 40)
        draw(theme);
}

/// In a turn of the event loop of its own.
void ChartView::rebuildSoon(int milliseconds)
{
    if (std::exchange(m_pending, true))
        return;
    QTimer::singleShot(milliseconds, this, [this] {
        m_pending = false;
        if (isVisible())
            rebuild(Theme::of(palette()));
        else
            setAccessibleDescription(spoken());  // drawn when it is shown
    });
}

void ChartView::moveTo(int target, const QPoint& tipAt)
{
    if (std::exchange(m_current, target) >= 0 && target < 0)
        setAccessibleDescription(spoken());
    m_ring->setVisible(target >= 0 && m_names != Names::AtEnds);
    if (target < 0) {
        QToolTip::hideText();
        return;
    }
    const Target& now = m_targets[static_cast<std::size_t>(target)];
    m_ring->setProperty("bar", m_form == Form::Bars);
    m_ring->setGeometry(m_form == Form::Bars ? now.bar : QRectF(now.at - QPointF(12, 12), QSizeF(24, 24)).toAlignedRect());
    setAccessibleDescription(now.words);
    QToolTip::showText(tipAt, now.words, this);
}

/// The nearest; below 0: none is near.
int ChartView::targetAt(QPointF position) const
{
    const bool bars = m_form == Form::Bars;
    int best = -1;
    double distance = bars ? nearBar : nearMark;
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        const QPointF away = m_targets[i].at - position;
        const double length = std::hypot(m_targets[i].level ? 0 : away.x(), bars ? 0 : away.y());
        if (length <= distance)
            distance = length, best = static_cast<int>(i);
    }
    return best;
}

bool ChartView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave)
        moveTo(-1, {});
    if (event->type() == QEvent::MouseButtonPress) {
        if (focusPolicy() != Qt::NoFocus)
            setFocus(Qt::MouseFocusReason);
        const int hit = targetAt(static_cast<QMouseEvent*>(event)->position());
        if (hit >= 0 && m_targets[static_cast<std::size_t>(hit)].key != none)
            emit chosenChanged(m_targets[static_cast<std::size_t>(hit)].key);
    }
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (const int best = targetAt(mouse->position()); best != m_current)
            moveTo(best, mouse->globalPosition().toPoint());
    }
    return QWidget::eventFilter(watched, event);
}

/// Left and right choose the next point; where points have no keys they walk a series, and up and down go to the next one.
void ChartView::keyPressEvent(QKeyEvent* event)
{
    const int along = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int across = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (m_names == Names::AtMarks && along != 0 && !m_chart.series.empty())
        return chooseNext(along);
    if (m_names == Names::AtMarks || (along == 0 && across == 0) || m_targets.empty())
        return QWidget::keyPressEvent(event);
    const int to = walked(along, across);
    moveTo(to, m_plot->mapToGlobal(m_targets[static_cast<std::size_t>(to)].at.toPoint()));
}

void ChartView::chooseNext(int step)
{
    std::vector<const ChartPoint*> points;
    for (const ChartSeries* series : shown())
        for (const ChartPoint& point : series->points)
            if (!series->published)  // has the key of the point that it stands next to
                points.push_back(&point);
    if (m_form == Form::Marks)
        std::ranges::stable_sort(points, [](const auto* a, const auto* b) { return a->x < b->x; });
    const auto now = std::ranges::find_if(points, [this](const auto* point) { return point->key == m_chosen; });
    const auto count = std::ssize(points);
    const auto at = now == points.end() ? (step > 0 ? -1 : 0) : now - points.begin();
    if (count > 0)
        emit chosenChanged(points[static_cast<std::size_t>((at + step + count) % count)]->key);
}

/// The target next to the current one in its series, or in the next series the one nearest above or below.
int ChartView::walked(int along, int across) const
{
    const int count = static_cast<int>(m_targets.size());
    const auto target = [this](int i) -> const Target& { return m_targets[static_cast<std::size_t>(i)]; };
    if (m_current < 0)
        return 0;
    const Target& from = target(m_current);
    for (int step = 1; across != 0 && step < count; ++step) {
        int to = ((m_current + across * step) % count + count) % count;
        const std::size_t series = target(to).series;
        if (series == from.series)
            continue;
        for (int i = 0; i < count; ++i)
            if (target(i).series == series && std::abs(target(i).at.x() - from.at.x()) < std::abs(target(to).at.x() - from.at.x()))
                to = i;
        return to;
    }
    return (m_current + along + count) % count;
}

/// Labels are placed, and marks are found, by pixels: another size or font is another drawing.
bool ChartView::event(QEvent* event)
{
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::FocusOut)
        moveTo(-1, {});
    constexpr std::array redrawing{QEvent::PaletteChange, QEvent::FontChange, QEvent::Show, QEvent::Resize};
    if (std::ranges::find(redrawing, event->type()) != redrawing.end())
        rebuildSoon();
    return isTaken;
}

QByteArray ChartView::svg()
{
    rebuild(Theme::light());
    QBuffer buffer;
    QSvgGenerator device;
    device.setOutputDevice(&buffer);
    device.setSize(m_plot->size());
    device.setViewBox(QRect(QPoint(), m_plot->size()));
    device.setTitle(accessibleName());
    device.setDescription(spoken());
    QCPPainter painter;
    if (painter.begin(&device)) {
        painter.setMode(QCPPainter::pmVectorized);
        m_plot->toPainter(&painter, m_plot->width(), m_plot->height());
        painter.end();
    }
    rebuild(Theme::of(palette()));
    return buffer.data();
}

/// Names at marks and lines are placed here alone, so that charts with them are written as they are drawn.
QString ChartView::saveAs(const QString& path)
{
    const QStringList formats{QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("pdf"), QStringLiteral("csv")};
    if (const QString refused = refusedFormat(path, formats); !refused.isEmpty())
        return refused;
    const auto ends = [&](const char* suffix) { return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive); };
    if (ends(".csv") || (m_names == Names::Aside && ends(".svg"))) {
        Chart chart = m_chart;
        std::erase_if(chart.series, [this](const ChartSeries& s) { return m_hidden.contains(toQt(s.name)); });
        return writeFigure(path, chart);
    }
    if (ends(".svg"))
        return writeBytes(path, svg());
    rebuild(Theme::light());
    const bool saved = ends(".pdf") ? m_plot->savePdf(path) : m_plot->savePng(path, 0, 0, 2);
    rebuild(Theme::of(palette()));
    return saved ? QString() : tr("%1: cannot be written; choose a writable folder.").arg(path);
}

TitledChart addTitledChart(QBoxLayout& charts, const QString& name, QWidget* parent, ChartView::Names names, QWidget* aside)
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

}  // namespace attnscope::ui
