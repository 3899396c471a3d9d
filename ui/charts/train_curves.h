#pragma once

#include "core/figure/chart.h"
#include "core/train/training_progress.h"

#include <QString>
#include <QVector>

#include <optional>

namespace attnscope::ui {

struct CurvePoints {
    QVector<double> x;  ///< epochs
    QVector<double> y;
};

/// A line over the steps of something; hovering names each point by its `step` ("epoch", "layer").
ChartSeries curveSeries(const QString& name, const QString& backend, const QString& step,
                        const CurvePoints& points, SeriesLine line = SeriesLine::OfBackend);

/// The axes of such lines: whole `steps` ("epochs") from 0 to `last`, values from 0 to `most`. Without series yet.
Chart curveChart(const QString& steps, double last, std::optional<double> most = {});

/// The losses of single steps over the course of a training, in at most `maxPoints` points: beyond them neighbours are averaged, so
/// that a training of days draws as fast as one of minutes.
class StepLosses {
public:
    static constexpr qsizetype maxPoints = 1200;

    void add(const TrainingStep& step);
    /// Of epochs after `epochs`: what a pause lost.
    void dropAfter(double epochs);
    void clear() { *this = {}; }
    const CurvePoints& points() const { return m_points; }

private:
    void halve();

    CurvePoints m_points;
    double m_sumX = 0, m_sumY = 0;
    int m_gathered = 0, m_stepsPerPoint = 1;  ///< steps of the point in the making; of each point
};

}
