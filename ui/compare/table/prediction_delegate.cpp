// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/table/prediction_delegate.h"

#include "ui/compare/table/measurement_delegate.h"
#include "ui/style/painting.h"
#include "ui/style/prediction_line.h"
#include "ui/compare/table/run_table_model.h"

#include <QMouseEvent>

#include <algorithm>

namespace attnscope::ui {

namespace {

int footerHeight() { return std::max(23, QFontMetrics(fontFor(Type::Body)).height() + 6); }

QString moreText(const PredictionCell& cell)
{
    const int more = static_cast<int>(cell.lines.size()) - cell.shown;
    if (more > 0)
        return PredictionDelegate::tr("%1 more").arg(more);
    return cell.shown > 3 ? PredictionDelegate::tr("Fewer") : QString();
}

/// With several backends in a table there is room for the first prediction alone.
void paintFirst(QPainter& painter, const QRectF& cell, const PredictionCell& predictions, const QString& backend, const Theme& theme)
{
    const QRectF row(cell.left() + 8, cell.center().y() - 11, cell.width() - 16, 22);
    paintPredictionLine(painter, row, predictions.lines.front(), backend, fontFor(Type::BodyMedium), theme);
}

}  // namespace

int PredictionDelegate::cellHeight(int lines) { return 7 + lines * predictionLineHeight() + footerHeight(); }

QSize PredictionDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    return {160, cellHeight(index.data(RunTableModel::PredictionsRole).value<PredictionCell>().shown)};
}

void PredictionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = Theme::of(option.palette);
    const QRectF cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    drawCellFrame(*painter, option, index);
    const QVariant held = index.data(RunTableModel::PredictionsRole);
    if (!held.isValid()) {
        const QRectF line(cell.left(), cell.top() + 7, cell.width(), std::min(cell.height() - 7, double(predictionLineHeight())));
        drawCellNote(*painter, line, index, theme);
        painter->restore();
        return;
    }
    const auto predictions = held.value<PredictionCell>();
    const QString backend = index.data(RunTableModel::BackendRole).toString();
    if (cell.height() < cellHeight(2)) {
        paintFirst(*painter, cell, predictions, backend, theme);
        painter->restore();
        return;
    }
    double y = cell.top() + 7;
    for (int i = 0; i < std::min<int>(predictions.shown, predictions.lines.size()); ++i, y += predictionLineHeight())
        paintPredictionLine(*painter, QRectF(cell.left() + 11, y, cell.width() - 24, predictionLineHeight() - 3), predictions.lines[i], backend,
                  fontFor(i == 0 ? Type::BodyStrong : Type::Body), theme);
    const QRectF footer(cell.left() + 13, y, cell.width() - 26, footerHeight());
    const QString more = moreText(predictions);
    drawLine(*painter, footer, more, fontFor(Type::BodyMedium), theme.accText);
    const double moreWidth = QFontMetricsF(fontFor(Type::BodyMedium)).horizontalAdvance(more) + 12;
    const bool fits = QFontMetricsF(fontFor(Type::Small)).horizontalAdvance(predictions.footer) <= footer.width() - moreWidth;
    const QString text = predictions.hiddenNames ? tr("untrained, class names hidden") : fits ? predictions.footer : predictions.shortFooter;
    drawLine(*painter, footer.adjusted(moreWidth, 0, 0, 0), text, fontFor(Type::Small), predictions.hiddenNames ? theme.warn : theme.text3,
             Qt::AlignRight);
    painter->restore();
}

bool PredictionDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (static_cast<CellState>(index.data(RunTableModel::StateRole).toInt()) == CellState::Failed) {
            emit detailsRequested(index.data(RunTableModel::DetailRole).toString());
            return true;
        }
        if (mouse->position().y() > option.rect.bottom() - footerHeight() && mouse->position().x() < option.rect.center().x()) {
            emit moreRequested();
            return true;
        }
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

}  // namespace attnscope::ui
