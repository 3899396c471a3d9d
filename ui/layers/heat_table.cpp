#include "ui/layers/heat_table.h"

#include "ui/layers/layer_cells.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int cellGap = 2, groupGap = 10, smallestRow = 17, largestRow = 48, smallestCell = 22, largestCell = 76;
constexpr int beforeMean = 16, beforeBar = 8, shortestBar = 36, longestBar = 110;

QRectF cellRect(const QModelIndex& index, const QRect& place)
{
    const double above = index.data(LayerCells::GroupRole).toBool() ? groupGap : 0;
    return QRectF(place).adjusted(cellGap / 2.0, cellGap / 2.0 + above, -cellGap / 2.0, -cellGap / 2.0);
}

class HeatDelegate : public QStyledItemDelegate {
public:
    explicit HeatDelegate(HeatTable* table)
        : QStyledItemDelegate(table)
        , m_table(*table)
    {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = Theme::of(option.palette);
        const QRectF cell = cellRect(index, option.rect);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.data(LayerCells::MeanRole).toBool())
            paintMean(*painter, cell, index, theme);
        else if (index.data(LayerCells::ValueRole).isValid())
            paintHead(*painter, cell, index, theme);
        if (index == m_table.currentIndex())
            drawRing(*painter, cell, theme);
        painter->restore();
    }

private:
    static void drawRing(QPainter& painter, const QRectF& cell, const Theme& theme)
    {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.surface, 2));
        painter.drawRoundedRect(cell.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }

    void paintHead(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme) const
    {
        const QString text = index.data().toString();
        painter.setPen(Qt::NoPen);
        if (text.isEmpty()) {  // no such figure here
            painter.setBrush(theme.sunken);
            painter.drawRoundedRect(cell, 3, 3);
            drawHatch(painter, cell, theme);
            return;
        }
        const double fraction = index.data(LayerCells::FractionRole).toDouble();
        painter.setBrush(magnitude(fraction));
        painter.drawRoundedRect(cell, 3, 3);
        const QFont font = fontFor(Type::BodyMedium);
        if (index.data(LayerCells::UselessRole).toBool()) {
            painter.setBrush(onMagnitude(fraction));
            painter.drawPolygon(QPolygonF{cell.topRight() + QPointF(-8, 1), cell.topRight() + QPointF(-1, 1),
                                          cell.topRight() + QPointF(-1, 8)});
        }
        if (m_table.showsFigures())
            drawNumberTo(painter, cell.center().x() + numberWidth(font, text) / 2, cell.center().y(), text, font,
                         onMagnitude(fraction));
    }

    void paintMean(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme) const
    {
        const QString text = index.data().toString();
        const QFont font = fontFor(Type::BodyStrong);
        const double right = cell.left() + m_table.meanFigureEnd();
        drawNumberTo(painter, right, cell.center().y(), text, font, theme.text);
        const double wide = index.data(LayerCells::PartRole).toDouble() * (cell.right() - 4 - right - beforeBar);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.backend(m_table.backend()));
        if (wide > 0)
            painter.drawRoundedRect(QRectF(right + beforeBar, cell.center().y() - 3, std::max(2.0, wide), 6), 3,
                                    3);
    }

    HeatTable& m_table;
};

/// Labels alone: the chosen one stronger, a layer that changes the prediction in the colour of a warning.
class HeatHeader : public QHeaderView {
public:
    HeatHeader(Qt::Orientation orientation, HeatTable& table, LayerCells& cells)
        : QHeaderView(orientation, &table)
        , m_table(table)
        , m_cells(cells)
    {
        setSectionsClickable(false);
        setHighlightSections(false);
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(1);
        setFocusPolicy(Qt::NoFocus);
        setFrameShape(QFrame::NoFrame);
        viewport()->setBackgroundRole(QPalette::Base);
        setBackgroundRole(QPalette::Base);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const Theme& theme = Theme::of(palette());
        const bool across = orientation() == Qt::Horizontal;
        const QModelIndex current = m_table.currentIndex();
        const bool chosen = current.isValid() && (across ? current.column() : current.row()) == section;
        const bool flips = !across && m_cells.flips(section);
        QRectF place = rect;
        if (across && section == m_cells.heads())
            place.setRight(place.left() + m_table.meanFigureEnd());
        else if (!across)
            place.adjust(4, m_cells.isGroupStart(section) ? groupGap : 0, -10, 0);
        QString text = model()->headerData(section, orientation()).toString();
        const QFont font = fontFor(chosen || flips ? Type::BodyStrong : across ? Type::SmallMedium : Type::Body);
        if (across && section == 0 && QFontMetricsF(font).horizontalAdvance(text) > place.width())
            text = u"0"_s;
        painter->fillRect(rect, theme.surface);
        drawLine(*painter, place, text, font,
                 flips    ? theme.warn
                 : chosen ? theme.text
                          : theme.text3,
                 across && section != m_cells.heads() ? Qt::AlignHCenter : Qt::AlignRight);
    }

private:
    HeatTable& m_table;
    LayerCells& m_cells;
};

}

HeatTable::HeatTable(LayerCells& cells, QWidget* parent)
    : QTableView(parent)
    , m_cells(cells)
{
    plainTable(*this, tr("Errors by layer and head"));
    setHorizontalHeader(new HeatHeader(Qt::Horizontal, *this, cells));
    setVerticalHeader(new HeatHeader(Qt::Vertical, *this, cells));
    setModel(&cells);
    setItemDelegate(new HeatDelegate(this));
    setCornerButtonEnabled(false);
    setBackgroundRole(QPalette::Base);
    setSelectionMode(QAbstractItemView::NoSelection);  // the current cell has its ring
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMinimumSize(160, 120);
    connect(&cells, &QAbstractItemModel::modelReset, this, &HeatTable::fit);
    connect(&cells, &QAbstractItemModel::dataChanged, this, &HeatTable::fit);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit cellOpened(index.row(), index.column()); });
}

void HeatTable::setBackend(const QString& backend)
{
    m_backend = backend;
    viewport()->update();
}

int HeatTable::labelWidth() const
{
    int widest = QFontMetrics(fontFor(Type::BodyStrong)).horizontalAdvance(u"≠ 00"_s);
    for (int row = 0; row < m_cells.rowCount(); ++row)
        widest = std::max(widest, QFontMetrics(fontFor(Type::BodyStrong))
                                      .horizontalAdvance(m_cells.headerData(row, Qt::Vertical).toString()));
    return widest + 16;
}

double HeatTable::meanFigureEnd() const
{
    return beforeMean + m_meanFigure;
}

int HeatTable::widthFor(int cell) const
{
    return labelWidth() + m_cells.heads() * cell + int(meanFigureEnd()) + beforeBar + shortestBar + 8;
}

void HeatTable::fit()
{
    const int rows = m_cells.rowCount(), heads = m_cells.heads();
    if (rows == 0)
        return;
    m_meanFigure = QFontMetricsF(fontFor(Type::BodyStrong)).horizontalAdvance(tr("mean"));
    for (int row = 0; row < rows; ++row)
        m_meanFigure = std::max(
            m_meanFigure, numberWidth(fontFor(Type::BodyStrong), m_cells.index(row, heads).data().toString()));
    verticalHeader()->setFixedWidth(labelWidth());
    horizontalHeader()->setFixedHeight(std::max(24, QFontMetrics(fontFor(Type::SmallMedium)).height() + 10));
    int groups = 0;
    for (int row = 0; row < rows; ++row)
        groups += m_cells.isGroupStart(row) ? 1 : 0;
    const int height = (this->height() - horizontalHeader()->height() - groups * groupGap - 2) / rows;
    const int rowHeight = std::clamp(height, smallestRow,
                                     std::max(largestRow, QFontMetrics(font()).height() + 16));
    const bool scrolls = height < smallestRow;
    const int room = width() - widthFor(0) - (scrolls ? 12 : 0) - 2;
    const int cellWidth = std::clamp(room / std::max(1, heads), smallestCell, largestCell);
    double widest = 0;
    for (int row = 0; row < rows; ++row)
        for (int head = 0; head < heads; ++head)
            widest = std::max(widest,
                              numberWidth(fontFor(Type::BodyMedium), m_cells.index(row, head).data().toString()));
    m_figures = widest + 6 <= cellWidth && QFontMetrics(fontFor(Type::BodyMedium)).height() <= rowHeight;
    for (int row = 0; row < rows; ++row)
        setRowHeight(row, rowHeight + (m_cells.isGroupStart(row) ? groupGap : 0));
    for (int head = 0; head < heads; ++head)
        setColumnWidth(head, cellWidth);
    const int bar = std::clamp(room - heads * cellWidth + shortestBar, shortestBar, longestBar);
    setColumnWidth(heads, int(meanFigureEnd()) + beforeBar + bar + 6);
    viewport()->update();
}

void HeatTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

void HeatTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void HeatTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    verticalHeader()->viewport()->update();
    horizontalHeader()->viewport()->update();
    viewport()->update();
    if (current.isValid())
        emit cellChosen(current.row(), current.column());
}

void HeatTable::keyPressEvent(QKeyEvent* event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        emit cellOpened(currentIndex().row(), currentIndex().column());
    else
        QTableView::keyPressEvent(event);
}

}
