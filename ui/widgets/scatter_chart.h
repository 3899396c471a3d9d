// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/plot_widget.h"

#include <QList>

#include <vector>

namespace attnscope::ui {

/// One run as a mark.
struct ScatterPoint {
    qint64 key = 0;
    QString name, backend;
    double x = 0, xLow = 0, xHigh = 0;  ///< equal: no interval
    double y = 0, yLow = 0, yHigh = 0;
    QString xText, yText;
    bool published = false;  ///< a hollow mark, never on the front
};

struct ScatterAxis {
    QString title;
    enum class Better { Low, High } better = Better::Low;
};

/// Points under two quantities, with the front of those that nothing beats in both.
class ScatterChart : public PlotWidget {
    Q_OBJECT
public:
    explicit ScatterChart(const QString& name, QWidget* parent = nullptr);

    void setPoints(std::vector<ScatterPoint> points, const ScatterAxis& x, const ScatterAxis& y);
    void setChosen(qint64 key);
    /// Shown where there is no point.
    void setNotice(const QString& sentence);
    /// Keys of the front, by x.
    QList<qint64> front() const;
    QString spoken() const override;
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
    void setRanges();
    void addIntervals(const ScatterPoint& point, const Theme& theme);
    void addMark(const ScatterPoint& point, const Theme& theme);
    void addFront(const Theme& theme);
    void addLabels(const Theme& theme);
    const ScatterPoint* nearest(QPointF position) const;
    QString tooltip(const ScatterPoint& point) const;

    std::vector<ScatterPoint> m_points;
    ScatterAxis m_x, m_y;
    qint64 m_chosen = 0, m_hovered = 0;
    QString m_notice;
};

}  // namespace attnscope::ui
