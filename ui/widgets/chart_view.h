// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/data/quantity.h"

#include <QWidget>

#include <vector>

class QCustomPlot;
class QCPAbstractPlottable;

namespace attnscope::ui {

class RunTableModel;

/// One figure against another, a mark per backend, with the front of those that nothing beats in both; or bars of one figure.
class ChartView : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Pareto, Bars };
    ChartView(const RunTableModel& runs, QWidget* parent = nullptr);

    void setKind(Kind kind);
    void setQuantities(int x, int y);
    void setChosen(int column);
    int chosen() const { return m_chosen; }
    /// What is drawn, as text: for tests and screen readers.
    QString spoken() const;
    /// Columns on the front, from left to right.
    std::vector<int> front() const;
    bool saveAs(const QString& path);

signals:
    void chosenChanged(int column);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Point {
        int column = 0;
        Quantity::Value x, y;
    };
    void rebuild();
    void drawPareto();
    void drawBars();
    void addMark(const Point& point);
    void addErrorBar(double key, double value, const Quantity::Value& interval, bool alongKey, const QColor& colour);
    void addFront();
    void addLabels();
    void addNotice(const QString& sentence);
    void styleAxes();
    void setRange();
    int nearest(QPointF position, double within) const;
    QString tooltip(const Point& point) const;

    const RunTableModel& m_runs;
    QCustomPlot* m_plot;
    Kind m_kind = Kind::Pareto;
    int m_x = attentionTimeQuantity, m_y = relativeErrorQuantity;
    int m_chosen = -1, m_hovered = -1;
    std::vector<Point> m_points;
    bool m_pending = false;
};

}  // namespace attnscope::ui
