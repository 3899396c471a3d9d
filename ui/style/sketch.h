// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/theme.h"

#include <QList>
#include <QPixmap>
#include <QRectF>
#include <QString>

class QPainter;

/// What the drawings of empty screens are made of: charts without figures.
namespace attnscope::ui {

/// Four lines and the bottom axis.
void drawSketchGrid(QPainter& painter, const QRectF& area, const Theme& theme);

struct SketchPoint {
    const char* backend;
    double x = 0, y = 0;  ///< fractions of the area, from its lower left
    bool front = false;   ///< joined with the others that are
    QString name = {};    ///< empty: the backend
};

/// Marks with names, and the dashed line through the front.
void drawSketchFront(QPainter& painter, const QRectF& area, const QList<SketchPoint>& points, const Theme& theme);

/// The photograph that empty screens show.
QPixmap demoPhoto();
/// A part of it, with rounded corners.
void drawSketchPhoto(QPainter& painter, const QRectF& place, double radius, const QPixmap& photo, const QRectF& source);

}  // namespace attnscope::ui
