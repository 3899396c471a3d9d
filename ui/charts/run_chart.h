// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_widget.h"
#include "ui/charts/run_point.h"

#include <QList>

#include <vector>

class QCPAxis;

namespace attnscope::ui {

class CaptionCombo;

/// Runs as marks under two quantities, with the front of those that nothing beats in both; or as bars of one.
class RunChart : public PlotWidget {
    Q_OBJECT
public:
    enum class Form { Marks, Bars };
    static constexpr qint64 none = -1;

    explicit RunChart(const QString& name, QWidget* parent = nullptr);

    void setForm(Form form);
    /// Of both axes of marks. Automatic: an axis is logarithmic where its values are too far apart to be told from each other else.
    enum class Scale { Automatic, Linear, Logarithmic };
    void setScale(Scale scale);
    /// Which axes are logarithmic, in words that stand above the plot; empty: none is.
    QString scaleNote() const;
    /// As bars, points are shown in this order, and x is not looked at.
    void setPoints(std::vector<RunPoint> points, const RunAxis& x, const RunAxis& y);
    void setChosen(qint64 key);
    qint64 chosen() const { return m_chosen; }
    /// Keys of the front, by x.
    QList<qint64> front() const;
    QString spoken() const override;
    /// Where the mark of a run was drawn, in pixels of the plot.
    QPointF markAt(qint64 key) const;
    /// PNG (twice the size), SVG or PDF, by the suffix; light, whatever the theme.
    bool saveAs(const QString& path) { return savePlot(path); }

signals:
    void chosenChanged(qint64 key);

protected:
    void draw(const Theme& theme) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void styleAxes(const Theme& theme);
    void drawMarks(const Theme& theme);
    void drawBars(const Theme& theme);
    /// Where values lie on an axis of the plot: as they are, or their logarithm, with zero on a line of its own below.
    struct Places {
        bool log = false;
        double zero = 0;
        double at(double value) const;
    };
    std::vector<double> valuesOf(double RunPoint::*value) const;
    bool isLogarithmic(double RunPoint::*value) const;
    void setRanges();
    void setLogRange(QCPAxis& axis, Places& places, double least, double most, bool zero);
    void addScaleNote(const Theme& theme);
    void addInterval(double fromX, double fromY, double toX, double toY, const QColor& colour);
    void addMark(const RunPoint& point, const Theme& theme);
    void addFront(const Theme& theme);
    void addNames(const Theme& theme);
    void addName(const QString& name, QPointF mark, const QRectF& place, const Theme& theme);
    QPointF pixel(double x, double y) const;
    const RunPoint* nearest(QPointF position) const;
    QString tooltip(const RunPoint& point) const;

    Form m_form = Form::Marks;
    std::vector<RunPoint> m_points;
    RunAxis m_x, m_y;
    Places m_across, m_up;
    Scale m_scale = Scale::Automatic;
    qint64 m_chosen = none, m_hovered = none;
};

/// The choice of a chart's scale: it follows the box.
CaptionCombo* newScaleBox(RunChart& chart, QWidget* parent);

}  // namespace attnscope::ui
