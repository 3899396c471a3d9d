#include "ui/live/timeline_view.h"

#include "ui/live/live_rows_model.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr double inset = 10;

/// Where the axis lies within a column of this rectangle.
QRectF axisRect(const QRectF& column)
{
    return column.adjusted(inset, 0, -inset, 0);
}

int backendRowHeight()
{
    return std::max(36, QFontMetrics(fontFor(Type::Value)).height() + 14);
}

/// Seconds between two labels, so that they stand at least `least` apart.
double labelStep(double secondsPerPixel, double least)
{
    constexpr std::array<double, 17> steps{0.1, 0.2, 0.5, 1,   2,    5,    10,   15,  30,
                                           60,  120, 300, 600, 1200, 1800, 3600, 7200};
    for (const double step : steps)
        if (step / secondsPerPixel >= least)
            return step;
    return 14'400;
}

void drawDiamond(QPainter& painter, QPointF centre, double size, const QColor& fill, const QColor& halo)
{
    QPainterPath path;
    path.addPolygon(QPolygonF{centre + QPointF(0, -size), centre + QPointF(size, 0), centre + QPointF(0, size),
                              centre + QPointF(-size, 0)});
    path.closeSubpath();
    painter.setPen(QPen(halo, 2));
    painter.setBrush(fill);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.drawPath(path);
}

/// Name and mark of a backend, its predictions over time, its figures.
class LiveDelegate : public QStyledItemDelegate {
public:
    LiveDelegate(const LiveRowsModel& rows, const TimelineView& view, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_rows(rows)
        , m_view(view)
    {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = Theme::of(option.palette);
        const QRectF cell = option.rect;
        painter->save();
        painter->setClipRect(cell);
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(cell, theme.sel);
        painter->fillRect(QRectF(cell.left(), cell.top(), cell.width(), 1), theme.line);
        if (index.column() == LiveRowsModel::Backend)
            paintName(*painter, cell, index, theme);
        else if (index.column() == LiveRowsModel::Track)
            paintTrack(*painter, cell, index, theme);
        else
            paintFigure(*painter, cell, index, theme);
        if (option.state & QStyle::State_HasFocus)
            drawFocusRing(*painter, cell.adjusted(2, 2, -2, -2), 5, theme);
        painter->restore();
    }

private:
    void paintName(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme) const
    {
        drawMark(painter, index.data(LiveRowsModel::BackendRole).toString(),
                 {cell.left() + 19.5, cell.center().y() + 0.5}, 11, theme);
        drawAttentionName(painter, cell.adjusted(34, 0, -6, 0), index.data(LiveRowsModel::NameRole).toString(),
                          index.data(LiveRowsModel::SamplesRole).toString(),
                          index.data(LiveRowsModel::ReferenceRole).toBool(), theme);
    }

    void paintTrack(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme) const
    {
        const QRectF axis = axisRect(cell);
        const QRectF band(axis.left(), cell.top() + 6, axis.width(), cell.height() - 11);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.sunken);
        painter.drawRoundedRect(band, 3, 3);
        painter.save();
        painter.setClipRect(band);
        const QString backend = index.data(LiveRowsModel::BackendRole).toString();
        // Stretches narrower than a pixel are drawn as one: the count of things to paint is bounded by the width.
        double painted = band.left() - 1;
        for (const LiveRowsModel::Stretch& stretch : m_rows.stretches(index.row())) {
            const double left = m_view.axis().xOf(stretch.begin, axis.left(), axis.width()),
                         right = m_view.axis().xOf(stretch.end, axis.left(), axis.width());
            if (right < band.left() || left > band.right() || right < painted + 0.7)
                continue;
            paintStretch(
                painter,
                QRectF(std::max(left, painted), band.top(), right - std::max(left, painted), band.height()),
                stretch, backend, theme);
            painted = right;
        }
        painter.restore();
        for (const double seconds : m_rows.differences(index.row())) {
            const double x = m_view.axis().xOf(seconds, axis.left(), axis.width());
            if (x >= band.left() - 1 && x <= band.right() + 1)
                drawDiamond(painter, {std::clamp(x, band.left() + 2, band.right() - 2), band.top() + 1}, 4.5,
                            theme.warn, theme.surface);
        }
        paintPlayhead(painter, cell, axis, theme);
    }

    void paintStretch(QPainter& painter, const QRectF& rect, const LiveRowsModel::Stretch& stretch,
                      const QString& backend, const Theme& theme) const
    {
        const QRectF inner = rect.width() > 4 ? rect.adjusted(0.5, 0, -0.5, 0) : rect;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.bar(backend));
        painter.drawRoundedRect(inner, 3, 3);
        if (stretch.differs)
            drawHatch(painter, inner, theme);
        painter.fillRect(QRectF(inner.left(), inner.top(), std::min(2.0, inner.width()), inner.height()),
                         theme.backend(backend));
        if (inner.width() >= 30)
            drawLine(painter, inner.adjusted(7, 0, -4, 0), stretch.name, fontFor(Type::SmallMedium), theme.text);
    }

    void paintPlayhead(QPainter& painter, const QRectF& cell, const QRectF& axis, const Theme& theme) const
    {
        const double x = std::round(m_view.axis().xOf(m_view.axis().playhead, axis.left(), axis.width()));
        if (x >= axis.left() - 1 && x <= axis.right() + 1)
            painter.fillRect(QRectF(x - 1, cell.top(), 2, cell.height()), theme.dark ? theme.focus : theme.accent);
    }

    static void paintFigure(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
    {
        const QString text = index.data().toString();
        const QString failure = index.data(LiveRowsModel::FailureRole).toString();
        if (!failure.isEmpty() && index.column() == LiveRowsModel::AgreementColumn) {
            drawLine(painter, cell.adjusted(4, 0, -12, 0), TimelineView::tr("Could not run"),
                     fontFor(Type::BodyMedium), theme.err, Qt::AlignRight);
            return;
        }
        if (text.isEmpty() || index.data(LiveRowsModel::DimRole).toBool()) {
            drawLine(painter, cell.adjusted(4, 0, -12, 0), text.isEmpty() ? u"—"_s : text, fontFor(Type::Body),
                     theme.text3, Qt::AlignRight);
            return;
        }
        drawQuantityTo(painter, cell.right() - 12, cell.center().y(), text, fontFor(Type::BodyStrong), theme);
    }

    const LiveRowsModel& m_rows;
    const TimelineView& m_view;
};

}

/// Draws the axis above the timelines: minutes and seconds, the clip's bracket, the playhead; the other columns' names.
class TimelineHeader : public QHeaderView {
public:
    explicit TimelineHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(false);
        setHighlightSections(false);
        setAccessibleName(TimelineView::tr("Column headers and time axis"));
    }

    void setAxis(const TimeAxis& axis)
    {
        m_axis = axis;
        const int section = LiveRowsModel::Track;
        viewport()->update(QRect(sectionViewportPosition(section), 0, sectionSize(section), height()));
    }

    QSize sizeHint() const override
    {
        return {QHeaderView::sizeHint().width(), std::max(36, QFontMetrics(fontFor(Type::Small)).height() + 20)};
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        painter->save();
        painter->setClipRect(rect);
        painter->fillRect(rect, Theme::of(palette()).surface);
        if (section == LiveRowsModel::Track) {
            paintAxis(*painter, rect);
        } else {
            const QString name = model()->headerData(section, Qt::Horizontal).toString();
            const bool right = section >= LiveRowsModel::LatencyColumn;
            drawLine(*painter, QRectF(rect).adjusted(14, 0, -12, 0), name, fontFor(Type::SmallMedium),
                     Theme::of(palette()).text3, right ? Qt::AlignRight : Qt::AlignLeft);
        }
        painter->restore();
    }

private:
    void paintAxis(QPainter& painter, const QRectF& column) const
    {
        const Theme& theme = Theme::of(palette());
        const QRectF axis = axisRect(column);
        const QFont font = fontFor(Type::Small);
        const double step = labelStep((m_axis.end - m_axis.begin) / axis.width(),
                                      QFontMetricsF(font).horizontalAdvance(u"00:00.0"_s) + 18);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const double base = column.bottom() - 6;
        for (auto tick = std::llround(std::ceil(m_axis.begin / step));
             static_cast<double>(tick) * step <= m_axis.end + 1e-9; ++tick) {
            const double at = double(tick) * step;
            const double x = std::round(m_axis.xOf(at, axis.left(), axis.width()));
            painter.fillRect(QRectF(x, base - 4, 1, 5), theme.ctl);
            const QString text = clockText(at, step < 1 ? 1 : 0);
            const double wide = QFontMetricsF(font).horizontalAdvance(text);
            drawLine(painter,
                     QRectF(std::clamp(x - wide / 2, column.left() + 2,
                                       std::max(column.left() + 2, column.right() - wide - 2)),
                            column.top() + 3, wide + 4, base - 8 - column.top()),
                     text, font, theme.text3);
        }
        painter.fillRect(QRectF(axis.left(), base, axis.width(), 1), theme.line);
        const QColor accent = theme.dark ? theme.focus : theme.accent;
        if (m_axis.clipEnd > m_axis.clipBegin) {
            const double left = std::max(axis.left(), m_axis.xOf(m_axis.clipBegin, axis.left(), axis.width())),
                         right = m_axis.xOf(m_axis.clipEnd, axis.left(), axis.width());
            painter.fillRect(QRectF(left, base - 1, std::max(2.0, right - left), 3), accent);
        }
        const double x = std::round(m_axis.xOf(m_axis.playhead, axis.left(), axis.width()));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(accent);
        painter.drawPolygon(QPolygonF{QPointF(x - 5.5, base - 7), QPointF(x + 5.5, base - 7), QPointF(x, base)});
        painter.fillRect(QRectF(x - 1, base - 1, 2, column.bottom() - base + 2), accent);
    }

    TimeAxis m_axis;
};

TimelineView::TimelineView(LiveRowsModel& rows, QWidget* parent)
    : QTableView(parent)
    , m_rows(rows)
    , m_header(new TimelineHeader(this))
{
    plainTable(*this, tr("Timelines"));
    setModel(&rows);
    setHorizontalHeader(m_header);
    setItemDelegate(new LiveDelegate(rows, *this, this));
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->installEventFilter(this);
    m_header->viewport()->installEventFilter(this);
    viewport()->setMouseTracking(true);
    arrange();
    connect(&rows, &QAbstractItemModel::modelReset, this, &TimelineView::arrange);
}

void TimelineView::setFigures(Figures figures)
{
    m_figures = figures;
    arrange();
}

void TimelineView::arrange()
{
    verticalHeader()->setDefaultSectionSize(backendRowHeight());
    const QFontMetrics value(fontFor(Type::BodyStrong)), small(fontFor(Type::Small)),
        heading(fontFor(Type::SmallMedium));
    const auto wide = [&](const QString& number, const QString& unit, int column) {
        return std::max(value.horizontalAdvance(number) + small.horizontalAdvance(unit),
                        heading.horizontalAdvance(m_rows.headerData(column, Qt::Horizontal).toString()))
               + 26;
    };
    int name = 120;
    for (int row = 0; row < m_rows.rowCount(); ++row)
        name = std::max(
            name, QFontMetrics(fontFor(Type::Value)).horizontalAdvance(m_rows.index(row, 0).data().toString()) + 34
                      + 34);
    setColumnWidth(LiveRowsModel::Backend, std::min(name, 210));
    setColumnWidth(LiveRowsModel::LatencyColumn, wide(u"88.8"_s, u" ms"_s, LiveRowsModel::LatencyColumn));
    setColumnWidth(LiveRowsModel::RateColumn, wide(u"88.8"_s, {}, LiveRowsModel::RateColumn));
    setColumnWidth(LiveRowsModel::MemoryColumn, wide(u"88.8"_s, u" MiB"_s, LiveRowsModel::MemoryColumn));
    setColumnWidth(LiveRowsModel::AgreementColumn,
                   wide(u"100"_s, u" % of 88888"_s, LiveRowsModel::AgreementColumn));
    setColumnHidden(LiveRowsModel::RateColumn, m_figures == Figures::Few);
    setColumnHidden(LiveRowsModel::MemoryColumn, m_figures == Figures::Few);
    int rest = viewport()->width();
    for (int column = 0; column < m_rows.columnCount(); ++column)
        if (column != LiveRowsModel::Track && !isColumnHidden(column))
            rest -= columnWidth(column);
    setColumnWidth(LiveRowsModel::Track, std::max(120, rest));
}

int TimelineView::wholeHeight() const
{
    return m_header->sizeHint().height() + std::max(1, m_rows.rowCount()) * backendRowHeight() + 2;
}

QRectF TimelineView::trackRect() const
{
    return axisRect(QRectF(columnViewportPosition(LiveRowsModel::Track), 0, columnWidth(LiveRowsModel::Track),
                           viewport()->height()));
}

double TimelineView::xOf(double seconds) const
{
    return m_axis.xOf(seconds, trackRect().left(), trackRect().width());
}

void TimelineView::setAxis(const TimeAxis& axis)
{
    m_axis = axis;
    m_header->setAxis(axis);
    viewport()->update(QRect(columnViewportPosition(LiveRowsModel::Track), 0, columnWidth(LiveRowsModel::Track),
                             viewport()->height()));
}

bool TimelineView::ask(const QPointF& position, bool dragging)
{
    const QRectF track = trackRect();
    emit seekRequested(
        std::clamp(m_axis.secondsAt(position.x(), track.left(), track.width()), m_axis.begin, m_axis.end),
        dragging);
    return true;
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event)
{
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    if (mouse == nullptr)
        return QTableView::eventFilter(watched, event);
    const QRectF track = trackRect();
    const bool within = mouse->position().x() >= track.left() - inset
                        && mouse->position().x() <= track.right() + inset;
    if (event->type() == QEvent::MouseButtonPress && mouse->button() == Qt::LeftButton && within) {
        m_dragging = true;
        setFocus(Qt::MouseFocusReason);
        return ask(mouse->position(), true);
    }
    if (event->type() == QEvent::MouseMove && m_dragging)
        return ask(mouse->position(), true);
    if (event->type() == QEvent::MouseButtonRelease && m_dragging) {
        m_dragging = false;
        return ask(mouse->position(), false);
    }
    if (event->type() == QEvent::MouseButtonRelease && watched == viewport() && !within) {
        const QModelIndex hit = indexAt(mouse->position().toPoint());
        if (hit.isValid() && !m_rows.failure(hit.row()).isEmpty())
            emit detailsRequested(m_rows.failure(hit.row()));
    }
    return QTableView::eventFilter(watched, event);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    // Left and right belong to playback; up and down walk the rows.
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        QTableView::keyPressEvent(event);
    else
        event->ignore();
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    arrange();
}

void TimelineView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

}
