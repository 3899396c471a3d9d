// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;
class QFont;

namespace attnscope::ui {

struct Theme;

/// The look that charts share: quiet axes, lines across for the values. `precision`: digits of the numbers at the axes.
void stylePlot(QCustomPlot& plot, const Theme& theme, const QFont& font, int precision);

}  // namespace attnscope::ui
