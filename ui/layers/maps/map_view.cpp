#include "ui/layers/maps/map_view.h"

#include "ui/style/accessible_role.h"
#include "ui/style/outline_painting.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attnscope::ui {

namespace {

constexpr double corner = 4, largestArm = 6;

/// Light on dark and dark on light alike: a pale stroke over a darker, wider one.
void strokeTwice(QPainter& painter, const QPainterPath& path, double width)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 150), width + 1.6, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.setPen(QPen(QColor(Qt::white), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawPath(path);
}

}

MapView::MapView(const QString& name, QWidget* parent)
    : QWidget(parent)
{
    setAccessibleRole(*this, QAccessible::Graphic);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void MapView::setMap(std::optional<HeatMap> map, HeatColours colours, double limit, Quantity quantity, double low)
{
    m_map = std::move(map);
    m_colours = colours, m_low = low, m_limit = limit, m_quantity = quantity;
    describe();
    update();
}

void MapView::setQuery(std::optional<QPoint> query)
{
    m_query = query;
    describe();
    update();
}

void MapView::setLandmarks(std::vector<MapLandmark> landmarks, int cells)
{
    m_landmarks = std::move(landmarks);
    m_cells = cells;
    update();
}

void MapView::setMerged(const std::vector<int32_t>& tokens)
{
    const bool fits = m_map && tokens.size() == m_map->values.size();
    m_merged = fits ? groupOutlines(tokens, rows(), columns()) : std::vector<GroupOutline>();
    describe();
    update();
}

void MapView::setNotice(const QString& notice)
{
    m_notice = notice;
    describe();
    update();
}

void MapView::describe()
{
    if (!m_map || m_map->values.empty()) {
        setAccessibleDescription(m_notice);
        return;
    }
    QString text = summary();
    if (!m_merged.empty())
        text += tr("; %1 tokens stand for several patches").arg(m_merged.size());
    if (m_query)
        text = tr("query at row %1, column %2; ").arg(m_query->y()).arg(m_query->x()) + text;
    setAccessibleDescription(text);
}

QString MapView::summary() const
{
    const std::vector<double>& values = m_map->values;
    if (m_quantity == Quantity::Seen)
        return tr("%1 of %2 patches are seen")
            .arg(std::ranges::count_if(values, [](double v) { return v > 0; }))
            .arg(values.size());
    if (m_quantity == Quantity::Number || m_quantity == Quantity::Category)
        return numberSummary();
    const auto place = [&](std::vector<double>::const_iterator at) {
        const auto index = int(at - values.begin());
        return std::pair(index / columns(), index % columns());
    };
    if (m_quantity == Quantity::Mass) {
        const auto [row, column] = place(std::ranges::min_element(values, [](double a, double b) {
            return std::isnan(b) ? !std::isnan(a) : a < b;  // NaN last
        }));
        if (std::isnan(value(row, column)))
            return tr("no query saw a key, and each used all");
        return tr("smallest mass %1 at row %2, column %3").arg(errorText(value(row, column))).arg(row).arg(column);
    }
    const auto [row, column] = place(
        std::ranges::max_element(values, [](double a, double b) { return std::abs(a) < std::abs(b); }));
    return tr("largest weight %1 at row %2, column %3").arg(errorText(value(row, column))).arg(row).arg(column);
}

/// How many tokens it concerns, and the largest number, or how many classes.
QString MapView::numberSummary() const
{
    std::vector<double> numbers;
    std::ranges::copy_if(m_map->values, std::back_inserter(numbers), [](double v) { return !std::isnan(v); });
    if (numbers.empty())
        return tr("no patch has a number here");
    if (m_quantity == Quantity::Category) {
        std::ranges::sort(numbers);
        const auto repeated = std::ranges::unique(numbers);
        return tr("%1 patches in %2 classes").arg(numbers.size()).arg(numbers.size() - repeated.size());
    }
    const auto largest = std::ranges::max_element(m_map->values, [](double a, double b) {
        return std::isnan(a) ? !std::isnan(b) : std::abs(a) < std::abs(b);  // NaN first
    });
    const auto index = int(largest - m_map->values.begin());
    return tr("%1 of %2 patches have a number; the largest is %3 at row %4, column %5")
        .arg(numbers.size())
        .arg(m_map->values.size())
        .arg(errorText(*largest))
        .arg(index / columns())
        .arg(index % columns());
}

QString MapView::valueText(double value) const
{
    if (std::isnan(value))
        return m_quantity == Quantity::Number || m_quantity == Quantity::Category ? tr("none")
                                                                                  : tr("saw no key and used all");
    return m_quantity == Quantity::Category ? tr("class %1").arg(int(value)) : errorText(value);
}

QRectF MapView::area() const
{
    const QSizeF shape = m_map && rows() > 0 ? QSizeF(columns(), rows()) : QSizeF(1, 1);
    const QSizeF size = shape.scaled(QSizeF(width(), height()), Qt::KeepAspectRatio);
    return {(width() - size.width()) / 2, 0, size.width(), size.height()};
}

QRectF MapView::patchRect(int row, int column) const
{
    const QRectF whole = area();
    const double wide = whole.width() / std::max(1, columns()), high = whole.height() / std::max(1, rows());
    return {whole.left() + column * wide, whole.top() + row * high, wide, high};
}

std::optional<QPoint> MapView::patchAt(QPointF position) const
{
    const QRectF whole = area();
    if (!m_map || rows() == 0 || !whole.contains(position))
        return std::nullopt;
    const int column = int((position.x() - whole.left()) / whole.width() * columns());
    const int row = int((position.y() - whole.top()) / whole.height() * rows());
    return QPoint(std::min(column, columns() - 1), std::min(row, rows() - 1));
}

QColor MapView::colourOf(double value, const Theme& theme) const
{
    const double fraction = m_limit > m_low ? (value - m_low) / (m_limit - m_low) : 0;
    if (std::isnan(value))
        return theme.sunken;
    if (m_quantity == Quantity::Seen && !m_image.isNull()) {
        QColor cover = theme.sunken;
        cover.setAlphaF(float(1 - std::clamp(fraction, 0.0, 1.0)));
        return cover;
    }
    if (m_quantity == Quantity::Category)
        return categoryColour(int(value));
    return m_colours == HeatColours::Difference ? theme.difference(fraction) : magnitude(std::max(0.0, fraction));
}

QImage MapView::overlay() const
{
    const Theme& theme = Theme::of(palette());
    QImage image(columns(), rows(), QImage::Format_ARGB32);
    for (int row = 0; row < rows(); ++row)
        for (int column = 0; column < columns(); ++column)
            image.setPixelColor(column, row, colourOf(value(row, column), theme));
    return image;
}

/// Lines between patches that are seen and those that are not, or between classes.
void MapView::paintEdges(QPainter& painter) const
{
    if (m_quantity != Quantity::Seen && m_quantity != Quantity::Category)
        return;
    const auto differ = [this](double a, double b) {
        return m_quantity == Quantity::Seen ? (a > 0) != (b > 0) : !(a == b) && !(std::isnan(a) && std::isnan(b));
    };
    QPainterPath edges;
    for (int row = 0; row < rows(); ++row)
        for (int column = 0; column < columns(); ++column) {
            const QRectF patch = patchRect(row, column);
            if (column > 0 && differ(value(row, column), value(row, column - 1))) {
                edges.moveTo(patch.topLeft());
                edges.lineTo(patch.bottomLeft());
            }
            if (row > 0 && differ(value(row, column), value(row - 1, column))) {
                edges.moveTo(patch.topLeft());
                edges.lineTo(patch.topRight());
            }
        }
    if (m_quantity == Quantity::Seen)
        return strokeTwice(painter, edges, 1);
    painter.setPen(QPen(QColor(0, 0, 0, 110), 1));
    painter.drawPath(edges);
}

void MapView::paintMissing(QPainter& painter) const
{
    if (m_quantity == Quantity::Number || m_quantity == Quantity::Category)
        return;  // nothing is missing there
    for (int row = 0; row < rows(); ++row)
        for (int column = 0; column < columns(); ++column)
            if (std::isnan(value(row, column)))
                drawHatch(painter, patchRect(row, column), Theme::of(palette()));
}

void MapView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    const QRectF whole = area();
    QPainterPath rounded;
    rounded.addRoundedRect(whole, corner, corner);
    painter.fillPath(rounded, theme.sunken);
    painter.save();
    painter.setClipPath(rounded);
    if (!m_image.isNull()) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.setOpacity(m_map ? 1 : 0.35);
        const QSize device = (whole.size() * devicePixelRatioF()).toSize();
        painter.drawImage(whole, m_image.scaled(device, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    }
    if (m_map && rows() > 0) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.setOpacity(m_opacity);
        painter.drawImage(whole, overlay());
        painter.setOpacity(1);
        paintMissing(painter);
        paintEdges(painter);
        drawOutlines(painter, m_merged, whole, QSize(columns(), rows()));
        paintLandmarks(painter);
        paintQuery(painter);
    }
    painter.restore();
    if (!m_map && !m_notice.isEmpty()) {
        painter.setFont(fontFor(Type::Small));
        painter.setPen(theme.text2);
        painter.drawText(whole.adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap, m_notice);
    }
}

/// Plus or minus, the larger the weight, the longer.
void MapView::paintLandmarks(QPainter& painter) const
{
    if (m_landmarks.empty())
        return;
    const QRectF whole = area();
    if (m_cells > 0) {
        painter.setPen(QPen(QColor(255, 255, 255, 46), 1));
        for (int i = 1; i < m_cells; ++i) {
            const double x = whole.left() + whole.width() * i / m_cells,
                         y = whole.top() + whole.height() * i / m_cells;
            painter.drawLine(QPointF(x, whole.top()), QPointF(x, whole.bottom()));
            painter.drawLine(QPointF(whole.left(), y), QPointF(whole.right(), y));
        }
    }
    const double longest = m_cells > 0 ? std::min(largestArm, 0.34 * whole.width() / m_cells) : largestArm;
    double largest = 0;
    for (const MapLandmark& landmark : m_landmarks)
        largest = std::max(largest, std::abs(landmark.weight));
    for (const MapLandmark& landmark : m_landmarks) {
        const double arm = largest > 0 ? 1 + (longest - 1) * std::sqrt(std::abs(landmark.weight) / largest) : 1;
        const QPointF at(whole.left() + landmark.at.x() / columns() * whole.width(),
                         whole.top() + landmark.at.y() / rows() * whole.height());
        QPainterPath sign;
        sign.moveTo(at - QPointF(arm, 0));
        sign.lineTo(at + QPointF(arm, 0));
        if (landmark.weight >= 0) {
            sign.moveTo(at - QPointF(0, arm));
            sign.lineTo(at + QPointF(0, arm));
        }
        strokeTwice(painter, sign, 1.2);
    }
}

void MapView::paintQuery(QPainter& painter) const
{
    if (!m_query)
        return;
    QPainterPath frame;
    frame.addRect(patchRect(m_query->y(), m_query->x()).adjusted(-0.5, -0.5, 0.5, 0.5));
    strokeTwice(painter, frame, 2);
}

void MapView::mousePressEvent(QMouseEvent* event)
{
    if (const auto patch = patchAt(event->position()))
        emit patchChosen(patch->y(), patch->x());
}

void MapView::keyPressEvent(QKeyEvent* event)
{
    const int across = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const int down = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if ((across == 0 && down == 0) || !m_map || rows() == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const QPoint from = m_query.value_or(QPoint(columns() / 2, rows() / 2));
    emit patchChosen(std::clamp(from.y() + down, 0, rows() - 1), std::clamp(from.x() + across, 0, columns() - 1));
}

QString MapView::words(QPointF position) const
{
    const auto patch = patchAt(position);
    if (!patch)
        return {};
    const double own = value(patch->y(), patch->x());
    QString text = tr("row %1, column %2: %3").arg(patch->y()).arg(patch->x()).arg(valueText(own));
    const QRectF whole = area();
    const QPointF inPatches((position.x() - whole.left()) / whole.width() * columns(),
                            (position.y() - whole.top()) / whole.height() * rows());
    const auto nearest = std::ranges::min_element(m_landmarks, [&](const MapLandmark& a, const MapLandmark& b) {
        return QLineF(a.at, inPatches).length() < QLineF(b.at, inPatches).length();
    });
    if (nearest != m_landmarks.end())
        text += QLatin1Char('\n') + tr("%1: %2").arg(nearest->name, errorText(nearest->weight));
    return text;
}

bool MapView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = words(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}
