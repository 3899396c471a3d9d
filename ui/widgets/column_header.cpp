// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column_header.h"

#include "ui/data/run_table_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/measurement_delegate.h"
#include "ui/widgets/painting.h"

#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

BackendHeader::BackendHeader(Qt::Orientation orientation, QWidget* parent) : QHeaderView(orientation, parent)
{
    setSectionsMovable(true);
    setSectionsClickable(true);
    setHighlightSections(false);
    setSectionResizeMode(orientation == Qt::Horizontal ? QHeaderView::Stretch : QHeaderView::Fixed);
    setMinimumSectionSize(24);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Backends"));
    connect(this, &QHeaderView::sectionMoved, this, [this](int, int from, int to) {
        if (m_restoring)
            return;
        // The model keeps the order, so the view's own mapping is undone once the drag has ended.
        QTimer::singleShot(0, this, [this, from, to] {
            m_restoring = true;
            moveSection(to, from);
            m_restoring = false;
            emit moved(from, to);
        });
    });
}

QSize BackendHeader::sizeHint() const
{
    const int high = std::max(40, QFontMetrics(fontFor(Type::Value)).height() + 16);
    if (orientation() == Qt::Horizontal)
        return {QHeaderView::sizeHint().width(), high};
    int width = 0;
    for (int section = 0; section < count(); ++section)
        width = std::max(width, sectionSizeFromContents(section).width());
    return {width, QHeaderView::sizeHint().height()};
}

QSize BackendHeader::sectionSizeFromContents(int section) const
{
    if (model() == nullptr)
        return {};
    const auto held = [&](int role) { return model()->headerData(section, orientation(), role).toString(); };
    const QFontMetrics name(fontFor(Type::Value)), samples(fontFor(Type::ValueLight));
    const QString tag = weightsWord(WeightsKind::Untrained);  // the longest: widths do not change as tags come
    const double width = 34 + name.horizontalAdvance(held(RunTableModel::NameRole)) + 6 + samples.horizontalAdvance(held(RunTableModel::SamplesRole))
                         + (model()->headerData(section, orientation(), RunTableModel::ReferenceRole).toBool() ? 24 : 0) + tagWidth(tag) + 30;
    return {static_cast<int>(width), std::max(40, name.height() + 16)};
}

void BackendHeader::setChosen(int section)
{
    m_chosen = section;
    viewport()->update();
}

void BackendHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    const Theme& theme = Theme::of(palette());
    const auto held = [&](int role) { return model()->headerData(section, orientation(), role); };
    const QString backend = held(RunTableModel::BackendRole).toString();
    const bool across = orientation() == Qt::Horizontal;
    painter->save();
    if (across)
        painter->fillRect(QRect(rect.left(), rect.top(), 1, rect.height()), theme.line);
    if (across)
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.line);
    else if (section > 0)
        painter->fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), theme.line);
    if (section == m_chosen)
        painter->fillRect(across ? QRect(rect.left() + 1, rect.top(), rect.width() - 1, 3) : QRect(rect.left(), rect.top(), 3, rect.height() - 1),
                          theme.backend(backend));
    const double middle = rect.center().y() + 0.5;
    drawMark(*painter, backend, {rect.left() + 19.5, middle}, 11, theme);
    const QString tag = held(RunTableModel::WeightsRole).toString();
    double right = rect.right() - 12;
    if (!tag.isEmpty() && rect.width() >= 150)
        right = drawTag(*painter, right, middle, tag, theme) - 8;
    const QFontMetricsF nameMetrics(fontFor(Type::Value)), lightMetrics(fontFor(Type::ValueLight));
    const bool reference = held(RunTableModel::ReferenceRole).toBool();
    double x = rect.left() + 34;
    const QString name = held(RunTableModel::NameRole).toString(), samples = held(RunTableModel::SamplesRole).toString();
    drawLine(*painter, QRectF(x, rect.top(), std::max(0.0, right - x - (reference ? 24 : 0)), rect.height()), name, fontFor(Type::Value), theme.text);
    x += nameMetrics.horizontalAdvance(name) + 6;
    if (!samples.isEmpty()) {
        drawLine(*painter, QRectF(x, rect.top(), std::max(0.0, right - x), rect.height()), samples, fontFor(Type::ValueLight), theme.text2);
        x += lightMetrics.horizontalAdvance(samples) + 6;
    }
    if (reference && x + 16 <= right)
        drawIcon(*painter, QStringLiteral("star"), QRectF(x, middle - 8, 16, 16), theme.accText);
    painter->restore();
}

}  // namespace attnscope::ui
