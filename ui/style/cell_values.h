#pragma once

#include <QImage>
#include <QMetaType>
#include <QString>
#include <QVector>

/// What delegates paint: plain values of a table's cells.
namespace attnscope::ui {

/// Median and its 5th and 95th percentile, or mean and spread, on the row's common scale.
struct Interval {
    double low = 0, mid = 0, high = 0;
    double scaleLow = 0, scaleHigh = 0;
    double reference = 0;
    bool hasReference = false;
};

/// The difference to the reference. Overlapping intervals have no winner.
struct Delta {
    enum Kind { None, Better, Worse, Overlap } kind = None;
    QString text;    ///< "1.1× ▲", "−12 %", "≈"
    QString spoken;  ///< "1.1 times faster than softmax"
};

struct PredictionLine {
    QString name;  ///< class name, or "class 285" where names are hidden or unknown
    QString probabilityText;
    double probability = 0;
    bool differs = false;  ///< the reference has another class at this place
};

struct PredictionCell {
    QVector<PredictionLine> lines;
    QString footer;       ///< "11 of 12 as softmax", "reference"
    QString shortFooter;  ///< for narrow cells: "11 of 12", "same first"
    bool hiddenNames = false;
    int shown = 3;
    QImage image = {};  ///< next to the lines, its pixels enlarged without smoothing
};

}

Q_DECLARE_METATYPE(attnscope::ui::Interval)
Q_DECLARE_METATYPE(attnscope::ui::Delta)
Q_DECLARE_METATYPE(attnscope::ui::PredictionCell)
