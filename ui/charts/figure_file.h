// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/chart.h"

#include <QByteArray>
#include <QString>

namespace attnscope::ui {

/// A figure as core/figure draws it: SVG, PNG (twice the size) or its numbers as CSV, by the suffix; light, whatever the theme. Written to
/// a temporary file and renamed. Returns a sentence when that failed.
QString writeFigure(const QString& path, const Chart& chart);
QString writeFigure(const QString& path, const HeatMap& map);

/// By way of a temporary file, so that none is half written. Returns a sentence when that failed.
QString writeBytes(const QString& path, const QByteArray& bytes);

}  // namespace attnscope::ui
