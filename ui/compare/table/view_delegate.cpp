// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/table/view_delegate.h"

#include "ui/compare/table/views_model.h"
#include "ui/style/painting.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

void paintName(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    drawMark(painter, index.data(ViewsModel::BackendRole).toString(), {cell.left() + 10, cell.center().y()}, 10, theme);
    drawLine(painter, cell.adjusted(22, 0, -4, 0), index.data().toString(), fontFor(Type::BodyMedium), theme.text);
}

void paintMean(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QVariant probability = index.data(ViewsModel::FractionRole);
    if (probability.isValid()) {
        const QString backend = index.data(ViewsModel::BackendRole).toString();
        const double width = std::max(2.0, (cell.width() - 8) * std::clamp(probability.toDouble(), 0.0, 1.0));
        painter.fillRect(QRectF(cell.left() + 2, cell.top() + 3, width, cell.height() - 6), theme.bar(backend));
        painter.fillRect(QRectF(cell.left() + 2, cell.top() + 3, 2, cell.height() - 6), theme.backend(backend));
    }
    drawLine(painter, cell.adjusted(9, 0, -6, 0), index.data().toString(), fontFor(Type::BodyMedium),
             probability.isValid() ? theme.text : theme.text3);
}

void paintView(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QVariant probability = index.data(ViewsModel::FractionRole);
    const QRectF track = cell.adjusted(1, 2, -1, -1);
    painter.fillRect(track, theme.sunken);
    if (!probability.isValid())
        return;
    const QString backend = index.data(ViewsModel::BackendRole).toString();
    const double height = std::max(2.0, track.height() * std::clamp(probability.toDouble(), 0.0, 1.0));
    const QRectF bar(track.left(), track.bottom() - height, track.width(), height);
    painter.fillRect(bar, theme.bar(backend));
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), 2), theme.backend(backend));
    const bool differs = index.data(ViewsModel::DiffersRole).toBool();
    const QString figure = index.data().toString();
    const QFont font = fontFor(Type::Small);
    const bool roomy = cell.width() >= numberWidth(font, figure) + (differs ? 18 : 6);
    if (roomy)
        drawLine(painter, cell.adjusted(differs ? 14 : 0, 0, 0, 0), figure, font, theme.text, Qt::AlignHCenter);
    if (differs)
        drawLine(painter, roomy ? cell.adjusted(3, 0, 0, 0) : cell, QStringLiteral("≠"), fontFor(Type::BodyStrong), theme.warn,
                 roomy ? Qt::AlignLeft : Qt::AlignHCenter);
}

}  // namespace

int ViewDelegate::rowHeight() { return std::max(26, QFontMetrics(fontFor(Type::Body)).height() + 9); }

QSize ViewDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {40, rowHeight()}; }

void ViewDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = Theme::of(option.palette);
    const QRectF cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    if (index.column() == ViewsModel::NameColumn)
        paintName(*painter, cell, index, theme);
    else if (index.column() == ViewsModel::MeanColumn)
        paintMean(*painter, cell, index, theme);
    else
        paintView(*painter, cell, index, theme);
    if (option.state.testFlag(QStyle::State_Selected) && index.column() >= ViewsModel::FirstView) {
        painter->setPen(QPen(theme.text, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(cell.adjusted(0.5, 1.5, -0.5, -0.5));
    }
    painter->restore();
}

}  // namespace attnscope::ui
