#pragma once

#include "ui/style/theme.h"

#include "core/figure/chart.h"

#include <QList>
#include <QPixmap>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>

class QPainter;

/// What the drawings of empty screens are made of: charts without figures.
namespace attnscope::ui {

/// Of a chart of values from 0 to 1, without numbers.
using SketchPainter =
    std::function<void(QPainter& painter, const QRectF& area, const Theme& theme, const QStringList& backends)>;

struct SketchPoint {
    const char* backend;
    double x = 0, y = 0;  ///< from 0 to 1
    bool front = false;   ///< joined with the others that are
    QString name = {};    ///< empty: the backend
};
/// Marks with names, and the dashed line through the front.
SketchPainter sketchFront(const QList<SketchPoint>& points);

struct SketchLine {
    const char* backend;
    double first, last;  ///< from 0 to 1
    double bend = 0;
    QString name = {};  ///< empty: the backend
    SeriesLine line = SeriesLine::OfBackend;
};
/// Lines with names.
SketchPainter sketchCurves(const QList<SketchLine>& lines);

/// The photograph that empty screens show.
QPixmap demoPhoto();
/// A part of it, with rounded corners.
void drawSketchPhoto(QPainter& painter, const QRectF& place, double radius, const QPixmap& photo,
                     const QRectF& source);

}
