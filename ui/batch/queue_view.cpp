#include "ui/batch/queue_view.h"

#include "ui/batch/queue_model.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double queueLeft = 14;
constexpr int actionsWidth = 60;

QueueState stateOf(const QModelIndex& index)
{
    return static_cast<QueueState>(index.data(QueueModel::StateRole).toInt());
}

quint64 evaluationAt(const QModelIndex& index)
{
    return index.data(QueueModel::EvaluationRole).toULongLong();
}

QString textOf(const QModelIndex& index, int role)
{
    return index.data(role).toString();
}

/// By QueueState: the icon that says how it is.
struct StateIcon {
    const char* name;
    QColor Theme::*colour;
};
constexpr StateIcon stateIcons[]{{"", &Theme::text3},      {"warn", &Theme::err},    {"", &Theme::text3},
                                 {"", &Theme::text3},      {"run", &Theme::accText}, {"run", &Theme::accText},
                                 {"pause", &Theme::text2}, {"warn", &Theme::warn},   {"pause", &Theme::text2},
                                 {"pause", &Theme::text2}, {"check", &Theme::ok},    {"warn", &Theme::err}};
static_assert(std::size(stateIcons) == size_t(QueueState::Failed) + 1);

int queueRowHeight()
{
    return std::max(44, QFontMetrics(fontFor(Type::Value)).height() + QFontMetrics(fontFor(Type::Small)).height()
                            + 10);
}

/// Of a cell of the last column: the two things to click.
QRect playRect(const QRect& cell)
{
    return {cell.right() - actionsWidth + 2, cell.center().y() - 11, 24, 24};
}

QRect moreRect(const QRect& cell)
{
    return {cell.right() - actionsWidth + 30, cell.center().y() - 11, 24, 24};
}

void paintRun(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QString backend = textOf(index, QueueModel::NameRole), samples = textOf(index, QueueModel::SamplesRole);
    const QFont name = fontFor(Type::Value), light = fontFor(Type::ValueLight), small = fontFor(Type::Small);
    const double first = QFontMetricsF(name).height(), second = QFontMetricsF(small).height();
    const double top = cell.center().y() - (first + second) / 2, x = cell.left() + queueLeft + 24;
    drawMark(painter, textOf(index, QueueModel::BackendRole), {cell.left() + queueLeft + 7, top + first / 2}, 11,
             theme);
    const double room = cell.right() - x - 6;
    const double wide = std::min(room, QFontMetricsF(name).horizontalAdvance(backend));
    drawLine(painter, QRectF(x, top, wide + 1, first), backend, name, theme.text);
    double next = x + wide + 5;
    if (!samples.isEmpty() && cell.right() - next > 20) {
        const double width = std::min(cell.right() - next - 6,
                                      QFontMetricsF(light).horizontalAdvance(samples) + 2);
        drawLine(painter, QRectF(next, top, width, first), samples, light, theme.text2);
        next += width + 4;
    }
    if (index.data(QueueModel::ReferenceRole).toBool() && cell.right() - next > 16)
        drawIcon(painter, u"star"_s, QRectF(next, top + first / 2 - 6, 12, 12), theme.accText);
    drawLine(painter, QRectF(x, top + first, room, second), textOf(index, QueueModel::SecondLineRole), small,
             theme.text2);
}

void paintProgress(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QueueState state = stateOf(index);
    const StateIcon& icon = stateIcons[size_t(state)];
    if (*icon.name != '\0')  // nothing goes on yet
        drawIcon(painter, QString::fromLatin1(icon.name), QRectF(cell.left() + 2, cell.center().y() - 8, 16, 16),
                 theme.*icon.colour);
    const double height = QFontMetricsF(fontFor(Type::Body)).height();
    const double top = cell.center().y() - (height + 9) / 2;
    const QRectF text(cell.left() + 28, top, cell.width() - 36, height);
    drawLine(painter, text, index.data().toString(), fontFor(Type::Body),
             index.data(QueueModel::PartRole).toDouble() > 0 ? theme.text : theme.text2);
    const QRectF track(text.left(), top + height + 5, std::min(170.0, text.width()), 4);
    const bool runs = state == QueueState::Running || state == QueueState::Loading;
    drawProgress(painter, track, index.data(QueueModel::PartRole).toDouble(), theme,
                 runs ? theme.progress : theme.ctl);
}

void paintTop1(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QString note = textOf(index, QueueModel::NoteRole);
    if (!note.isEmpty()) {
        const bool failed = stateOf(index) == QueueState::Failed || stateOf(index) == QueueState::Refused;
        drawLine(painter, cell.adjusted(6, 0, -6, 0), note, fontFor(Type::Body), failed ? theme.err : theme.text2,
                 failed ? Qt::AlignLeft : Qt::AlignRight);
        return;
    }
    const QFont value = fontFor(Type::Value), small = fontFor(Type::Small);
    const QString interval = textOf(index, QueueModel::IntervalTextRole),
                  figure = textOf(index, QueueModel::ValueRole);
    const double intervalWide = numberWidth(small, u"[00.00, 00.00]"_s);
    double right = cell.right() - 6;
    painter.setFont(small);
    painter.setPen(theme.text2);
    drawNumber(painter, {right - numberWidth(small, interval), baselineAt(value, cell.center().y())}, interval);
    right -= intervalWide + 12;
    drawNumberTo(painter, right, cell.center().y(), figure, value, theme.text);
    right -= numberWidth(value, u"100.00"_s) + 8;
    const auto delta = index.data(QueueModel::DeltaRole).value<Delta>();
    if (delta.kind == Delta::Overlap && right - cell.left() > 26)
        drawChip(painter, right, cell.center().y(), delta, theme, false);
    right -= 30;
    const QVariant shown = index.data(QueueModel::IntervalRole);
    if (shown.isValid() && right - cell.left() > 40)
        drawInterval(painter,
                     QRectF(cell.left() + 6, cell.top(), std::min(96.0, right - cell.left() - 6), cell.height()),
                     shown.value<Interval>(), textOf(index, QueueModel::BackendRole), theme);
}

void paintTime(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    drawLine(painter, cell.adjusted(4, 0, -actionsWidth - 4, 0), index.data().toString(), fontFor(Type::Body),
             theme.text2, Qt::AlignRight);
    if (!index.data(QueueModel::ReferenceRole).toBool())
        return;  // what can be done is done to all attentions of an evaluation
    const QueueState state = stateOf(index);
    const bool stops = state == QueueState::Running || state == QueueState::Loading || state == QueueState::Resting
                       || state == QueueState::Waiting;
    const bool goes = state == QueueState::Paused || state == QueueState::Failed || state == QueueState::Ready
                      || state == QueueState::NoSpace;
    if (stops || goes)
        drawIcon(painter, stops ? u"pause"_s : u"run"_s, QRectF(playRect(cell.toRect())).adjusted(4, 4, -4, -4),
                 theme.text2);
    drawIcon(painter, u"more"_s, QRectF(moreRect(cell.toRect())).adjusted(4, 4, -4, -4), theme.text2);
}

/// Paints the rows of a QueueModel: mark and name, progress, accuracy with its interval, what can be done.
class QueueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {120, queueRowHeight()};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = Theme::of(option.palette);
        const QRectF cell = option.rect;
        painter->save();
        painter->setClipRect(cell);
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(cell, theme.sel);
        if (index.row() > 0) {
            const bool sameEvaluation = !index.data(QueueModel::ReferenceRole).toBool();
            painter->fillRect(QRectF(cell.left() + (sameEvaluation && index.column() == 0 ? queueLeft + 24 : 0),
                                     cell.top(), cell.width(), 1),
                              theme.line);
        }
        switch (index.column()) {
        case QueueModel::RunColumn:
            paintRun(*painter, cell, index, theme);
            break;
        case QueueModel::ProgressColumn:
            paintProgress(*painter, cell, index, theme);
            break;
        case QueueModel::Top1Column:
            paintTop1(*painter, cell, index, theme);
            break;
        case QueueModel::TimeColumn:
            paintTime(*painter, cell, index, theme);
            break;
        default: {
            const bool link = index.column() == QueueModel::UnreadableColumn && index.data().toString() != "0"_L1
                              && index.data().toString() != u"—"_s;
            drawLine(*painter, cell.adjusted(4, 0, -8, 0), index.data().toString(), fontFor(Type::Body),
                     link ? theme.accText : theme.text, Qt::AlignRight);
        }
        }
        painter->restore();
    }
};

}

QueueView::QueueView(QWidget* parent)
    : QTableView(parent)
{
    plainTable(*this, tr("Evaluations"));
    setItemDelegate(new QueueDelegate(this));
    setWordWrap(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->setDefaultSectionSize(queueRowHeight());
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setFont(fontFor(Type::SmallMedium));
    horizontalHeader()->setMinimumHeight(34);
    horizontalHeader()->setProperty("labelPadding", 8);
}

/// Fixed where figures stand; name and progress share the rest.
void QueueView::fitColumns()
{
    const QFontMetrics small(fontFor(Type::SmallMedium)), body(fontFor(Type::Body));
    const int interval = int(numberWidth(fontFor(Type::Small), u"[00.00, 00.00]"_s)
                             + numberWidth(fontFor(Type::Value), u"100.00"_s))
                         + 32;
    const bool roomy = viewport()->width() > 860;
    const int top5 = std::max(small.horizontalAdvance(tr("Top-5 %")), body.horizontalAdvance(u"00.00"_s)) + 22;
    const int unreadable = small.horizontalAdvance(tr("Unreadable")) + 22;
    const int time = body.horizontalAdvance(tr("about 59 min")) + actionsWidth + 16;
    const int first = interval + (roomy ? 110 : 34);
    const int rest = std::max(260, viewport()->width() - top5 - unreadable - time - first);
    const int widths[]{rest * 56 / 100, rest - rest * 56 / 100, first, top5, unreadable, time};
    for (int column = 0; column < int(std::size(widths)); ++column)
        setColumnWidth(column, widths[column]);
}

void QueueView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void QueueView::keyPressEvent(QKeyEvent* event)
{
    const QModelIndex index = currentIndex();
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (!index.isValid())
        return QTableView::keyPressEvent(event);
    if (event->key() == Qt::Key_Space)
        emit pauseRequested(evaluationAt(index));
    else if (event->key() == Qt::Key_Delete)
        emit removeRequested(evaluationAt(index));
    else if (control && event->key() == Qt::Key_Up)
        emit moveRequested(evaluationAt(index), -1);
    else if (control && event->key() == Qt::Key_Down)
        emit moveRequested(evaluationAt(index), 1);
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit menuRequested(evaluationAt(index), viewport()->mapToGlobal(visualRect(index).bottomLeft()));
    else
        QTableView::keyPressEvent(event);
}

void QueueView::mouseReleaseEvent(QMouseEvent* event)
{
    QTableView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->pos());
    if (!index.isValid() || event->button() != Qt::LeftButton)
        return;
    const QRect cell = visualRect(index);
    if (index.column() == QueueModel::UnreadableColumn)
        emit unreadableRequested();
    if (index.column() != QueueModel::TimeColumn || !index.data(QueueModel::ReferenceRole).toBool())
        return;
    if (playRect(cell).contains(event->pos()))
        emit pauseRequested(evaluationAt(index));
    else if (moreRect(cell).contains(event->pos()))
        emit menuRequested(evaluationAt(index), event->globalPosition().toPoint());
}

void QueueView::contextMenuEvent(QContextMenuEvent* event)
{
    const QModelIndex index = indexAt(event->pos());
    if (index.isValid())
        emit menuRequested(evaluationAt(index), event->globalPos());
}

}
