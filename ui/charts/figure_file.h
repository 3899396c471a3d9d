#pragma once

#include "core/figure/drawing.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

class QPainter;

namespace attnscope::ui {

/// A figure of core/figure in the window's fonts, from (0, 0) in the painter's coordinates.
void paint(QPainter& painter, const Drawing& drawing, bool dark);
/// The size of texts that `paint` paints.
TextSize paintedSize(std::string_view text, TextStyle style);

/// A figure as core/figure draws it: SVG, PNG (twice the size), PDF or its numbers as CSV, by the suffix; light, whatever the theme.
/// Written to a temporary file and renamed. Returns a sentence when that failed.
QString writeFigure(const QString& path, const Chart& chart, FigureOptions options = {});
QString writeFigure(const QString& path, const HeatMap& map);

/// Files are written as what their suffix says, and as nothing else: the sentence that refuses one that is none of `formats`, however it is
/// capitalised. Empty: it is one of them.
QString refusedFormat(const QString& path, const QStringList& formats);

/// A name to propose for a file: "attnscope-deit-cat-2026-11-28.csv" of the parts that are not empty.
QString exportName(QStringList parts, const QString& suffix);

/// By way of a temporary file, so that none is half written. Returns a sentence when that failed.
QString writeBytes(const QString& path, const QByteArray& bytes);

}
