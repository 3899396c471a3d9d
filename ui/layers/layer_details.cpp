#include "ui/layers/layer_details.h"

#include "ui/layers/layer_depth.h"
#include "ui/layers/layer_summary.h"
#include "ui/layers/layer_terms.h"
#include "ui/layers/layer_words.h"
#include "ui/layers/maps/colour_legend.h"
#include "ui/layers/maps/map_view.h"
#include "ui/layers/maps/shown_maps.h"
#include "ui/layers/maps/token_choices.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/frame_chooser.h"
#include "ui/widgets/page_stack.h"

#include "core/lab/layers/layer_maps.h"
#include "core/lab/layers/merged_patches.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr int titleWidth = 150;

/// The mark of the shown attention, or nothing.
class MarkLabel : public QWidget {
public:
    MarkLabel(const LayersSession& session, QWidget* parent)
        : QWidget(parent)
        , m_session(session)
    {
        setFixedSize(14, 14);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        if (m_session.shown() != nullptr)
            drawMark(painter, m_session.look(m_session.attention()), QRectF(rect()).center(), 11,
                     Theme::of(palette()));
    }

private:
    const LayersSession& m_session;
};

QLabel* label(const QString& text, Type type, QPalette::ColorRole role, QWidget* parent)
{
    auto* made = new QLabel(text, parent);
    made->setFont(fontFor(type));
    made->setForegroundRole(role);
    made->setTextFormat(Qt::PlainText);
    return made;
}

}

LayerDetails::LayerDetails(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(8);
    auto* name = new QHBoxLayout;
    name->setSpacing(8);
    m_mark = new MarkLabel(session, this);
    m_title = new ElidedLabel(this);
    m_title->setFont(fontFor(Type::Value));
    m_title->setElideMode(Qt::ElideRight);
    name->addWidget(m_mark);
    name->addWidget(m_title, 1);
    m_parts = new Segments(tr("View"), {tr("Maps"), tr("Tokens"), tr("Rollout"), tr("Terms"), tr("Depth")}, this);
    m_head = new QBoxLayout(QBoxLayout::TopToBottom);
    m_head->setSpacing(8);
    m_head->addLayout(name, 1);
    m_head->addWidget(m_parts);
    column->addLayout(m_head);
    m_stack = new PageStack(this);
    m_terms = new LayerTerms(m_session, m_stack);  // which the maps' width concerns
    m_stack->addWidget(buildMaps());
    m_stack->addWidget(m_terms);
    m_depth = new LayerDepth(m_session, m_stack);
    m_stack->addWidget(m_depth);
    column->addWidget(m_stack, 1);
    connect(m_parts, &Segments::chosen, this, [this](int part) { setPart(static_cast<Part>(part)); });
    for (const auto signal : {&LayersSession::changed, &LayersSession::cellChanged, &LayersSession::mapsChanged})
        connect(&m_session, signal, this, [this] {
            refreshTitle();
            refreshMaps();
        });
    refreshMaps();
}

QWidget* LayerDetails::buildMaps()
{
    auto* page = new QWidget(m_stack);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_frames = new FrameChooser(page);
    column->addWidget(m_frames);
    m_grid = new QGridLayout;
    m_grid->setHorizontalSpacing(Layout::gap);
    m_grid->setVerticalSpacing(3);
    const QString names[]{tr("Exact attention map"), tr("Approximate attention map"),
                          tr("Difference of attention maps")};
    for (int i = 0; i < 3; ++i) {
        m_captions[i] = label({}, Type::Body, QPalette::WindowText, page);
        m_maps[i] = new MapView(names[i], page);
        connect(m_maps[i], &MapView::patchChosen, this, [this, map = m_maps[i]](int row, int column) {
            m_session.setQuery(queryAt(*map, m_session.inspection()->grid,
                                       m_frames->isVisible() ? m_frames->current() : m_session.query().frame, row,
                                       column));
        });
    }
    m_controls = new QWidget(page);
    m_controlRow = new QBoxLayout(QBoxLayout::TopToBottom, m_controls);
    m_controlRow->setContentsMargins(0, 0, 0, 0);
    m_classToken = new LinkButton(tr("Query class token"), page);
    m_classToken->setFont(fontFor(Type::Small));
    m_classToken->setAccessibleName(tr("Show the maps of the class token"));
    m_landmarks = new QCheckBox(tr("landmarks"), m_controls);
    m_landmarks->setAccessibleName(tr("Show landmarks"));
    m_landmarks->setChecked(true);
    auto* opacityRow = new QHBoxLayout;
    opacityRow->addWidget(label(tr("opacity"), Type::Body, QPalette::WindowText, m_controls));
    auto* opacityText = label({}, Type::Body, QPalette::WindowText, m_controls);
    opacityRow->addStretch(1);
    opacityRow->addWidget(opacityText);
    m_opacity = new QSlider(Qt::Horizontal, m_controls);
    m_opacity->setAccessibleName(tr("Opacity of the maps"));
    m_opacity->setRange(0, 100);
    m_opacity->setPageStep(10);
    m_weightLegend = new ColourLegend(HeatColours::Magnitude, AxisScale::Linear, m_controls);
    m_differenceLegend = new ColourLegend(HeatColours::Difference, AxisScale::Linear, m_controls);
    m_weightLegend->setRange(tr("weight"), 0, 0);  // as high as it will be
    m_differenceLegend->setRange(tr("difference"), 0, 0);
    auto* opacity = new QVBoxLayout;
    opacity->setSpacing(4);
    opacity->addLayout(opacityRow);
    opacity->addWidget(m_opacity);
    m_controlRow->addWidget(m_landmarks);
    m_controlRow->addLayout(opacity);
    m_controlRow->addWidget(m_weightLegend);
    m_controlRow->addWidget(m_differenceLegend);
    buildTokens(page);
    column->addLayout(m_grid, 1);
    m_note = label({}, Type::Small, QPalette::PlaceholderText, page);
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    m_info = new LayerSummary(m_session, page);
    column->addWidget(m_info);
    connect(m_opacity, &QSlider::valueChanged, this, [this, opacityText](int percent) {
        opacityText->setText(tr("%1 %").arg(percent));
        for (MapView* map : m_maps)
            map->setOpacity(percent / 100.0);
    });
    m_opacity->setValue(80);
    connect(m_landmarks, &QCheckBox::toggled, this, &LayerDetails::refreshMaps);
    connect(m_frames, &FrameChooser::chosen, this, &LayerDetails::refreshMaps);
    connect(m_classToken, &QPushButton::clicked, this, [this] { m_session.setQuery({.classToken = true}); });
    arrange();
    return page;
}

LayerDetails::Part LayerDetails::part() const
{
    return static_cast<Part>(m_parts->current());
}

void LayerDetails::setPart(Part part)
{
    m_parts->setCurrent(int(part));
    m_stack->setCurrentWidget(part == Part::Depth ? m_depth : part == Part::Terms ? m_terms : m_stack->widget(0));
    m_session.setTermsShown(part == Part::Terms);
    refreshTitle();
    refreshMaps();
}

void LayerDetails::setDensity(Density density)
{
    m_density = density;
    arrange();
}

void LayerDetails::focusMaps()
{
    if (part() == Part::Depth || part() == Part::Terms)
        setPart(Part::Maps);
    m_maps[0]->setFocus(Qt::OtherFocusReason);
}

/// Roomy: two maps above, difference and controls below. Compact: three in a row, controls below.
void LayerDetails::arrange()
{
    const bool compact = m_density == Density::Compact;
    const int across = compact ? 3 : 2;
    m_grid->removeWidget(m_controls);
    for (int i = 0; i < 3; ++i) {
        m_grid->removeWidget(m_captions[i]);
        m_grid->removeWidget(m_maps[i]);
        m_grid->addWidget(m_captions[i], i / across * 2, i % across);
        m_grid->addWidget(m_maps[i], i / across * 2 + 1, i % across);
        if (i == 0)
            continue;
        m_grid->removeWidget(m_tokenBoxes[i - 1]);
        m_grid->addWidget(m_tokenBoxes[i - 1], i / across * 2, i % across);
    }
    m_classToken->setText(compact ? tr("Class token") : tr("Query class token"));
    m_grid->removeWidget(m_classToken);
    m_grid->addWidget(m_classToken, 0, 0, Qt::AlignRight | Qt::AlignVCenter);  // next to "exact"
    m_grid->addWidget(m_controls, 2, compact ? 0 : 1, compact ? 1 : 2, compact ? 3 : 1,
                      compact ? Qt::Alignment() : Qt::AlignTop);
    m_grid->setRowStretch(1, 1);
    m_grid->setRowStretch(3, compact ? 0 : 1);
    for (int column = 0; column < 3; ++column)
        m_grid->setColumnStretch(column, column < across ? 1 : 0);
    m_controlRow->setDirection(compact ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_controlRow->setSpacing(compact ? 16 : 6);
    m_terms->setAcross(compact ? 3 : 2);
}

void LayerDetails::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int room = width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    m_head->setDirection(room - m_parts->sizeHint().width() >= titleWidth ? QBoxLayout::LeftToRight
                                                                          : QBoxLayout::TopToBottom);
    refreshTitle();
}

void LayerDetails::refreshTitle()
{
    m_mark->update();
    const auto& layers = m_session.layers();
    const HeadCell cell = m_session.cell();
    if (cell.layer >= int(layers.size())) {
        m_title->setText({});
        return;
    }
    QString layer = layerText(layers[size_t(cell.layer)]);
    layer.replace(u" block "_s, u"."_s);  // "stage 4.2": there is little room
    layer.front() = layer.front().toUpper();
    const QString head = cell.head < 0 ? tr("mean") : tr("head %1").arg(cell.head);
    const QString text = part() == Part::Rollout ? tr("All layers")
                         : part() == Part::Depth ? tr("By depth")
                         : part() == Part::Terms ? tr("Logits of layer 0, %1").arg(head)
                                                 : tr("%1, %2").arg(layer, head);
    m_title->setText(text);
    m_title->setToolTip(text);
}

void LayerDetails::refreshMaps()
{
    const InspectedAttention* one = m_session.shown();
    const bool rolled = part() == Part::Rollout;
    m_info->setVisible(!rolled);
    m_classToken->setVisible(m_session.inspection() != nullptr && m_session.inspection()->prefix > 0
                             && !m_session.query().classToken);
    m_frames->setVisible(m_session.inspection() != nullptr && m_session.inspection()->frames > 1);
    const bool tokens = part() == Part::Tokens;
    const QString name = m_session.names().value(m_session.attention());
    m_captions[0]->setText(tr("exact"));
    m_captions[1]->setText(name);
    m_captions[2]->setText(tr("difference"));
    m_differenceLegend->setVisible(!tokens);
    m_grid->setVerticalSpacing(tokens ? 6 : 3);  // boxes need more room than captions
    for (int i = 0; i < tokenMapsShown; ++i) {
        m_captions[i + 1]->setVisible(!tokens);
        m_tokenBoxes[i]->setVisible(tokens);
        m_tokenLegends[i]->setVisible(tokens);
    }
    for (MapView* map : m_maps)
        map->setImage(m_session.image());
    const std::optional<LayerMaps> maps = shownMaps();
    const std::vector<TokenChoice> choices = tokens ? tokenChoices(m_session,
                                                                   m_frames->isVisible() ? m_frames->current() : 0)
                                                    : std::vector<TokenChoice>();
    if (tokens)
        offerTokens(choices);
    m_maps[2]->setVisible(!tokens || choices.size() != 1);  // one map is not shown twice
    m_tokenBoxes[1]->setVisible(tokens && choices.size() != 1);
    if (one == nullptr || !maps || (tokens && choices.empty())) {
        showNotice(
            !m_session.mapsProblem().isEmpty() ? m_session.mapsProblem()
            : rolled && m_session.maps() != nullptr
                ? tr("Attention rollout needs the same tokens in every layer, which this network does not have.")
            : tokens && maps ? tr("%1 leaves no keys out here: every query sees all of them.").arg(name)
            : m_session.isInspecting() || m_session.asksMaps() ? tr("Computing…")
                                                               : QString());
        return;
    }
    const size_t head = shownHead();
    showFrames(*maps, head);
    if (tokens)
        return showTokens(*maps, head, choices);
    showMaps(*maps, head);
    showLandmarks(*maps, head);
    showNote(*maps, head);
}

/// Empty while there are none, and where there is no rollout.
std::optional<LayerMaps> LayerDetails::shownMaps() const
{
    if (part() == Part::Rollout)
        return m_session.maps() == nullptr ? std::nullopt : rolloutMaps(*m_session.maps());
    const LayerMaps* layer = m_session.layerMaps();
    return layer == nullptr ? std::nullopt : std::optional(*layer);
}

size_t LayerDetails::shownHead() const
{
    return part() == Part::Rollout ? 0 : size_t(std::max(0, m_session.cell().head));
}

int64_t LayerDetails::shownFrame(int64_t frames) const
{
    return frames > 1 ? std::min<int64_t>(m_frames->current(), frames - 1) : 0;
}

void LayerDetails::showNotice(const QString& notice)
{
    for (MapView* map : m_maps) {
        map->setMap(std::nullopt, HeatColours::Magnitude, 1);
        map->setLandmarks({}, 0);
        map->setMerged({});
        map->setNotice(notice);
    }
    m_note->clear();
    m_landmarks->hide();
}

/// Frames of the keys; where the query lies is marked in its own.
void LayerDetails::showFrames(const LayerMaps& maps, size_t head)
{
    if (maps.frames <= 1)
        return;
    QVector<QImage> images;
    for (int64_t frame = 0; frame < maps.frames && !m_session.frames().isEmpty(); ++frame)
        images << m_session.frameImage(frame);
    const bool first = m_frames->count() != images.size();
    m_frames->setFrames(images, frameParts(maps, head));
    if (first)
        m_frames->setCurrent(int(m_session.query().frame));
    for (MapView* map : m_maps)
        if (m_frames->current() < images.size())
            map->setImage(images[m_frames->current()]);
}

void LayerDetails::showMaps(const LayerMaps& maps, size_t head)
{
    const int64_t frame = shownFrame(maps.frames);
    const auto first = size_t(maps.prefix);
    if (maps.grid.rows <= 0) {
        showNotice(tr("The keys of this layer have no position in the image."));
        return;
    }
    const double weights = std::max(largestOf(maps.exact[head], first), largestOf(maps.implied[head], first));
    const bool negative = anyBelow(maps.implied[head], -1e-3 * weights);
    const double difference = std::max(largestOf(maps.difference[head], first), negative ? weights : 0);
    const HeatColours implied = negative ? HeatColours::Difference : HeatColours::Magnitude;
    m_maps[0]->setMap(weightMap(maps, head, WeightsShown::Exact, frame), HeatColours::Magnitude, weights);
    m_maps[1]->setMap(weightMap(maps, head, WeightsShown::Implied, frame), implied,
                      negative ? difference : weights);
    m_maps[2]->setMap(weightMap(maps, head, WeightsShown::Difference, frame), HeatColours::Difference, difference);
    m_weightLegend->setRange(tr("weight"), 0, weights);
    m_differenceLegend->setRange(negative ? tr("difference, and %1").arg(m_captions[1]->text()) : tr("difference"),
                                 0, difference);
    for (MapView* map : m_maps)
        map->setQuery(queryPlace(maps.grid, maps.frames));
    m_maps[1]->setMerged(part() == Part::Maps ? mergedTokens() : std::vector<int32_t>());
}

/// Behind the shown layer, of the shown frame's patches; empty if none merge.
std::vector<int32_t> LayerDetails::mergedTokens() const
{
    const InspectedAttention* one = m_session.shown();
    if (one == nullptr || !one->merged)
        return {};
    return mergedPatches(*one->merged, size_t(m_session.cell().layer), shownFrame(one->merged->frames));
}

/// Of queries of a layer, whose grid may be coarser than that of the first layer.
std::optional<QPoint> LayerDetails::queryPlace(const TokenGrid& grid, int64_t frames) const
{
    const TokenQuery& query = m_session.query();
    const bool here = m_session.inspection() != nullptr && (frames <= 1 || query.frame == shownFrame(frames));
    return here ? placeOf(query, m_session.inspection()->grid, grid) : std::nullopt;
}

QString LayerDetails::note() const
{
    return m_note->text();
}

void LayerDetails::showLandmarks(const LayerMaps& maps, size_t head)
{
    std::vector<MapLandmark> marks = landmarksOf(maps, head);
    m_landmarks->setVisible(!marks.empty());
    m_landmarks->setText(maps.landmarkSide > 0 ? tr("landmarks %1×%1").arg(maps.landmarkSide) : tr("landmarks"));
    if (!m_landmarks->isChecked())
        marks.clear();
    m_maps[1]->setLandmarks(std::move(marks), int(maps.landmarkSide));
}

/// Whose weights these are, and what no map can show.
void LayerDetails::showNote(const LayerMaps& maps, size_t head)
{
    QStringList note{queryWords(m_session.query(), maps.frames)};
    if (m_session.cell().head < 0 && part() == Part::Maps)
        note << tr("head 0");
    if (const auto& marks = m_maps[1]->landmarks(); !marks.empty()) {
        const auto most = std::ranges::max_element(
            marks, [](const MapLandmark& a, const MapLandmark& b) { return a.weight < b.weight; });
        note << tr("largest contribution from %1: %2").arg(most->name, errorText(most->weight));
    }
    if (const InspectedAttention* one = m_session.shown();
        one != nullptr && one->merged && !m_maps[1]->merged().empty()) {
        const auto layer = size_t(m_session.cell().layer);
        note << tr("%1 of %2 tokens are left behind this layer; outlines show patches that are one token")
                    .arg(one->merged->left(layer))
                    .arg(one->merged->layers[layer].size());
    }
    if (m_session.mode() == InspectionMode::EndToEnd)
        note << tr("with the exact pass's q, k, v");
    QString text = note.join(u" · "_s);
    if (maps.prefix > 0)
        text += QLatin1Char('\n')
                + tr("weight on the class token: exact %1, %2 %3")
                      .arg(errorText(double(maps.exact[head][0])), m_captions[1]->text(),
                           errorText(double(maps.implied[head][0])));
    m_note->setText(text);
}

std::vector<HeatMap> LayerDetails::figures() const
{
    const std::optional<LayerMaps> maps = shownMaps();
    if (!maps || maps->grid.rows <= 0)
        return {};
    std::vector<HeatMap> figures;
    for (const WeightsShown shown : {WeightsShown::Exact, WeightsShown::Implied, WeightsShown::Difference})
        figures.push_back(weightMap(*maps, shownHead(), shown, shownFrame(maps->frames)));
    return figures;
}

std::vector<HeatMap> LayerDetails::keyFigures() const
{
    const LayerMaps* maps = m_session.layerMaps();
    const LayerKeys* keys = m_session.layerKeys();
    if (maps == nullptr || maps->seen.empty() || maps->grid.rows <= 0 || keys == nullptr)
        return {};
    const auto head = size_t(std::max(0, m_session.cell().head));
    const auto ofHead = m_session.cell().head < 0 ? std::nullopt : std::optional(head);
    return {weightMap(*maps, head, WeightsShown::Seen, shownFrame(maps->frames)),
            attnscope::massMap(*keys, ofHead, shownFrame(keys->frames))};
}

}
