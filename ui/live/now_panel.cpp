#include "ui/live/now_panel.h"

#include "ui/live/live_rows_model.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/prediction_line.h"
#include "ui/style/qt_text.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

int headHeight()
{
    return std::max(26, QFontMetrics(fontFor(Type::Value)).height() + 6);
}

}

NowPanel::NowPanel(const LiveRowsModel& rows, QWidget* parent)
    : QWidget(parent)
    , m_rows(rows)
{
    setAccessibleName(tr("Current predictions"));
    setMinimumWidth(240);
    connect(&rows, &LiveRowsModel::predictionsChanged, this, &NowPanel::refresh);
}

void NowPanel::refresh()
{
    QStringList spoken;
    for (int row = 0; row < m_rows.rowCount(); ++row) {
        const PredictionCell cell = m_rows.now(row);
        if (!cell.lines.isEmpty())
            spoken << tr("%1: %2, %3")
                          .arg(m_rows.column(row).name(), cell.lines.front().name,
                               cell.lines.front().probabilityText);
    }
    setAccessibleDescription(spoken.join(u"; "_s));
    update();
}

int NowPanel::linesShown() const
{
    const int rows = std::max(1, m_rows.rowCount());
    const int room = (height() - rows * (headHeight() + 4)) / rows;
    return std::clamp(room / predictionLineHeight(), 1, 3);
}

void NowPanel::paintBackend(QPainter& painter, const QRectF& area, int row, int lines) const
{
    const Theme& theme = Theme::of(palette());
    const ColumnSpec& column = m_rows.column(row);
    const double middle = area.top() + headHeight() / 2.0;
    drawMark(painter, column.lookKey(), {area.left() + 7, middle}, 11, theme);
    drawAttentionName(painter, QRectF(area.left() + 22, area.top(), area.width() - 22, headHeight()),
                      column.backend, column.detail(), column.reference, theme);
    const PredictionCell cell = m_rows.now(row);
    const double high = predictionLineHeight();
    const QRectF first(area.left(), area.top() + headHeight(), area.width(), high - 3);
    if (!m_rows.failure(row).isEmpty()) {
        drawIcon(painter, u"warn"_s, QRectF(first.left(), first.center().y() - 8, 16, 16), theme.err);
        painter.setFont(fontFor(Type::Body));
        painter.setPen(theme.err);
        painter.drawText(QRectF(first.left() + 21, first.top(), first.width() - 21, area.bottom() - first.top()),
                         Qt::TextWordWrap, m_rows.failure(row));
        return;
    }
    if (cell.lines.isEmpty())
        drawLine(painter, first, m_rows.waiting(), fontFor(Type::Body), theme.text3);
    for (int i = 0; i < std::min<int>(lines, int(cell.lines.size())); ++i)
        paintPredictionLine(painter, first.translated(0, i * high), cell.lines[i], column.lookKey(),
                            fontFor(i == 0 ? Type::BodyStrong : Type::Body), theme);
}

void NowPanel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int rows = m_rows.rowCount();
    if (rows == 0) {
        drawLine(painter, rect().adjusted(12, 0, -12, 0), tr("Select a backend to see its predictions."),
                 fontFor(Type::Body), Theme::of(palette()).text3, Qt::AlignHCenter);
        return;
    }
    const int lines = linesShown();
    const double block = headHeight() + lines * predictionLineHeight();
    const double gap = std::clamp((height() - rows * block) / std::max(1, rows), 4.0, 18.0);
    double y = std::max(0.0, (height() - rows * block - (rows - 1) * gap) / 2);
    for (int row = 0; row < rows; ++row, y += block + gap)
        paintBackend(painter, QRectF(0, y, width(), block), row, lines);
}

}
