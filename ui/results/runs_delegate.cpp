#include "ui/results/runs_delegate.h"

#include "ui/results/runs_model.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double runPadding = 10, runMarkRoom = 20, starRoom = 18, chipGap = 6;

double chipRoom(int column)
{
    if (!RunsModel::hasChips(column))
        return 0;
    const QString widest = column == RunsModel::Top1Column      ? u"\u221200.00 ▼"_s
                           : column == RunsModel::LatencyColumn ? u"0.0× ▼"_s
                                                                : u"\u221200 %"_s;
    return chipWidth({Delta::Worse, widest, {}}) + chipGap;
}

}

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const QString text = index.data(RunsModel::ValueRole).toString();
    double wide = numberWidth(fontFor(Type::BodyMedium), text) + 2 * runPadding + chipRoom(index.column());
    if (index.column() == RunsModel::AttentionColumn)
        wide += runMarkRoom + starRoom;
    if (index.column() == RunsModel::RunColumn)
        wide += 26;
    return {int(wide) + 1, std::max(28, QFontMetrics(fontFor(Type::Body)).height() + 10)};
}

void RunsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = Theme::of(option.palette);
    const QRectF cell = option.rect;
    const int column = index.column();
    painter->save();
    painter->setClipRect(cell);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(cell, theme.sel);
    if (column == RunsModel::RunColumn) {
        QStyleOptionViewItem plain(option);
        plain.state &= ~QStyle::State_HasFocus;
        plain.showDecorationSelected = true;
        QStyledItemDelegate::paint(painter, plain, index);
    }
    if (index.row() > 0)
        painter->fillRect(QRectF(cell.left(), cell.top(), cell.width(), 1), theme.line);
    const QString text = index.data(RunsModel::ValueRole).toString();
    if (column == RunsModel::AttentionColumn) {
        drawMark(*painter, index.data(RunsModel::BackendRole).toString(),
                 {cell.left() + runPadding + 6, cell.center().y()}, 10, theme);
        const bool starred = index.data(RunsModel::ReferenceRole).toBool();
        const QRectF line = cell.adjusted(runPadding + runMarkRoom, 0, -4 - (starred ? starRoom : 0), 0);
        drawLine(*painter, line, text, fontFor(Type::BodyMedium), theme.text);
        const double wide = std::min(line.width(),
                                     QFontMetricsF(fontFor(Type::BodyMedium)).horizontalAdvance(text));
        if (starred)
            drawIcon(*painter, u"star"_s, QRectF(line.left() + wide + 5, cell.center().y() - 6, 12, 12),
                     theme.accText);
    } else if (column >= RunsModel::Top1Column && column <= RunsModel::ErrorColumn) {
        const QFont font = fontFor(column == RunsModel::Top1Column ? Type::BodyStrong : Type::Body);
        const double right = cell.right() - runPadding - chipRoom(column);
        drawQuantityTo(*painter, right, cell.center().y(), text, font, theme);
        const auto delta = index.data(RunsModel::DeltaRole).value<Delta>();
        drawChip(*painter, right + chipGap + chipWidth(delta), cell.center().y(), delta, theme, true);
    } else if (column != RunsModel::RunColumn) {
        drawLine(*painter, cell.adjusted(runPadding, 0, -runPadding, 0), text, fontFor(Type::Body),
                 column == RunsModel::WhenColumn ? theme.text2 : theme.text);
    }
    painter->restore();
}

}
