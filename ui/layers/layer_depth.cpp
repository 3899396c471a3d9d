#include "ui/layers/layer_depth.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/train_curves.h"
#include "ui/style/qt_text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

CurvePoints pointsOf(const std::vector<double>& values)
{
    CurvePoints points;
    for (size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i])) {
            points.x.push_back(double(i));
            points.y.push_back(values[i]);
        }
    return points;
}

}

LayerDepth::LayerDepth(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_errorsTitle(new QLabel(this))
    , m_errors(new ChartView(tr("Error by depth"), this, ChartView::Names::AtEnds))
    , m_aloneTitle(new QLabel(tr("Effect of replacing each layer alone, KL"), this))
    , m_alone(new ChartView(tr("Effect of replacing each layer alone"), this, ChartView::Names::AtEnds))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    for (ChartView* chart : {m_errors, m_alone}) {
        chart->setChart(curveChart(tr("layers"), 1));
        chart->setNotice(tr("no data yet"));
    }
    column->addWidget(m_errorsTitle);
    column->addWidget(m_errors, 1);
    column->addWidget(m_aloneTitle);
    column->addWidget(m_alone, 1);
    connect(&m_session, &LayersSession::changed, this, &LayerDepth::refresh);
    refresh();
}

void LayerDepth::refresh()
{
    const bool endToEnd = m_session.mode() == InspectionMode::EndToEnd;
    m_errorsTitle->setText(endToEnd ? tr("Relative drift of block outputs")
                                    : tr("Relative error, mean over heads"));
    m_alone->setVisible(endToEnd);
    m_aloneTitle->setVisible(endToEnd);
    const LayerInspection* known = m_session.inspection();
    if (known == nullptr)
        return;
    double last = 1;
    for (const InspectedAttention& one : known->attention)
        last = std::max(last, double(one.teacherForced.size()) - 1);
    Chart errors = curveChart(tr("layers"), last), alone = errors;
    const QStringList names = m_session.names();
    for (size_t i = 0; i < known->attention.size(); ++i) {
        const InspectedAttention& one = known->attention[i];
        std::vector<double> relative, kl;
        for (const InspectedLayer& layer : one.teacherForced)
            relative.push_back(layer.mean.error.relative);
        for (const LayerAlone& layer : one.alone)
            kl.push_back(layer.kl);
        const QString name = names.value(static_cast<qsizetype>(i)), backend = m_session.look(int(i));
        errors.series.push_back(
            curveSeries(name, backend, tr("layer"), pointsOf(endToEnd ? one.drift : relative)));
        alone.series.push_back(curveSeries(name, backend, tr("layer"), pointsOf(kl)));
    }
    m_errors->setChart(std::move(errors));
    m_alone->setChart(std::move(alone));
}

}
