// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace attnscope::ui {

/// QCustomPlot draws everything once to know where things are, and again at every new size. Its ChartView asks for the places alone, and
/// draws anew soon after a new size anyway.
class ChartPlot : public QCustomPlot {
public:
    using QCustomPlot::QCustomPlot;

    /// Margins and ticks: what pixel positions need.
    void arrange() { updateLayout(); }

protected:
    void resizeEvent(QResizeEvent*) override { setViewport(rect()); }
};

}  // namespace attnscope::ui
