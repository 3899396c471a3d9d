// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/layer_details.h"

#include "ui/data/qt_text.h"
#include "ui/views/layer_depth.h"
#include "ui/views/layer_facts.h"
#include "ui/widgets/colour_legend.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/frame_chooser.h"
#include "ui/widgets/map_view.h"
#include "ui/widgets/painting.h"

#include "core/base/format.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr int gap = 12;

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
            drawMark(painter, toQt(m_session.shown()->backend), QRectF(rect()).center(), 11, Theme::of(palette()));
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

QString errorText(double value) { return toQt(formatError(value)); }

double largestOf(const std::vector<float>& values, std::size_t from)
{
    double largest = 0;
    for (std::size_t i = from; i < values.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(values[i])));
    return largest;
}

bool anyNegative(const std::vector<float>& values, double beyond)
{
    return std::any_of(values.begin(), values.end(), [beyond](float value) { return static_cast<double>(value) < -beyond; });
}

}  // namespace

LayerDetails::LayerDetails(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_mark = new MarkLabel(session, this);
    m_title = new ElidedLabel(this);
    m_title->setFont(fontFor(Type::Value));
    m_title->setElideMode(Qt::ElideRight);
    m_parts = new Segments(tr("Shown part"), {tr("Maps"), tr("Rollout"), tr("Depth")}, this);
    row->addWidget(m_mark);
    row->addWidget(m_title, 1);
    row->addWidget(m_parts);
    column->addLayout(row);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(buildMaps());
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
    m_mapsPage = new QWidget(m_stack);
    auto* column = new QVBoxLayout(m_mapsPage);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_frames = new FrameChooser(m_mapsPage);
    column->addWidget(m_frames);
    m_grid = new QGridLayout;
    m_grid->setHorizontalSpacing(gap);
    m_grid->setVerticalSpacing(3);
    const QString names[]{tr("Exact attention map"), tr("Map of the approximation"), tr("Difference of the maps")};
    for (int i = 0; i < 3; ++i) {
        m_captions[i] = label({}, Type::Body, QPalette::WindowText, m_mapsPage);
        m_maps[i] = new MapView(names[i], m_mapsPage);
        connect(m_maps[i], &MapView::patchChosen, this, &LayerDetails::choosePatch);
    }
    m_controls = new QWidget(m_mapsPage);
    auto* controls = new QVBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(5);
    m_classToken = new LinkButton(tr("class token"), m_mapsPage);
    m_classToken->setAccessibleName(tr("Show the maps of the class token"));
    m_landmarks = new QCheckBox(tr("landmarks"), m_controls);
    m_landmarks->setAccessibleName(tr("Show the landmarks"));
    m_landmarks->setChecked(true);
    auto* opacityRow = new QHBoxLayout;
    opacityRow->addWidget(label(tr("opacity"), Type::Body, QPalette::WindowText, m_controls));
    m_opacityText = label({}, Type::Body, QPalette::WindowText, m_controls);
    opacityRow->addStretch(1);
    opacityRow->addWidget(m_opacityText);
    m_opacity = new QSlider(Qt::Horizontal, m_controls);
    m_opacity->setAccessibleName(tr("Opacity of the maps"));
    m_opacity->setRange(0, 100);
    m_opacity->setPageStep(10);
    m_weightLegend = new ColourLegend(HeatColours::Magnitude, AxisScale::Linear, m_controls);
    m_differenceLegend = new ColourLegend(HeatColours::Difference, AxisScale::Linear, m_controls);
    controls->addWidget(m_landmarks);
    controls->addLayout(opacityRow);
    controls->addWidget(m_opacity);
    controls->addWidget(m_weightLegend);
    controls->addWidget(m_differenceLegend);
    controls->addStretch(1);
    column->addLayout(m_grid, 1);
    m_note = label({}, Type::Small, QPalette::PlaceholderText, m_mapsPage);
    m_note->setWordWrap(true);
    auto* noteRow = new QHBoxLayout;
    noteRow->addWidget(m_note, 1);
    noteRow->addWidget(m_classToken, 0, Qt::AlignTop);
    column->addLayout(noteRow);
    m_facts = new LayerFacts(m_session, m_mapsPage);
    column->addWidget(m_facts);
    connect(m_opacity, &QSlider::valueChanged, this, [this](int percent) {
        m_opacityText->setText(tr("%1 %").arg(percent));
        for (MapView* map : m_maps)
            map->setOpacity(percent / 100.0);
    });
    m_opacity->setValue(80);
    connect(m_landmarks, &QCheckBox::toggled, this, &LayerDetails::refreshMaps);
    connect(m_frames, &FrameChooser::chosen, this, &LayerDetails::refreshMaps);
    connect(m_classToken, &QPushButton::clicked, this, [this] {
        TokenQuery query;
        query.classToken = true;
        m_session.setQuery(query);
    });
    arrange();
    return m_mapsPage;
}

LayerDetails::Part LayerDetails::part() const { return static_cast<Part>(m_parts->current()); }

void LayerDetails::setPart(Part part)
{
    m_parts->setCurrent(static_cast<int>(part));
    m_stack->setCurrentIndex(part == Part::Depth ? 1 : 0);
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
    if (part() == Part::Depth)
        setPart(Part::Maps);
    m_maps[0]->setFocus(Qt::OtherFocusReason);
}

/// Roomy: two maps above, difference and controls below. Compact: three in a row.
void LayerDetails::arrange()
{
    const bool compact = m_density == Density::Compact;
    for (QWidget* widget : {static_cast<QWidget*>(m_controls), static_cast<QWidget*>(m_captions[0]), static_cast<QWidget*>(m_captions[1]),
                            static_cast<QWidget*>(m_captions[2]), static_cast<QWidget*>(m_maps[0]), static_cast<QWidget*>(m_maps[1]),
                            static_cast<QWidget*>(m_maps[2])})
        m_grid->removeWidget(widget);
    const int columns = 2;
    for (int i = 0; i < 3; ++i) {
        const int row = i / columns * 2, column = i % columns;
        m_grid->addWidget(m_captions[i], row, column);
        m_grid->addWidget(m_maps[i], row + 1, column);
    }
    m_grid->addWidget(m_controls, 2, 1, 2, 1);
    for (int row : {1, 3})
        m_grid->setRowStretch(row, 1);
    for (int column = 0; column < columns; ++column)
        m_grid->setColumnStretch(column, 1);
    m_weightLegend->setVisible(!compact);
}

void LayerDetails::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refreshTitle();
}

void LayerDetails::refreshTitle()
{
    m_mark->update();
    const auto& layers = m_session.layers();
    const HeadCell cell = m_session.cell();
    if (cell.layer >= static_cast<int>(layers.size())) {
        m_title->setText({});
        return;
    }
    QString layer = toQt(titleOf(layers[static_cast<std::size_t>(cell.layer)]));
    layer.front() = layer.front().toUpper();
    const QString head = cell.head < 0 ? tr("mean") : tr("head %1").arg(cell.head);
    const QString text = part() == Part::Maps      ? tr("%1, %2").arg(layer, head)
                         : part() == Part::Rollout ? tr("All layers")
                                                   : tr("Along depth");
    m_title->setText(text);
    m_title->setToolTip(text);
}

void LayerDetails::choosePatch(int row, int column)
{
    TokenQuery query{m_frames->isVisible() ? m_frames->current() : m_session.query().frame, row, column, false};
    m_session.setQuery(query);
}

/// As maps of one head, so that they are drawn alike.
std::optional<LayerMaps> LayerDetails::rollout() const
{
    const InspectedAttention* found = m_session.maps();
    if (found == nullptr || found->rollout.exact.empty() || found->maps.empty())
        return std::nullopt;
    LayerMaps all = found->maps.front();
    all.exact = {found->rollout.exact};
    all.implied = {found->rollout.implied};
    all.difference = all.implied;
    for (std::size_t i = 0; i < all.difference[0].size(); ++i)
        all.difference[0][i] -= all.exact[0][i];
    all.landmarkWeights.clear();
    return all;
}

void LayerDetails::refreshMaps()
{
    const InspectedAttention* one = m_session.shown();
    const bool rolled = part() == Part::Rollout;
    m_facts->setVisible(!rolled);
    m_classToken->setVisible(m_session.inspection() != nullptr && m_session.inspection()->prefix > 0 && !m_session.query().classToken);
    m_frames->setVisible(m_session.inspection() != nullptr && m_session.inspection()->frames > 1);
    const QString name = m_session.names().value(m_session.attention());
    m_captions[0]->setText(tr("exact"));
    m_captions[1]->setText(name);
    m_captions[2]->setText(tr("difference"));
    for (MapView* map : m_maps)
        map->setPicture(m_session.picture());
    const LayerMaps* layer = m_session.layerMaps();
    const std::optional<LayerMaps> all = rolled ? rollout() : std::nullopt;
    if (one == nullptr || (rolled ? !all : layer == nullptr)) {
        showNotice(!m_session.mapsProblem().isEmpty() ? m_session.mapsProblem()
                   : rolled && m_session.maps() != nullptr
                       ? tr("Layers of this network have different tokens: there is nothing to multiply.")
                   : m_session.isBusy() || m_session.asksMaps() ? tr("on its way")
                                                                : QString());
        return;
    }
    const LayerMaps& maps = rolled ? *all : *layer;
    const std::size_t head = rolled ? 0 : static_cast<std::size_t>(std::max(0, m_session.cell().head));
    showFrames(maps, head);
    showMaps(maps, head);
    showLandmarks(maps, head);
}

void LayerDetails::showNotice(const QString& notice)
{
    for (MapView* map : m_maps) {
        map->setMap(std::nullopt, HeatColours::Magnitude, 1);
        map->setLandmarks({}, 0);
        map->setNotice(notice);
    }
    m_note->clear();
    m_landmarks->hide();
}

/// Frames of the keys; where the query lies is marked in its own.
void LayerDetails::showFrames(const LayerMaps& maps, std::size_t head)
{
    if (maps.frames <= 1)
        return;
    const QVector<QImage>& decoded = m_session.frames();
    const std::int64_t patches = maps.grid.rows * maps.grid.columns;
    QVector<QImage> pictures;
    QVector<double> shares;
    const std::vector<float>& weights = maps.implied[head];
    double sum = 0;
    for (std::int64_t frame = 0; frame < maps.frames; ++frame) {
        // A token may stand for several pictures: the first of them.
        if (!decoded.isEmpty())
            pictures << decoded[static_cast<qsizetype>(frame * decoded.size() / maps.frames)];
        double share = 0;
        for (std::int64_t i = 0; i < patches; ++i)
            share += std::max(0.0, static_cast<double>(weights[static_cast<std::size_t>(maps.prefix + frame * patches + i)]));
        shares << share;
        sum += share;
    }
    for (double& share : shares)
        share = sum > 0 ? share / sum : 0;
    m_frames->setFrames(pictures, shares);
    for (MapView* map : m_maps)
        if (m_frames->current() < pictures.size())
            map->setPicture(pictures[m_frames->current()]);
}

void LayerDetails::showMaps(const LayerMaps& maps, std::size_t head)
{
    const std::int64_t frame = maps.frames > 1 ? m_frames->current() : 0;
    const auto first = static_cast<std::size_t>(maps.prefix);
    if (maps.grid.rows <= 0) {
        showNotice(tr("The keys of this layer have no place in the picture."));
        return;
    }
    const double weights = std::max(largestOf(maps.exact[head], first), largestOf(maps.implied[head], first));
    const bool negative = anyNegative(maps.implied[head], 1e-3 * weights);
    const double difference = std::max(largestOf(maps.difference[head], first), negative ? weights : 0);
    const HeatColours implied = negative ? HeatColours::Difference : HeatColours::Magnitude;
    m_maps[0]->setMap(weightMap(maps, head, WeightsShown::Exact, frame), HeatColours::Magnitude, weights);
    m_maps[1]->setMap(weightMap(maps, head, WeightsShown::Implied, frame), implied, negative ? difference : weights);
    m_maps[2]->setMap(weightMap(maps, head, WeightsShown::Difference, frame), HeatColours::Difference, difference);
    m_weightLegend->setRange(tr("weight"), 0, weights);
    m_differenceLegend->setRange(negative ? tr("difference, and %1").arg(m_captions[1]->text()) : tr("difference"), 0, difference);
    const TokenQuery& query = m_session.query();
    std::optional<QPoint> at;
    if (!query.classToken && m_session.inspection() != nullptr && (maps.frames <= 1 || query.frame == frame)) {
        const TokenGrid& grid = m_session.inspection()->grid;  // of the query, maybe finer than that of the keys
        at = QPoint(static_cast<int>(query.column * maps.grid.columns / std::max<std::int64_t>(1, grid.columns)),
                    static_cast<int>(query.row * maps.grid.rows / std::max<std::int64_t>(1, grid.rows)));
    }
    for (MapView* map : m_maps)
        map->setQuery(at);
    QStringList note;
    note << (query.classToken       ? tr("query: class token")
             : maps.frames > 1      ? tr("query: frame %1, patch (%2, %3)").arg(query.frame + 1).arg(query.row).arg(query.column)
                                    : tr("query: patch (%1, %2)").arg(query.row).arg(query.column));
    if (m_session.cell().head < 0 && part() == Part::Maps)
        note << tr("head 0");
    if (first > 0)
        note << tr("on the class token: %1, %2")
                    .arg(errorText(static_cast<double>(maps.exact[head][0])), errorText(static_cast<double>(maps.implied[head][0])));
    if (m_session.mode() == InspectionMode::EndToEnd)
        note << tr("maps at the exact pass's q, k, v");
    m_note->setText(note.join(QStringLiteral(" · ")));
}

void LayerDetails::showLandmarks(const LayerMaps& maps, std::size_t head)
{
    const bool there = !maps.landmarkWeights.empty() && (maps.landmarkSide > 0 || !maps.landmarkTokens.empty());
    m_landmarks->setVisible(there);
    std::vector<MapLandmark> marks;
    if (there && m_landmarks->isChecked()) {
        const std::vector<float>& weights = maps.landmarkWeights[head];
        const std::int64_t side = maps.landmarkSide;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i);
            MapLandmark mark{{}, static_cast<double>(weights[i]), {}};
            if (maps.landmarkTokens.empty()) {
                mark.at = {(static_cast<double>(number % side) + 0.5) / static_cast<double>(side) * static_cast<double>(maps.grid.columns),
                           (static_cast<double>(number / side) + 0.5) / static_cast<double>(side) * static_cast<double>(maps.grid.rows)};
                mark.name = tr("landmark (%1, %2)").arg(number / side).arg(number % side);
            } else {
                const std::int64_t place = maps.landmarkTokens[head][i] - maps.prefix;
                if (place < 0 || place >= maps.grid.rows * maps.grid.columns)
                    continue;  // the class token, or of another frame
                mark.at = {static_cast<double>(place % maps.grid.columns) + 0.5, static_cast<double>(place / maps.grid.columns) + 0.5};
                mark.name = tr("landmark token %1").arg(maps.landmarkTokens[head][i]);
            }
            marks.push_back(mark);
        }
    }
    m_landmarks->setText(maps.landmarkSide > 0 ? tr("landmarks %1×%1").arg(maps.landmarkSide) : tr("landmarks"));
    m_maps[1]->setLandmarks(std::move(marks), static_cast<int>(maps.landmarkSide));
}

std::vector<HeatMap> LayerDetails::figures() const
{
    std::vector<HeatMap> figures;
    for (const MapView* map : m_maps)
        if (map->map())
            figures.push_back(*map->map());
    return figures;
}

}  // namespace attnscope::ui
