#include "ui/widgets/cell_delegate.h"

#include "ui/style/painting.h"
#include "ui/widgets/cell_table.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <utility>
#include <vector>

namespace attnscope::ui {

namespace {

constexpr double cellPadding = 10, markRoom = 20;

bool hasMark(const QModelIndex& index)
{
    return index.data(CellTable::MarkRole).toBool();
}

}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const QString text = index.data().toString();
    const double wide = numberWidth(fontFor(Type::BodyMedium), text) + 2 * cellPadding
                        + (hasMark(index) ? markRoom : 0);
    return {int(wide) + 1, std::max(28, QFontMetrics(fontFor(Type::Body)).height() + 10)};
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = Theme::of(option.palette);
    const QRectF cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(cell, theme.sel);
    if (index.row() > 0)
        painter->fillRect(QRectF(cell.left(), cell.top(), cell.width(), 1), theme.line);
    const QString backend = index.data(CellTable::BackendRole).toString();
    const QVariant fraction = index.data(CellTable::FractionRole);
    if (fraction.isValid()) {
        const double width = (cell.width() - 8) * std::clamp(fraction.toDouble(), 0.0, 1.0);
        const QRectF bar(cell.left() + 4, cell.top() + 5, width, cell.height() - 9);
        painter->fillRect(bar, theme.bar(backend));
        if (width >= 2)
            painter->fillRect(QRectF(bar.left(), bar.top(), 2, bar.height()), theme.backend(backend));
    }
    double left = cell.left() + cellPadding;
    if (hasMark(index)) {
        drawMark(*painter, backend, {left + 6, cell.center().y()}, 10, theme);
        left += markRoom;
    }
    const bool right = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
    const QColor ink = index.data(CellTable::DimRole).toBool() ? theme.text2 : theme.text;
    const QFont font = fontFor(Type::Body);
    const QString text = index.data().toString();
    if (right)
        drawNumberTo(*painter, cell.right() - cellPadding, cell.center().y(), text, font, ink);
    else
        drawLine(*painter, QRectF(left, cell.top(), cell.right() - cellPadding - left, cell.height()), text, font,
                 ink);
    painter->restore();
}

void plainTable(QTableView& table, const QString& name)
{
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.horizontalHeader()->setHighlightSections(false);
}

void dressTable(QTableView& table, const QString& name)
{
    plainTable(table, name);
    table.setItemDelegate(new CellDelegate(&table));
    table.setWordWrap(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->setDefaultSectionSize(std::max(28, QFontMetrics(fontFor(Type::Body)).height() + 10));
    table.horizontalHeader()->setFont(fontFor(Type::SmallMedium));
    table.horizontalHeader()->setMinimumHeight(30);
    table.horizontalHeader()->setProperty("labelPadding", int(cellPadding));
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
}

bool fitTableColumns(QTableView& table, int most)
{
    const QAbstractItemModel* model = table.model();
    if (model == nullptr || model->columnCount() == 0 || table.viewport()->width() < 80)
        return true;
    const QFontMetrics heading(table.horizontalHeader()->font());
    const int sampled = std::min(model->rowCount(), 60);
    std::vector<std::pair<int, int>> widths;  // of the columns that are shown
    // Before the scroll bar has come or gone.
    const bool scrolls = table.verticalHeader()->defaultSectionSize() * model->rowCount()
                             + table.horizontalHeader()->height()
                         > table.height();
    int spare = table.width() - 2 - (scrolls ? table.style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0);
    for (int column = 0; column < model->columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        int wide = heading.horizontalAdvance(model->headerData(column, Qt::Horizontal).toString())
                   + (table.isSortingEnabled() ? 36 : 22);
        for (int row = 0; row < sampled; ++row) {
            const QModelIndex index = model->index(row, column);
            wide = std::max(wide, table.itemDelegateForIndex(index)->sizeHint({}, index).width());
        }
        widths.emplace_back(column, std::min(wide, most));
        spare -= widths.back().second;
    }
    const int shown = int(widths.size());
    for (int i = 0; i < shown; ++i)
        table.setColumnWidth(widths[size_t(i)].first, widths[size_t(i)].second + std::max(0, (spare + i) / shown));
    table.setHorizontalScrollBarPolicy(spare >= 0 ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    return spare >= 0;
}

}
