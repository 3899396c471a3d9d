// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_widget.h"

#include "core/figure/chart.h"

#include <QStringList>

#include <vector>

namespace attnscope::ui {

/// A chart of core/figure in the window: what svg() writes and csv() lists, with values under the pointer and the arrow keys.
class FigureView : public PlotWidget {
    Q_OBJECT
public:
    explicit FigureView(const QString& name, QWidget* parent = nullptr);

    void setChart(Chart chart);
    const Chart& chart() const { return m_chart; }
    /// Series that are left out, by name; the chart keeps them.
    void setHidden(const QStringList& names);
    /// Where the numbers of the horizontal axis stand; empty: at the points' places where those are few, else at round ones.
    void setPlaces(const std::vector<std::int64_t>& places);
    QString spoken() const override;
    /// What the pointer or the arrow keys are at; empty: nothing.
    QString current() const;
    /// PNG (twice the size), SVG, PDF or CSV, by the suffix; light, whatever the theme. Empty, or what is wrong.
    QString saveAs(const QString& path);
    QSize sizeHint() const override { return {360, 220}; }

protected:
    void draw(const Theme& theme) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A mark as it lies on the screen.
    struct Target {
        std::size_t series = 0;
        QPointF at;
        QString words;
    };

    std::vector<const ChartSeries*> shown() const;
    bool isDrawn(const ChartPoint& point) const;
    void styleAxes(const Theme& theme);
    void setTicks(const std::vector<const ChartSeries*>& series);
    void addSeries(const ChartSeries& series, const Theme& theme);
    void addBand(const ChartSeries& series, const Theme& theme);
    void addWhiskers(const ChartSeries& series, const Theme& theme);
    void addLevelName(const ChartSeries& series, double x, double y, const Theme& theme);
    void addFront(const Theme& theme);
    /// Crosses at the top edge for what has no value, below each other where several have none.
    void addMissing(const std::vector<const ChartSeries*>& series, const Theme& theme);
    void collectTargets(const std::vector<const ChartSeries*>& series);
    void showRing();
    void moveTo(int target, const QPoint& tipAt);

    QWidget* m_ring;
    Chart m_chart;
    QStringList m_hidden;
    std::vector<double> m_places;
    std::vector<Target> m_targets;
    int m_current = -1;
};

}  // namespace attnscope::ui
