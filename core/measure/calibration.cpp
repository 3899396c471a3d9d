#include "core/measure/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

void count(Proportion& proportion, bool right)
{
    ++proportion.samples;
    proportion.correct += right ? 1 : 0;
}

size_t binOf(double probability)
{
    if (!(probability > 0))  // a store of others may have NaN
        return 0;
    return size_t(std::ceil(std::min(probability, 1.0) * double(Calibration::binCount))) - 1;
}

}

void Calibration::add(int64_t label, bool right, const std::optional<PredictedProbabilities>& prediction)
{
    count(m_classes[label], right);
    if (!prediction)
        return;
    ++m_samples;
    CalibrationBin& bin = m_bins[binOf(prediction->first)];
    count(bin.accuracy, right);
    bin.confidences += prediction->first;
    m_zeros += prediction->ofLabel == 0 ? 1 : 0;
    m_logs -= std::log(prediction->ofLabel == 0 ? std::numeric_limits<float>::denorm_min() : prediction->ofLabel);
    if (prediction->squares) {
        ++m_withSquares;
        m_squaredErrors += *prediction->squares - 2 * prediction->ofLabel + 1;
    }
}

double Calibration::nll() const
{
    return m_logs / double(m_samples);
}

double Calibration::ece() const
{
    double sum = 0;
    for (const CalibrationBin& bin : m_bins)
        sum += std::abs(double(bin.accuracy.correct) - bin.confidences);
    return sum / double(m_samples);
}

std::optional<double> Calibration::brier() const
{
    return m_withSquares == m_samples ? std::optional(m_squaredErrors / double(m_samples)) : std::nullopt;
}

double Calibration::macroTop1() const
{
    double sum = 0;
    for (const auto& [label, accuracy] : m_classes)
        sum += accuracy.value();
    return sum / double(m_classes.size());
}

}
