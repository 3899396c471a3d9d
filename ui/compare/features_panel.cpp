#include "ui/compare/features_panel.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/train_curves.h"
#include "ui/compare/patch_images.h"
#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

#include <QBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

enum TokenChoice { PatchTokens, ClassToken };

/// Behind each block; blocks without such a token, or whose cosine is not finite, are left out.
CurvePoints cosinesOf(const FeatureDrift& drift, TokenChoice tokens)
{
    CurvePoints points;
    for (size_t i = 0; i < drift.layers.size(); ++i) {
        const std::optional<double> cosine = tokens == ClassToken ? drift.layers[i].token
                                                                  : std::optional(drift.layers[i].patches);
        if (!cosine || !std::isfinite(*cosine))
            continue;
        points.x << double(i);
        points.y << *cosine;
    }
    return points;
}

}

FeaturesPanel::FeaturesPanel(const RunTableModel& runs, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_images(new PatchImages(tr("Principal components of the patches"), this))
    , m_tokens(new CaptionCombo(tr("Cosine of"), this))
    , m_chart(new ChartView(tr("Drift by layer"), this, ChartView::Names::AtEnds))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 2, 0, 0);
    row->setSpacing(16);
    row->addWidget(m_images, 1);
    auto* charts = new QVBoxLayout;
    charts->setSpacing(2);
    m_tokens->setAccessibleName(tr("Tokens whose drift is shown"));
    m_tokens->addItems({tr("patches, behind each block"), tr("class token, behind each block")});
    charts->addWidget(m_tokens, 0, Qt::AlignLeft);
    charts->addWidget(m_chart, 1);
    row->addLayout(charts, 1);
    m_chart->setNotice(tr("Measured with the error"));
    connect(m_tokens, &QComboBox::currentIndexChanged, this, &FeaturesPanel::refreshChart);
    connect(&runs, &RunTableModel::figuresChanged, this, &FeaturesPanel::refresh);
    connect(&runs, &QAbstractItemModel::modelReset, this, &FeaturesPanel::refresh);
    refresh();
}

void FeaturesPanel::refresh()
{
    if (m_runs.subject() != Subject::Features && !m_images->images().isEmpty() && !isVisible())
        return;
    refreshImages();
    refreshChart();
}

/// Attentions over the same keys have the same exact features: those stand there once.
void FeaturesPanel::refreshImages()
{
    QVector<PatchImage> shown;
    const Clip* exact = nullptr;
    std::shared_ptr<const RunRecord> first;
    bool measured = false;
    for (int column = 0; column < m_runs.columnCount(); ++column) {
        const auto record = m_runs.record(column);
        if (!record || !record->featureDrift)
            continue;
        measured = true;
        const FeatureDrift& drift = *record->featureDrift;
        if (drift.exactColours.pixels.empty())
            continue;
        const ColumnSpec& spec = m_runs.column(column);
        if (exact == nullptr || drift.exactColours.pixels != exact->pixels)
            shown.push_back({patchImage(drift.exactColours),
                             exact == nullptr ? tr("exact") : tr("exact for %1").arg(spec.title()),
                             {},
                             {},
                             {},
                             {},
                             {}});
        if (exact == nullptr) {
            first = record;
            exact = &first->featureDrift->exactColours;
        }
        if (!isExact(*record) && !drift.colours.pixels.empty())
            shown.push_back({patchImage(drift.colours),
                             spec.title(),
                             spec.lookKey(),
                             cosineText(drift.cosine),
                             tr("%1: cosine %2").arg(spec.title(), cosineText(drift.cosine)),
                             {},
                             {}});
    }
    m_images->show(shown, measured ? tr("The patches of this network are not known")
                                   : tr("Images of the patches appear here"));
    const QString hint = first ? tr("patches in exact attention's components (%1 of variance)")
                                     .arg(toQt(formatPercentage(first->featureDrift->variance)))
                               : tr("cosine with the features of exact attention");
    if (hint == m_hint)
        return;
    m_hint = hint;
    emit hintChanged();
}

void FeaturesPanel::refreshChart()
{
    const bool anyToken = [this] {
        for (int column = 0; column < m_runs.columnCount(); ++column)
            if (const auto record = m_runs.record(column);
                record && record->featureDrift && record->featureDrift->token)
                return true;
        return false;
    }();
    m_tokens->setEnabled(anyToken);
    const TokenChoice tokens = anyToken && m_tokens->currentIndex() == ClassToken ? ClassToken : PatchTokens;
    double last = 1, least = 1;
    std::vector<ChartSeries> series;
    for (int column = 0; column < m_runs.columnCount(); ++column) {
        const auto record = m_runs.record(column);
        if (!record || !record->featureDrift)
            continue;
        const CurvePoints points = cosinesOf(*record->featureDrift, tokens);
        if (points.x.isEmpty())
            continue;
        last = std::max(last, points.x.back());
        least = std::min(least, *std::ranges::min_element(points.y));
        series.push_back(
            curveSeries(m_runs.columnTitle(column), m_runs.column(column).lookKey(), tr("block"), points));
    }
    Chart chart = curveChart(tr("block"), last, 1);
    if (least < 0)
        chart.y.least = {};
    chart.series = std::move(series);
    m_chart->setChart(std::move(chart));
}

}
