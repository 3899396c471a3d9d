// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layer_depth.h"

#include "ui/charts/curve_chart.h"
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
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i])) {
            points.x.push_back(static_cast<double>(i));
            points.y.push_back(values[i]);
        }
    return points;
}

}  // namespace

LayerDepth::LayerDepth(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_errorsTitle(new QLabel(this))
    , m_errors(new CurveChart(tr("Error by depth"), 0, 1e9, this))
    , m_aloneTitle(new QLabel(tr("Effect of replacing each layer alone, KL"), this))
    , m_alone(new CurveChart(tr("Effect of replacing each layer alone"), 0, 1e9, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    for (CurveChart* chart : {m_errors, m_alone}) {
        chart->setSteps(tr("layers"), tr("layer"));
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
    m_errorsTitle->setText(endToEnd ? tr("Relative drift of block outputs") : tr("Relative error, mean over heads"));
    m_alone->setVisible(endToEnd);
    m_aloneTitle->setVisible(endToEnd);
    const LayerInspection* known = m_session.inspection();
    if (known == nullptr)
        return;
    std::vector<Curve> errors, alone;
    const QStringList names = m_session.names();
    double last = 1;
    for (std::size_t i = 0; i < known->attention.size(); ++i) {
        const InspectedAttention& one = known->attention[i];
        std::vector<double> relative, kl;
        for (const InspectedLayer& layer : one.teacherForced)
            relative.push_back(layer.mean.error.relative);
        for (const LayerAlone& layer : one.alone)
            kl.push_back(layer.kl);
        const QString name = names.value(static_cast<qsizetype>(i)), backend = m_session.look(static_cast<int>(i));
        errors.push_back({name, backend, Curve::Look::Marked, pointsOf(endToEnd ? one.drift : relative)});
        alone.push_back({name, backend, Curve::Look::Marked, pointsOf(kl)});
        last = std::max(last, static_cast<double>(one.teacherForced.size()) - 1);
    }
    m_errors->setCurves(std::move(errors), last);
    m_alone->setCurves(std::move(alone), last);
}

}  // namespace attnscope::ui
