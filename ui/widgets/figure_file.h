// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/chart.h"

#include <QString>

namespace attnscope::ui {

/// A figure as core/figure draws it: SVG, PNG (twice the size) or its numbers as CSV, by the suffix; light, whatever the theme. Written to
/// a temporary file and renamed. Returns a sentence when that failed.
QString writeFigure(const QString& path, const Chart& chart);
QString writeFigure(const QString& path, const HeatMap& map);

}  // namespace attnscope::ui
