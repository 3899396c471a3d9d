#include "ui/charts/run_marks.h"

#include "ui/charts/chart_view.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"

#include <algorithm>
#include <map>

namespace attnscope::ui {

namespace {

ChartAxis axisOf(const RunAxis& axis)
{
    const QString quantity = axis.unit.isEmpty() ? axis.title : u"%1, %2"_s.arg(axis.title, axis.unit);
    ChartAxis made;
    made.title = fromQt(axis.intervals.isEmpty() ? quantity : u"%1 (%2)"_s.arg(quantity, axis.intervals));
    made.name = fromQt(axis.title);
    made.least = 0;
    made.fromZero = axis.fromZero;
    return made;
}

void setInterval(const ChartValue& value, std::optional<double>& low, std::optional<double>& high)
{
    if (value.low == value.high)
        return;
    low = std::max(0.0, std::min(value.low, value.mid));
    high = std::max(value.high, value.mid);
}

}

Chart runChart(const std::vector<RunMark>& marks, const RunAxis& x, const RunAxis& y)
{
    Chart chart;
    chart.x = axisOf(x);
    chart.y = axisOf(y);
    std::map<QString, std::vector<ChartPoint>> own;  // by conditions
    for (const RunMark& mark : marks) {
        ChartPoint point;
        point.key = mark.key;
        point.y = mark.y.mid;
        point.label = fromQt(mark.y.text);
        setInterval(mark.y, point.low, point.high);
        QStringList lines{mark.name, ChartView::tr("%1: %2").arg(y.title, mark.y.text)};
        if (mark.x) {
            point.x = mark.x->mid;
            setInterval(*mark.x, point.xLow, point.xHigh);
            lines << ChartView::tr("%1: %2").arg(x.title, mark.x->text);
        }
        if (!mark.remark.isEmpty())
            lines << mark.remark;
        point.title = fromQt(lines.join(QLatin1Char('\n')));
        if (!mark.published)
            own[mark.conditions].push_back(point);
        chart.series.push_back({fromQt(mark.name), fromQt(mark.backend), false, mark.published, {point}});
    }
    for (const auto& [conditions, points] : own) {
        std::vector<ChartPoint>& front = conditions == own.begin()->first ? chart.front
                                                                          : chart.moreFronts.emplace_back();
        for (const size_t i : paretoFront(points, x.better, y.better))
            front.push_back(points[i]);
    }
    return chart;
}

CaptionCombo* newScaleBox(ChartView& chart, QWidget* parent)
{
    using Scale = ChartView::Scale;
    auto* box = new CaptionCombo(ChartView::tr("scale"), parent);
    box->setAccessibleName(ChartView::tr("Scale of the axes"));
    box->setToolTip(ChartView::tr(
        "Automatic: an axis becomes logarithmic where a few large values would squeeze the others together"));
    box->addItem(ChartView::tr("automatic"), int(Scale::Automatic));
    box->addItem(ChartView::tr("linear"), int(Scale::Linear));
    box->addItem(ChartView::tr("logarithmic"), int(Scale::Logarithmic));
    QObject::connect(box, &QComboBox::currentIndexChanged, &chart,
                     [&chart, box] { chart.setScale(static_cast<Scale>(box->currentData().toInt())); });
    return box;
}

}
