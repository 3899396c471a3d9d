// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_chart.h"

#include "ui/charts/plot_style.h"
#include "ui/style/painting.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

bool isEmpty(const std::vector<Curve>& curves)
{
    return std::all_of(curves.begin(), curves.end(), [](const Curve& curve) {
        return curve.points.x.isEmpty() || curve.look == Curve::Look::Level;
    });
}

/// Whole epochs between two numbers of the axis, some six of them: 1, 2, 5, 10, 20 …
double epochStep(double epochs)
{
    double step = 1;
    for (int i = 0; epochs / step > 7; ++i)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

QString valueText(double value)
{
    return QString::number(value, 'g', 4);
}

}  // namespace

CurveChart::CurveChart(const QString& title, double least, double most, QWidget* parent)
    : PlotWidget(title, parent)
    , m_title(title)
    , m_axis(tr("epochs"))
    , m_step(tr("epoch"))
    , m_least(least)
    , m_most(most)
{
    setAccessibleDescription(spoken());
}

void CurveChart::setCurves(std::vector<Curve> curves, double epochs)
{
    m_curves = std::move(curves);
    m_epochs = std::max(1.0, epochs);
    rebuildSoon(100);
}

void CurveChart::setSteps(const QString& axis, const QString& step)
{
    m_axis = axis;
    m_step = step;
    rebuildSoon(100);
}

void CurveChart::draw(const Theme& theme)
{
    styleAxes(theme);
    setRange();
    if (isEmpty(m_curves))
        addNotice(theme);
    for (const Curve& curve : m_curves)
        addCurve(curve, theme);
    addNames(theme);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurveChart::styleAxes(const Theme& theme)
{
    stylePlot(*m_plot, theme, fontFor(Type::Small), 4);
    auto values = QSharedPointer<QCPAxisTicker>::create();
    values->setTickCount(height() < 170 ? 3 : 5);
    m_plot->yAxis->setTicker(values);
    auto epochs = QSharedPointer<QCPAxisTickerFixed>::create();
    epochs->setTickStep(epochStep(m_epochs));
    m_plot->xAxis->setTicker(epochs);
    // Without a point there are no values to read off.
    m_plot->yAxis->setTickLabels(!isEmpty(m_curves));
    m_plot->yAxis->grid()->setVisible(!isEmpty(m_curves));
    m_plot->xAxis->setLabel(m_axis);
    m_plot->axisRect()->setMinimumMargins(QMargins(40, 8, 10 + nameRoom(), 4));
}

/// Room at the right for the longest name.
int CurveChart::nameRoom() const
{
    int widest = 0;
    const QFontMetrics metrics(fontFor(Type::SmallMedium));
    for (const Curve& curve : m_curves)
        if (!curve.points.x.isEmpty())
            widest = std::max(widest, metrics.horizontalAdvance(curve.name));
    return widest + 6;
}

void CurveChart::setRange()
{
    double low = 1e300, high = -1e300;
    for (const Curve& curve : m_curves) {
        QVector<double> values = curve.points.y;
        if (values.isEmpty())
            continue;
        std::sort(values.begin(), values.end());
        // A few wild steps do not press the rest together.
        const qsizetype cut = curve.look == Curve::Look::Faint ? values.size() / 50 : 0;
        low = std::min(low, values[cut]);
        high = std::max(high, values[values.size() - 1 - cut]);
    }
    if (low > high)
        low = m_least, high = std::min(m_most, m_least + 1);
    const double least = 1e-3 + std::abs(high) * 0.1;  // a few points that hardly differ are not blown up
    if (high - low < least)
        low -= (least - (high - low)) / 2, high = low + least;
    const double span = high - low;
    m_plot->yAxis->setRange(std::max(m_least, low - 0.1 * span), std::min(m_most, high + 0.12 * span));
    m_plot->xAxis->setRange(-0.015 * m_epochs, 1.015 * m_epochs);  // marks at the ends are whole
}

void CurveChart::addCurve(const Curve& curve, const Theme& theme)
{
    if (curve.points.x.isEmpty())
        return;
    const QColor colour = theme.backend(curve.backend);
    auto* graph = m_plot->addGraph();
    QPen pen(colour, 1.75);
    if (curve.look == Curve::Look::Faint)
        pen = QPen(theme.band(curve.backend), 1);
    if (curve.look == Curve::Look::Dashed)
        pen.setDashPattern({4, 3});
    if (curve.look == Curve::Look::Level)
        pen.setDashPattern({8, 4});
    graph->setPen(pen);
    if (curve.look == Curve::Look::Level)
        graph->setData({0.0, m_epochs}, {curve.points.y.back(), curve.points.y.back()});
    else
        graph->setData(curve.points.x, curve.points.y);
    if (curve.look == Curve::Look::Marked) {
        const double apart = m_plot->axisRect()->width() / std::max(1.0, m_epochs);
        const double size = std::clamp(apart * 0.7, 4.0, 9.0);  // many epochs: the line alone is clearer
        graph->setScatterStyle(
            QCPScatterStyle(markPath(curve.backend, 3), QPen(theme.surface, 0.8), colour, size));
    }
}

/// At each line's end, moved apart.
void CurveChart::addNames(const Theme& theme)
{
    m_plot->replot(QCustomPlot::rpImmediateRefresh);  // margins first: pixel positions below need them
    const QFont font = fontFor(Type::SmallMedium);
    const double high = QFontMetricsF(font).height();
    struct Name {
        QString text;
        double x = 0, y = 0;
    };
    std::vector<Name> names;
    const double right = m_plot->axisRect()->right();
    for (const Curve& curve : m_curves)
        if (!curve.points.x.isEmpty() && curve.look != Curve::Look::Faint) {
            const double end = curve.look == Curve::Look::Level
                                   ? right
                                   : m_plot->xAxis->coordToPixel(curve.points.x.back());
            names.push_back(
                {curve.name, std::min(end, right) + 8, m_plot->yAxis->coordToPixel(curve.points.y.back())});
        }
    std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
    for (std::size_t i = 1; i < names.size(); ++i)
        names[i].y = std::max(names[i].y, names[i - 1].y + high);
    const double lowest = m_plot->axisRect()->bottom() - high / 2;
    for (std::size_t i = names.size(); i-- > 0;)
        names[i].y = std::min(names[i].y, i + 1 < names.size() ? names[i + 1].y - high : lowest);
    for (const Name& name : names) {
        auto* label = new QCPItemText(m_plot);
        label->setText(name.text);
        label->setFont(font);
        label->setColor(theme.text);
        label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        label->setPadding({});
        label->setClipToAxisRect(false);
        label->position->setType(QCPItemPosition::ptAbsolute);
        label->position->setPixelPosition({name.x, name.y});
    }
}

QString CurveChart::spoken() const
{
    QStringList parts;
    for (const Curve& curve : m_curves)
        if (!curve.points.y.isEmpty() && curve.look != Curve::Look::Faint)
            parts << tr("%1 %2").arg(curve.name, valueText(curve.points.y.back()));
    return parts.isEmpty() ? tr("%1: no data yet").arg(m_title)
                           : tr("%1: %2").arg(m_title, parts.join(QStringLiteral(", ")));
}

void CurveChart::showNearest(const QPointF& position, const QPoint& global)
{
    QString words;
    double distance = 16;
    for (const Curve& curve : m_curves) {
        if (curve.look == Curve::Look::Faint)
            continue;
        for (qsizetype i = 0; i < curve.points.x.size(); ++i) {
            const double x = curve.look == Curve::Look::Level ? position.x()
                                                              : m_plot->xAxis->coordToPixel(curve.points.x[i]);
            const double away = std::hypot(x - position.x(),
                                           m_plot->yAxis->coordToPixel(curve.points.y[i]) - position.y());
            if (away >= distance)
                continue;
            distance = away;
            words = curve.look == Curve::Look::Level
                        ? tr("%1: %2").arg(curve.name, valueText(curve.points.y[i]))
                        : tr("%1, %2 %3: %4")
                              .arg(curve.name, m_step, valueText(curve.points.x[i]), valueText(curve.points.y[i]));
        }
    }
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(global, words, this);
}

bool CurveChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        showNearest(mouse->position(), mouse->globalPosition().toPoint());
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace attnscope::ui
