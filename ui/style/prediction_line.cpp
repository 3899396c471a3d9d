#include "ui/style/prediction_line.h"

#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace attnscope::ui {

int predictionLineHeight()
{
    return std::max(21, QFontMetrics(fontFor(Type::Body)).height() + 4) + 3;
}

void paintPredictionLine(QPainter& painter, const QRectF& row, const PredictionLine& line, const QString& backend,
                         const QFont& font, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = std::max(2.0, row.width() * std::clamp(line.probability, 0.0, 1.0));
    drawRounded(painter, QRectF(row.left(), row.top(), width, row.height()), 3, theme.bar(backend));
    painter.restore();
    painter.fillRect(QRectF(row.left(), row.top(), 2, row.height()), theme.backend(backend));
    double x = row.left() + 9;
    if (line.differs) {
        QFont mark = fontFor(Type::BodyStrong);
        drawLine(painter, QRectF(row.left() + 7, row.top(), 14, row.height()), u"≠"_s, mark, theme.warn);
        x = row.left() + 24;
    }
    const double figure = numberWidth(font, line.probabilityText);
    const double right = row.right() - 8;
    drawLine(painter, QRectF(x, row.top(), right - figure - 8 - x, row.height()), line.name, font, theme.text);
    drawNumberTo(painter, right, row.center().y(), line.probabilityText, font, theme.text);
}

}
