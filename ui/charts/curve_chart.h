// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_widget.h"
#include "ui/charts/train_curves.h"

#include <vector>

namespace attnscope::ui {

/// A line of a CurveChart, in the colour of a backend.
struct Curve {
    enum class Look {
        Faint,  ///< thin and pale, without a name: single steps
        Dashed,
        Marked,  ///< with the backend's mark at each point
        Level,   ///< one value over the whole width
    };
    QString name;  ///< written at the line's end
    QString backend;
    Look look = Look::Marked;
    CurvePoints points;
};

/// Lines over epochs (or other steps) that grow while a job runs, each named at its end.
class CurveChart : public PlotWidget {
    Q_OBJECT
public:
    /// `least` and `most` bound the vertical axis, whatever is drawn.
    CurveChart(const QString& title, double least, double most, QWidget* parent = nullptr);

    /// What the horizontal axis counts ("layer", which hovering names each point by) and is called; epochs unless told.
    void setSteps(const QString& axis, const QString& step);
    /// Drawn at the end of this turn of the event loop at the earliest, and ten times a second at most.
    void setCurves(std::vector<Curve> curves, double epochs);
    QString title() const { return m_title; }
    /// The latest values.
    QString spoken() const override;
    bool saveAs(const QString& path) { return savePlot(path); }
    QSize sizeHint() const override { return {360, 200}; }

protected:
    void draw(const Theme& theme) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void styleAxes(const Theme& theme);
    void setRange();
    void addCurve(const Curve& curve, const Theme& theme);
    void addNames(const Theme& theme);
    int nameRoom() const;
    void showNearest(const QPointF& position, const QPoint& global);

    QString m_title, m_axis, m_step;
    double m_least, m_most, m_epochs = 1;
    std::vector<Curve> m_curves;
};

}  // namespace attnscope::ui
