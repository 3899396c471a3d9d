// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/theme.h"

#include <QList>
#include <QRectF>
#include <QString>

class QPainter;

/// What the pictures of empty screens are made of: charts without figures.
namespace attnscope::ui {

/// Four lines and the bottom axis.
void drawSketchGrid(QPainter& painter, const QRectF& area, const Theme& theme);

struct SketchPoint {
    QString backend, name;
    double x = 0, y = 0;  ///< shares of the area, from its lower left
    bool front = false;   ///< joined with the others that are
};

/// Marks with names, and the dashed line through the front.
void drawSketchFront(QPainter& painter, const QRectF& area, const QList<SketchPoint>& points, const Theme& theme);

}  // namespace attnscope::ui
