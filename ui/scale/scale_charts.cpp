#include "ui/scale/scale_charts.h"

#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

void useOneScale(std::vector<Chart>& charts, const QStringList& hidden)
{
    double low = 1e300, high = 0;
    bool missing = false;
    for (const Chart& chart : charts)
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points) {
                missing = missing || (!point.missing.empty() && !hidden.contains(toQt(series.name)));
                if (hidden.contains(toQt(series.name)) || !point.missing.empty() || !std::isfinite(point.y)
                    || point.y <= 0)
                    continue;
                const double least = point.low.value_or(point.y);
                low = std::min(low, least > 0 ? least : point.y);
                high = std::max(high, point.high.value_or(point.y));
            }
    if (low > high)
        return;
    const double room = std::pow(std::max(high / low, 1.5), 0.07);
    for (Chart& chart : charts)
        chart.y.low = low / room,
        chart.y.high = high * (missing ? std::pow(room, 2.5) : room);  // below the crosses
}

/// All lengths asked for, so that points appear at their place while it measures.
void spanLengths(Chart& chart, const std::vector<int64_t>& lengths)
{
    if (lengths.size() < 2)
        return;
    const double room = std::pow(double(lengths.back()) / double(lengths.front()), 0.04);
    chart.x.low = double(lengths.front()) / room;
    chart.x.high = double(lengths.back()) * room;
}

}

std::vector<Chart> lengthCharts(const ScaleReport& report, ScaleQuantity quantity, ScaleMeasure measure,
                                const QStringList& hidden)
{
    const bool time = quantity == ScaleQuantity::Time;
    std::vector<Chart> charts{
        scaleChart(report, time ? ScaleMetric::Time : ScaleMetric::Memory, measure),
        scaleChart(report, time ? ScaleMetric::AttentionTime : ScaleMetric::AttentionMemory, measure)};
    useOneScale(charts, hidden);
    for (Chart& chart : charts)
        spanLengths(chart, report.request.lengths);
    return charts;
}

}
