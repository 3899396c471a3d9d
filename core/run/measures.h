#pragma once

#include "core/base/format.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/measure/calibration.h"
#include "core/measure/paired_ratio.h"
#include "core/measure/proportions.h"
#include "core/run/run_record.h"

#include <optional>
#include <span>
#include <string_view>

/// What is measured of an attention in a network, in one list: tables, charts, reports and window take names, units and values from here.
/// Independent of torch.
namespace attnscope {

/// A value and what it varies between; equal bounds: there is no interval.
struct Measured {
    double mid = 0, low = 0, high = 0;
};

/// Of a pass of the whole model, or inside attention, in ms: the median, and the 5th and 95th percentile.
Measured modelTime(const Latency& latency);
Measured attentionTime(const Latency& latency);
/// "62.1 ms", of the whole model.
std::string timeText(const Latency& latency);
Cell millisecondsCell(const Measured& time);
/// "12.6 – 13.7 µs".
Cell millisecondsRange(const Measured& time);

/// What is known of a run; null, empty or zero: not measured.
struct Measurements {
    const Latency* latency = nullptr;
    const Memory* memory = nullptr;
    const ErrorValue* error = nullptr;
    const EndToEnd* endToEnd = nullptr;
    const FeatureDrift* drift = nullptr;
    double macs = 0;
    Accuracy accuracy = {};
    const Calibration* calibration = nullptr;
};
Measurements measurementsOf(const RunRecord& record);

enum class MeasureUnit { Milliseconds, Bytes, Error, Nats, MultiplyAdds, Fraction };

struct Measure {
    std::string_view key;
    Text title;      ///< of rows and columns
    Text caption;    ///< behind the title, smaller
    Text axis;       ///< in charts
    Text intervals;  ///< what bars in charts mean
    Text help;
    MeasureUnit unit = MeasureUnit::Error;
    std::optional<Measured> (*of)(const Measurements& run) = nullptr;  ///< ms, bytes, 0 … 1, nats
    TimedPart timed = TimedPart::Model;                                ///< of times: whose

    Better better() const { return unit == MeasureUnit::Fraction ? Better::Higher : Better::Lower; }
};

/// Calibration and accuracy first, which evaluations alone have; last what they lack.
std::span<const Measure> measures();
/// Those of the predicted probabilities and classes, those of evaluations, and those of a pass over one input.
std::span<const Measure> calibrationMeasures();
std::span<const Measure> evaluationMeasures();
std::span<const Measure> inputMeasures();
const Measure& measure(std::string_view key);

/// 62.1 and "ms".
Quantity quantityOf(MeasureUnit unit, double value);
Column columnOf(const Measure& measure);
/// The value, behind it smaller its interval; empty where it was not measured.
Cell cellOf(const Measure& measure, const Measurements& run);
/// "79.82 %" and "[79.47, 80.17]"; empty for no samples.
Cell accuracyCell(const Proportion& proportion);

}
