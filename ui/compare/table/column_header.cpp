#include "ui/compare/table/column_header.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/painting.h"
#include "ui/workspace/accuracy_text.h"

#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double headingNameAt = 34, headingStarRoom = 22, headingTagMargin = 12;

}

BackendHeader::BackendHeader(Qt::Orientation orientation, QWidget* parent)
    : QHeaderView(orientation, parent)
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

int BackendHeader::sectionHeight()
{
    return std::max(40, QFontMetrics(fontFor(Type::Value)).height() + 16);
}

QSize BackendHeader::sizeHint() const
{
    if (orientation() == Qt::Horizontal)
        return {QHeaderView::sizeHint().width(), sectionHeight()};
    int width = 0;
    for (int section = 0; section < count(); ++section)
        width = std::max(width, sectionSizeFromContents(section).width());
    return {width, QHeaderView::sizeHint().height()};
}

/// Mark, name, samples and star of a heading, from its left edge.
double BackendHeader::nameWidth(int section) const
{
    const auto held = [&](int role) { return model()->headerData(section, orientation(), role); };
    const QString samples = held(RunTableModel::SamplesRole).toString();
    return headingNameAt
           + QFontMetricsF(fontFor(Type::Value)).horizontalAdvance(held(RunTableModel::NameRole).toString())
           + (samples.isEmpty() ? 0 : 6 + QFontMetricsF(fontFor(Type::ValueLight)).horizontalAdvance(samples))
           + (held(RunTableModel::ReferenceRole).toBool() ? headingStarRoom : 0);
}

QString BackendHeader::tagOf(int section) const
{
    QStringList parts;
    for (const int role : {int(RunTableModel::NetworkRole), int(RunTableModel::WeightsRole)})
        parts << model()->headerData(section, orientation(), role).toString();
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

double BackendHeader::nameRoom(int section) const
{
    const QString tag = tagOf(section);
    return sectionSize(section) - headingTagMargin - (tag.isEmpty() || isStacked() ? 0 : tagWidth(tag) + 8);
}

QSize BackendHeader::sectionSizeFromContents(int section) const
{
    if (model() == nullptr)
        return {};
    const QString tag = weightsText(WeightsKind::Untrained);  // the longest: widths do not change as tags come
    if (!isStacked())
        return {int(nameWidth(section) + tagWidth(tag) + 30), sectionHeight()};
    const QString network = model()->headerData(section, orientation(), RunTableModel::NetworkRole).toString();
    const double below = headingNameAt
                         + QFontMetricsF(fontFor(Type::Small)).horizontalAdvance(network + u" · "_s + tag);
    return {int(std::max(nameWidth(section), below) + headingTagMargin), sectionHeight()};
}

bool BackendHeader::isStacked() const
{
    if (model() == nullptr || count() == 0)
        return false;
    if (!model()->headerData(0, orientation(), RunTableModel::NetworkRole).toString().isEmpty())
        return true;
    if (orientation() == Qt::Vertical)
        return false;
    for (int section = 0; section < count(); ++section)
        if (nameWidth(section) + 8 + tagWidth(weightsText(WeightsKind::Untrained)) + headingTagMargin
            > sectionSize(section))
            return true;
    return false;
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
    if (across || section > 0)
        painter->fillRect(QRect(rect.left(), across ? rect.bottom() : rect.top(), rect.width(), 1), theme.line);
    if (section == m_chosen)
        painter->fillRect(across ? QRect(rect.left() + 1, rect.top(), rect.width() - 1, 3)
                                 : QRect(rect.left(), rect.top(), 3, rect.height() - 1),
                          theme.backend(backend));
    const QString tag = tagOf(section);
    const QFontMetricsF nameMetrics(fontFor(Type::Value)), tagMetrics(fontFor(Type::Small));
    const bool below = isStacked();
    // Names go before tags: in narrow columns the tag is a word below the name.
    const double lines = nameMetrics.height() + tagMetrics.height();
    const double middle = below ? rect.top() + (rect.height() - lines) / 2 + nameMetrics.height() / 2
                                : rect.center().y() + 0.5;
    drawMark(*painter, backend, {rect.left() + 19.5, middle}, 11, theme);
    double right = rect.right() - headingTagMargin;
    if (!tag.isEmpty() && !below)
        right = drawTag(*painter, right, middle, tag, theme) - 8;
    if (!tag.isEmpty() && below)
        drawLine(*painter,
                 QRectF(rect.left() + headingNameAt, middle + nameMetrics.height() / 2,
                        std::max(0.0, right - rect.left() - headingNameAt), tagMetrics.height()),
                 tag, fontFor(Type::Small), theme.text2);
    const double left = rect.left() + headingNameAt;
    drawAttentionName(*painter,
                      QRectF(left, middle - nameMetrics.height() / 2, right - left, nameMetrics.height()),
                      held(RunTableModel::NameRole).toString(), held(RunTableModel::SamplesRole).toString(),
                      held(RunTableModel::ReferenceRole).toBool(), theme);
    painter->restore();
}

}
