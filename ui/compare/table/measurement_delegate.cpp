#include "ui/compare/table/measurement_delegate.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/prediction_line.h"
#include "ui/style/qt_text.h"

#include <QAbstractItemView>
#include <QMouseEvent>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double figureLeft = 14;
constexpr double imageRoom = 200;  ///< narrower cells have lines alone

double detailRoom()
{
    return QFontMetricsF(fontFor(Type::BodyMedium)).horizontalAdvance(MeasurementDelegate::tr("Details")) + 12;
}

QString state(const QModelIndex& index, int role)
{
    return index.data(role).toString();
}

/// Width that values of this row need in this table, so that figures stand under each other.
double valueColumn(const QModelIndex& index, double cellWidth)
{
    const QFont font = fontFor(Type::Value);
    double width = std::max(cellWidth >= 200 ? 48.0 : 0.0, numberWidth(font, u"00.0"_s));
    const QAbstractItemModel& model = *index.model();
    for (int row = 0; row < model.rowCount(); ++row)
        width = std::max(
            width, numberWidth(font, model.index(row, index.column()).data(RunTableModel::ValueRole).toString()));
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
    const double from = cell.left() + std::min(figureLeft, margin),
                 valueEnd = from + valueColumn(index, cell.width());
    const auto delta = index.data(RunTableModel::DeltaRole).value<Delta>();
    // What does not fit next to the figure stands below it.
    const double aside = !stale.isEmpty()            ? QFontMetricsF(unitFont).horizontalAdvance(stale)
                         : delta.kind != Delta::None ? chipWidth(delta)
                                                     : 0;
    const bool below = aside > 0 && cell.height() >= MeasurementDelegate::twoLines()
                       && valueEnd + 4 + numberWidth(unitFont, unit) + 8 + aside > cell.right() - margin;
    const double middle = below ? cell.top() + cell.height() * 0.29 : cell.center().y(),
                 lower = cell.top() + cell.height() * 0.73;
    drawNumberTo(painter, valueEnd, middle, value, valueFont, stale.isEmpty() ? theme.text : theme.text2);
    painter.setFont(unitFont);
    painter.setPen(theme.text3);
    const double unitEnd = valueEnd + 4 + drawNumber(painter, {valueEnd + 4, baselineAt(valueFont, middle)}, unit);
    if (!stale.isEmpty()) {
        const QRectF place = below
                                 ? QRectF(from, lower - 9, cell.right() - 4 - from, 18)
                                 : QRectF(unitEnd + 8, cell.top(), cell.right() - 12 - unitEnd - 8, cell.height());
        drawLine(painter, place, stale, unitFont, theme.text3, below ? Qt::AlignLeft : Qt::AlignRight);
        return;
    }
    if (below)
        return drawChip(painter, from + chipWidth(delta), lower, delta, theme, true);
    drawChip(painter, cell.right() - margin, middle, delta, theme, cell.width() >= 132);
    const QVariant interval = index.data(RunTableModel::IntervalRole);
    const double trackLeft = std::max(unitEnd + 8, cell.left() + 108);
    const double trackRight = std::min(cell.right() - 12 - (delta.kind == Delta::None ? 0 : chipWidth(delta) + 8),
                                       trackLeft + 62 + std::max(0.0, cell.width() - 244) * 0.7);
    if (interval.isValid() && cell.width() >= 200 && trackRight - trackLeft >= 26)
        drawInterval(painter, QRectF(trackLeft, cell.top(), trackRight - trackLeft, cell.height()),
                     interval.value<Interval>(), state(index, RunTableModel::BackendRole), theme);
}

/// In the place of a figure: why there is none, or what failed, with a link to the whole sentence. Centred in `line`.
void drawCellNote(QPainter& painter, const QRectF& line, const QModelIndex& index, const Theme& theme)
{
    const QString note = state(index, RunTableModel::NoteRole);
    const bool failed = static_cast<CellState>(index.data(RunTableModel::StateRole).toInt()) == CellState::Failed;
    const double wanted = QFontMetricsF(fontFor(Type::Body)).horizontalAdvance(note)
                          + (failed ? 21 + 8 + detailRoom() : 0);
    if (line.height() >= MeasurementDelegate::twoLines() && wanted > line.width() - figureLeft - 12) {
        painter.setFont(fontFor(Type::Small));
        painter.setPen(failed ? theme.err : theme.text3);
        return painter.drawText(line.adjusted(8, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                                note);
    }
    if (!failed)
        return drawLine(painter, line.adjusted(figureLeft, 0, -12, 0), note, fontFor(Type::Body), theme.text3);
    drawIcon(painter, u"warn"_s, QRectF(line.left() + figureLeft, line.center().y() - 8, 16, 16), theme.err);
    drawLine(painter, line.adjusted(figureLeft + 21, 0, -detailRoom() - 8, 0), note, fontFor(Type::BodyMedium),
             theme.err);
    drawLine(painter, line.adjusted(0, 0, -12, 0), MeasurementDelegate::tr("Details"), fontFor(Type::BodyMedium),
             theme.accText, Qt::AlignRight);
}

bool isUpright(const QStyleOptionViewItem& option)
{
    return option.widget == nullptr || !option.widget->property("transposed").toBool();
}

bool isPredictions(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    return (isUpright(option) ? index.row() : index.column()) == int(Row::Predictions);
}

/// Ground, hairlines and keyboard focus that all cells share.
void drawCellFrame(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const Theme& theme = Theme::of(option.palette);
    const QRect cell = option.rect;
    if (!index.data(RunTableModel::StaleRole).toString().isEmpty())
        drawHatch(painter, cell, theme);
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (index.row() > 0)
        painter.fillRect(QRect(cell.left(), cell.top(), cell.width(), 1), theme.line);
    if (isUpright(option))
        painter.fillRect(QRect(cell.left(), cell.top(), 1, cell.height()), theme.line);
    if (view != nullptr && view->hasFocus() && view->currentIndex() == index)
        drawFocusRing(painter, QRectF(cell).adjusted(2, 1, -1, -2), 4, theme);
}

int footerHeight()
{
    return std::max(23, QFontMetrics(fontFor(Type::Body)).height() + 6);
}

QString moreText(const PredictionCell& cell)
{
    const int more = int(cell.lines.size()) - cell.shown;
    if (more > 0)
        return MeasurementDelegate::tr("%1 more").arg(more);
    return cell.shown > 3 ? MeasurementDelegate::tr("Fewer") : QString();
}

/// Its pixels as they are, in a square. Returns how far what stands next to it moves.
double paintSmallImage(QPainter& painter, const QRectF& square, const QImage& image)
{
    if (image.isNull())
        return 0;
    const QSizeF size = QSizeF(image.size()).scaled(square.size(), Qt::KeepAspectRatio);
    painter.drawImage(QRectF(square.topLeft() + QPointF(0, (square.height() - size.height()) / 2), size), image);
    return size.width() + 8;
}

void paintPredictions(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QVariant held = index.data(RunTableModel::PredictionsRole);
    const double high = predictionLineHeight();
    if (!held.isValid())
        return drawCellNote(
            painter, {cell.left(), cell.top() + 7, cell.width(), std::min(cell.height() - 7, high)}, index, theme);
    const auto predictions = held.value<PredictionCell>();
    const QString backend = state(index, RunTableModel::BackendRole);
    if (cell.height() < MeasurementDelegate::predictionsHeight(2)) {
        // With several backends in a table there is room for the first prediction alone.
        const double aside = paintSmallImage(
            painter, {cell.left() + 8, cell.top() + 5, cell.height() - 10, cell.height() - 10}, predictions.image);
        const QRectF row(cell.left() + 8 + aside, cell.center().y() - 11, cell.width() - 16 - aside, 22);
        return paintPredictionLine(painter, row, predictions.lines.front(), backend, fontFor(Type::BodyMedium),
                                   theme);
    }
    double y = cell.top() + 7;
    const double lines = std::min(predictions.shown, int(predictions.lines.size())) * high - 3;
    const bool hasImage = cell.width() >= imageRoom;
    const double aside = hasImage
                             ? paintSmallImage(painter, {cell.left() + 12, y, lines, lines}, predictions.image)
                             : 0;
    for (int i = 0; i < std::min(predictions.shown, int(predictions.lines.size())); ++i, y += high)
        paintPredictionLine(painter, QRectF(cell.left() + 11 + aside, y, cell.width() - 24 - aside, high - 3),
                            predictions.lines[i], backend, fontFor(i == 0 ? Type::BodyStrong : Type::Body), theme);
    const QRectF footer(cell.left() + 13, y, cell.width() - 26, footerHeight());
    const QString more = moreText(predictions);
    drawLine(painter, footer, more, fontFor(Type::BodyMedium), theme.accText);
    const double moreWidth = QFontMetricsF(fontFor(Type::BodyMedium)).horizontalAdvance(more) + 12;
    QStringList footers{predictions.footer, predictions.shortFooter};
    const auto shownLines = predictions.lines.first(
        std::min<qsizetype>(predictions.shown, predictions.lines.size()));
    if (std::ranges::any_of(shownLines, &PredictionLine::differs))
        for (const QString& one : {predictions.shortFooter, predictions.footer})
            footers.prepend(MeasurementDelegate::tr("%1 · ≠ differs").arg(one));
    while (footers.size() > 1
           && QFontMetricsF(fontFor(Type::Small)).horizontalAdvance(footers.front()) > footer.width() - moreWidth)
        footers.removeFirst();
    const QString text = predictions.hiddenNames ? MeasurementDelegate::tr("untrained, class names hidden")
                                                 : footers.front();
    drawLine(painter, footer.adjusted(moreWidth, 0, 0, 0), text, fontFor(Type::Small),
             predictions.hiddenNames ? theme.warn : theme.text3, Qt::AlignRight);
}

}

int MeasurementDelegate::rowHeight()
{
    return std::max(34, QFontMetrics(fontFor(Type::Value)).height() + 12);
}

int MeasurementDelegate::twoLines()
{
    return std::max(40,
                    QFontMetrics(fontFor(Type::Value)).height() + QFontMetrics(fontFor(Type::Small)).height() + 6);
}

int MeasurementDelegate::predictionsHeight(int lines)
{
    return 7 + lines * predictionLineHeight() + footerHeight();
}

QSize MeasurementDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (!isPredictions(option, index))
        return {160, rowHeight()};
    return {160, predictionsHeight(index.data(RunTableModel::PredictionsRole).value<PredictionCell>().shown)};
}

void MeasurementDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const
{
    const Theme& theme = Theme::of(option.palette);
    const QRectF cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    drawCellFrame(*painter, option, index);
    const auto now = static_cast<CellState>(index.data(RunTableModel::StateRole).toInt());
    if (isPredictions(option, index))
        paintPredictions(*painter, cell, index, theme);
    else if (now == CellState::Measuring)
        paintMeasuring(*painter, cell, index, theme);
    else if (now == CellState::Failed || !state(index, RunTableModel::NoteRole).isEmpty())
        drawCellNote(*painter, cell, index, theme);
    else
        paintFigure(*painter, cell, index, theme);
    painter->restore();
}

bool MeasurementDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                      const QModelIndex& index)
{
    if (event->type() != QEvent::MouseButtonRelease)
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    const QPointF at = static_cast<QMouseEvent*>(event)->position();
    const bool first = isPredictions(option, index);
    const bool failed = static_cast<CellState>(index.data(RunTableModel::StateRole).toInt()) == CellState::Failed;
    if (failed && (first || !isUpright(option) || at.x() > option.rect.right() - 12 - detailRoom()))
        emit detailsRequested(index.data(RunTableModel::DetailRole).toString());
    else if (first && at.y() > option.rect.bottom() - footerHeight() && at.x() < option.rect.center().x())
        emit moreRequested();
    else
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    return true;
}

}
