// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/table/measurement_delegate.h"

#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/compare/table/run_table_model.h"

#include <QAbstractItemView>
#include <QMouseEvent>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double figureLeft = 14;

double detailRoom() { return QFontMetricsF(fontFor(Type::BodyMedium)).horizontalAdvance(MeasurementDelegate::tr("Details")) + 12; }

QString state(const QModelIndex& index, int role) { return index.data(role).toString(); }

/// Width that values of this row need in this table, so that figures stand under each other.
double valueColumn(const QModelIndex& index, double cellWidth)
{
    const QFont font = fontFor(Type::Value);
    double width = std::max(cellWidth >= 200 ? 48.0 : 0.0, numberWidth(font, QStringLiteral("00.0")));
    const QAbstractItemModel& model = *index.model();
    for (int row = 0; row < model.rowCount(); ++row)
        width = std::max(width, numberWidth(font, model.index(row, index.column()).data(RunTableModel::ValueRole).toString()));
    return width;
}

void paintMeasuring(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QPoint progress = index.data(RunTableModel::ProgressRole).toPoint();
    const QString text = progress.y() > 0 ? MeasurementDelegate::tr("%1 of %2").arg(progress.x()).arg(progress.y())
                                          : index.data(RunTableModel::NoteRole).toString();
    const double textWidth = QFontMetricsF(fontFor(Type::Body)).horizontalAdvance(text);
    drawLine(painter, cell.adjusted(figureLeft, 0, -12, 0), text, fontFor(Type::Body), theme.text2);
    const double from = std::max(cell.left() + cell.width() * 0.45, cell.left() + figureLeft + textWidth + 12);
    const double part = progress.y() > 0 ? double(progress.x()) / progress.y() : 0;
    if (cell.right() - 14 - from > 30)
        drawProgress(painter, QRectF(from, cell.center().y() - 2, cell.right() - 14 - from, 4), part, theme);
}

void paintFigure(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QString value = state(index, RunTableModel::ValueRole), unit = state(index, RunTableModel::UnitRole);
    const QString stale = state(index, RunTableModel::StaleRole);
    const QFont valueFont = fontFor(Type::Value), unitFont = fontFor(Type::Small);
    const double margin = cell.width() >= 200 ? 12 : 8;
    const double valueEnd = cell.left() + std::min(figureLeft, margin) + valueColumn(index, cell.width());
    drawNumberTo(painter, valueEnd, cell.center().y(), value, valueFont, stale.isEmpty() ? theme.text : theme.text2);
    painter.setFont(unitFont);
    painter.setPen(theme.text3);
    const double unitEnd = valueEnd + 4 + drawNumber(painter, {valueEnd + 4, baselineAt(valueFont, cell.center().y())}, unit);
    if (!stale.isEmpty()) {
        drawLine(painter, QRectF(unitEnd + 8, cell.top(), cell.right() - 12 - unitEnd - 8, cell.height()), stale, unitFont, theme.text3,
                 Qt::AlignRight);
        return;
    }
    const Delta delta = index.data(RunTableModel::DeltaRole).value<Delta>();
    drawChip(painter, cell.right() - margin, cell.center().y(), delta, theme, cell.width() >= 132);
    const QVariant interval = index.data(RunTableModel::IntervalRole);
    const double trackLeft = std::max(unitEnd + 8, cell.left() + 108);
    const double trackRight = std::min(cell.right() - 12 - (delta.kind == Delta::None ? 0 : chipWidth(delta) + 8), trackLeft + 62 + std::max(0.0, cell.width() - 244) * 0.7);
    if (interval.isValid() && cell.width() >= 200 && trackRight - trackLeft >= 26)
        drawInterval(painter, QRectF(trackLeft, cell.top(), trackRight - trackLeft, cell.height()), interval.value<Interval>(),
                     state(index, RunTableModel::BackendRole), theme);
}

}  // namespace

void drawCellNote(QPainter& painter, const QRectF& line, const QModelIndex& index, const Theme& theme)
{
    const QString note = state(index, RunTableModel::NoteRole);
    if (static_cast<CellState>(index.data(RunTableModel::StateRole).toInt()) != CellState::Failed)
        return drawLine(painter, line.adjusted(figureLeft, 0, -12, 0), note, fontFor(Type::Body), theme.text3);
    drawIcon(painter, QStringLiteral("warn"), QRectF(line.left() + figureLeft, line.center().y() - 8, 16, 16), theme.err);
    drawLine(painter, line.adjusted(figureLeft + 21, 0, -detailRoom() - 8, 0), note, fontFor(Type::BodyMedium), theme.err);
    drawLine(painter, line.adjusted(0, 0, -12, 0), MeasurementDelegate::tr("Details"), fontFor(Type::BodyMedium), theme.accText, Qt::AlignRight);
}

void drawCellFrame(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const Theme& theme = Theme::of(option.palette);
    const QRect cell = option.rect;
    if (!index.data(RunTableModel::StaleRole).toString().isEmpty())
        drawHatch(painter, cell, theme);
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const bool across = view == nullptr || !view->property("transposed").toBool();
    if (index.row() > 0)
        painter.fillRect(QRect(cell.left(), cell.top(), cell.width(), 1), theme.line);
    if (across)
        painter.fillRect(QRect(cell.left(), cell.top(), 1, cell.height()), theme.line);
    if (view != nullptr && view->hasFocus() && view->currentIndex() == index)
        drawFocusRing(painter, QRectF(cell).adjusted(2, 1, -1, -2), 4, theme);
}

int MeasurementDelegate::rowHeight() { return std::max(34, QFontMetrics(fontFor(Type::Value)).height() + 12); }

QSize MeasurementDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {160, rowHeight()}; }

void MeasurementDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = Theme::of(option.palette);
    const QRectF cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    drawCellFrame(*painter, option, index);
    const auto now = static_cast<CellState>(index.data(RunTableModel::StateRole).toInt());
    if (now == CellState::Measuring)
        paintMeasuring(*painter, cell, index, theme);
    else if (now == CellState::Failed || !state(index, RunTableModel::NoteRole).isEmpty())
        drawCellNote(*painter, cell, index, theme);
    else
        paintFigure(*painter, cell, index, theme);
    painter->restore();
}

bool MeasurementDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const bool failedCell = static_cast<CellState>(index.data(RunTableModel::StateRole).toInt()) == CellState::Failed;
    if (failedCell && event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->position().x() > option.rect.right() - 12 - detailRoom()) {
            emit detailsRequested(index.data(RunTableModel::DetailRole).toString());
            return true;
        }
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

}  // namespace attnscope::ui
