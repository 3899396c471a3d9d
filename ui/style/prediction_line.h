#pragma once

#include "ui/style/cell_values.h"
#include "ui/style/theme.h"

class QPainter;

namespace attnscope::ui {

/// Pixels of a line of paintPredictionLine and the gap below it.
int predictionLineHeight();
/// One class with its bar: behind the name, in the backend's colour, on a scale from 0 to 1.
void paintPredictionLine(QPainter& painter, const QRectF& row, const PredictionLine& line, const QString& backend,
                         const QFont& font, const Theme& theme);

}
