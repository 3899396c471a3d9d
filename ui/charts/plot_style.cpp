// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_style.h"

#include "ui/style/theme.h"

#include <qcustomplot.h>

namespace attnscope::ui {

void stylePlot(QCustomPlot& plot, const Theme& theme, const QFont& font, int precision)
{
    plot.setBackground(QBrush(theme.surface));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(theme.text2);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setSubTickLength(0);
        axis->setLabelFont(font);
        axis->setLabelColor(theme.text3);
        axis->setLabelPadding(2);
        axis->setNumberFormat(QStringLiteral("gb"));
        axis->setNumberPrecision(precision);
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setPen(QPen(theme.line, 1));
    }
    plot.xAxis->grid()->setVisible(false);
    plot.xAxis->setBasePen(QPen(theme.ctl, 1));
    plot.xAxis->setTickLabelPadding(5);
    plot.yAxis->setTickLabelPadding(8);
    plot.yAxis->setBasePen(Qt::NoPen);
}

}  // namespace attnscope::ui
