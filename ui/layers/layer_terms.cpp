#include "ui/layers/layer_terms.h"

#include "ui/layers/maps/colour_legend.h"
#include "ui/layers/maps/map_view.h"
#include "ui/layers/maps/shown_maps.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

#include "core/lab/layers/layer_maps.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

/// First what the query looks with, then what it looks at. Global: the same for all queries.
QString nameOf(LogitTerm term)
{
    const QString names[]{LayerTerms::tr("content–content"),  LayerTerms::tr("content–position"),
                          LayerTerms::tr("position–content"), LayerTerms::tr("position–position"),
                          LayerTerms::tr("global–content"),   LayerTerms::tr("global–position")};
    return names[size_t(term)];
}

}

LayerTerms::LayerTerms(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_grid(new QGridLayout)
    , m_legend(new ColourLegend(HeatColours::Difference, AxisScale::Linear, this))
    , m_note(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_grid->setHorizontalSpacing(Layout::gap);
    m_grid->setVerticalSpacing(3);
    for (size_t t = 0; t < shownTerms; ++t) {
        const QString name = nameOf(static_cast<LogitTerm>(t));
        m_captions[t] = new ElidedLabel(this);
        m_captions[t]->setElideMode(Qt::ElideRight);
        m_captions[t]->setTextFormat(Qt::PlainText);
        m_maps[t] = new MapView(tr("Term of the logits: %1").arg(name), this);
        connect(m_maps[t], &MapView::patchChosen, this, [this, map = m_maps[t]](int row, int column) {
            m_session.setQuery(queryAt(*map, m_session.inspection()->grid, m_session.query().frame, row, column));
        });
    }
    column->addLayout(m_grid, 1);
    column->addWidget(m_legend);
    m_note->setFont(fontFor(Type::Small));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    setAcross(2);
    for (const auto signal : {&LayersSession::changed, &LayersSession::cellChanged, &LayersSession::termsChanged})
        connect(&m_session, signal, this, &LayerTerms::refresh);
    refresh();
}

void LayerTerms::setAcross(int across)
{
    for (size_t t = 0; t < shownTerms; ++t) {
        m_grid->removeWidget(m_captions[t]);
        m_grid->removeWidget(m_maps[t]);
        const int at = int(t);
        m_grid->addWidget(m_captions[t], at / across * 2, at % across);
        m_grid->addWidget(m_maps[t], at / across * 2 + 1, at % across);
    }
    const int rows = int(shownTerms) / across;
    for (int row = 0; row < int(shownTerms); ++row)
        m_grid->setRowStretch(2 * row + 1, row < rows ? 1 : 0);
    for (int column = 0; column < 3; ++column)
        m_grid->setColumnStretch(column, column < across ? 1 : 0);
}

QString LayerTerms::note() const
{
    return m_note->text();
}

size_t LayerTerms::head(const LogitTermReport& report) const
{
    return size_t(std::clamp<int64_t>(m_session.cell().head, 0, report.heads - 1));
}

void LayerTerms::refresh()
{
    for (MapView* map : m_maps)
        map->setImage(m_session.frameImage(m_session.query().frame));
    const LogitTermReport* report = m_session.terms();
    if (report == nullptr || !report->maps)
        showNotice(!m_session.termsProblem().isEmpty()                 ? m_session.termsProblem()
                   : m_session.isInspecting() || m_session.asksTerms() ? tr("Computing…")
                                                                       : QString());
    else if (report->grid.rows <= 0)
        showNotice(tr("These tokens have no position in the image."));
    else
        showTerms(*report);
}

void LayerTerms::showNotice(const QString& notice)
{
    for (size_t t = 0; t < shownTerms; ++t) {
        m_captions[t]->setText(nameOf(static_cast<LogitTerm>(t)));
        m_maps[t]->setMap(std::nullopt, HeatColours::Difference, 1);
        m_maps[t]->setNotice(QString());
    }
    m_maps[0]->setNotice(notice);
    m_legend->setRange(tr("logit"), 0, 0);
    m_note->clear();
}

/// All maps have one scale, so that what counts stands out.
void LayerTerms::showTerms(const LogitTermReport& report)
{
    const size_t of = head(report);
    std::array<HeatMap, shownTerms> maps;
    double limit = 0;
    for (size_t t = 0; t < shownTerms; ++t) {
        maps[t] = termMap(report, of, static_cast<LogitTerm>(t));
        for (const double value : maps[t].values)
            limit = std::max(limit, std::abs(value));
    }
    const auto at = placeOf(m_session.query(), report.grid, report.grid);
    for (size_t t = 0; t < shownTerms; ++t) {
        m_captions[t]->setText(
            tr("%1  %2").arg(nameOf(static_cast<LogitTerm>(t)), errorText(report.fractions[t][of])));
        m_maps[t]->setMap(std::move(maps[t]), HeatColours::Difference, limit);
        m_maps[t]->setQuery(at);
    }
    m_legend->setRange(tr("logit minus its mean over keys"), 0, limit);
    QStringList note{queryWords(m_session.query(), report.frames)};
    if (m_session.cell().head < 0)
        note << tr("head 0");
    m_note->setText(note.join(u" · "_s) + QLatin1Char('\n')
                    + tr("First the query's part, then the key's; global: of all queries alike. The numbers are "
                         "fractions of what softmax sees of "
                         "this head's logits, and add up to 1."));
}

}
