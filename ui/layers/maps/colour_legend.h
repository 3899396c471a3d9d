#pragma once

#include "core/figure/chart.h"

#include <QWidget>

namespace attnscope::ui {

/// A bar of colours with its ends and some numbers between them.
class ColourLegend : public QWidget {
    Q_OBJECT
public:
    ColourLegend(HeatColours colours, AxisScale scale, QWidget* parent = nullptr);
    void setColours(HeatColours colours) { m_colours = colours; }
    /// Of a difference: `high` alone counts, the scale is symmetric.
    void setRange(const QString& title, double low, double high);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    double place(double value) const;
    std::vector<double> numbers() const;

    HeatColours m_colours;
    AxisScale m_scale;
    QString m_title;
    double m_low = 0, m_high = 0;
};

}
