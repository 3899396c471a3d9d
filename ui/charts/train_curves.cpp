#include "ui/charts/train_curves.h"

#include "ui/charts/chart_view.h"
#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

ChartSeries curveSeries(const QString& name, const QString& backend, const QString& step,
                        const CurvePoints& points, SeriesLine line)
{
    const auto text = [](double value) { return QString::number(value, 'g', 4); };
    ChartSeries series{fromQt(name), fromQt(backend), true, false, {}, line};
    for (qsizetype i = 0; i < points.x.size(); ++i) {
        ChartPoint point;
        point.x = points.x[i];
        point.y = points.y[i];
        if (line != SeriesLine::Faint) {
            point.label = fromQt(text(point.y));
            point.title = fromQt(
                line == SeriesLine::Level
                    ? ChartView::tr("%1: %2").arg(name, text(point.y))
                    : ChartView::tr("%1, %2 %3: %4").arg(name, step, text(point.x), text(point.y)));
        }
        series.points.push_back(std::move(point));
    }
    return series;
}

Chart curveChart(const QString& steps, double last, std::optional<double> most)
{
    const double end = std::max(1.0, last);
    Chart chart;
    chart.x.title = fromQt(steps);
    chart.x.numbers = AxisNumbers::Whole;
    chart.x.low = -0.015 * end;  // marks at the ends are whole
    chart.x.high = 1.015 * end;
    chart.y.least = 0;
    chart.y.most = most;
    return chart;
}

void StepLosses::add(const TrainingStep& step)
{
    if (step.steps <= 0 || !std::isfinite(step.loss))
        return;
    m_sumX += double(step.epoch - 1) + double(step.step) / double(step.steps);
    m_sumY += step.loss;
    if (++m_gathered < m_stepsPerPoint)
        return;
    m_points.x << std::exchange(m_sumX, 0) / m_gathered;
    m_points.y << std::exchange(m_sumY, 0) / m_gathered;
    m_gathered = 0;
    if (m_points.x.size() >= maxPoints)
        halve();
}

void StepLosses::halve()
{
    CurvePoints half;
    for (qsizetype i = 0; i + 1 < m_points.x.size(); i += 2) {
        half.x << (m_points.x[i] + m_points.x[i + 1]) / 2;
        half.y << (m_points.y[i] + m_points.y[i + 1]) / 2;
    }
    m_points = std::move(half);
    m_stepsPerPoint *= 2;
}

void StepLosses::dropAfter(double epochs)
{
    while (!m_points.x.isEmpty() && m_points.x.back() > epochs) {
        m_points.x.removeLast();
        m_points.y.removeLast();
    }
    m_sumX = m_sumY = 0;
    m_gathered = 0;
}

}
