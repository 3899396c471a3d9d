// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/data/train_curves.h"

#include <QWidget>

#include <vector>

class QCustomPlot;

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
class CurveChart : public QWidget {
    Q_OBJECT
public:
    /// `least` and `most` bound the vertical axis, whatever is drawn.
    CurveChart(const QString& title, double least, double most, QWidget* parent = nullptr);

    /// What the horizontal axis counts ("layer", which hovering names each point by) and is called; epochs unless told.
    void setSteps(const QString& axis, const QString& step);
    /// Drawn at the end of this turn of the event loop at the earliest, and ten times a second at most.
    void setCurves(std::vector<Curve> curves, double epochs);
    /// What stands in the middle as long as there is no point.
    void setNotice(const QString& sentence);
    QString title() const { return m_title; }
    /// The latest values, as text: for tests and screen readers.
    QString spoken() const;
    bool saveAs(const QString& path);
    QSize sizeHint() const override { return {360, 200}; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void later();
    void rebuild();
    void styleAxes();
    void setRange();
    void addCurve(const Curve& curve);
    void addNames();
    void addNotice();
    int nameRoom() const;
    void showNearest(const QPointF& position, const QPoint& global);

    QString m_title, m_notice, m_axis, m_step;
    double m_least, m_most, m_epochs = 1;
    std::vector<Curve> m_curves;
    QCustomPlot* m_plot;
    bool m_pending = false;
};

}  // namespace attnscope::ui
